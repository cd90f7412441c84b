/** Requests and responses of the sign-in pages and endpoints. */
export interface SignInRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly cookie: string;
  readonly authorization: string;
}

export interface SignInAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
}

/** Redirects the browser to the app, with the answer and the `state` of the app. */
export function back(parameters: URLSearchParams, answer: Readonly<Record<string, string>>): SignInAnswer {
  const target = new URL(parameters.get('redirect_uri') ?? '');
  const state = parameters.get('state');
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }) })) {
    target.searchParams.set(name, value);
  }
  return redirect(target.href);
}

export function redirect(location: string): SignInAnswer {
  return { status: 302, headers: { location, 'cache-control': 'no-store' } };
}

export function json(status: number, body: unknown): SignInAnswer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

export function html(status: number, body: string): SignInAnswer {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
  return {
    status,
    headers: {
      'content-type': 'text/html;charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
    },
    body,
  };
}

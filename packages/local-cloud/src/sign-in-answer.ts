/** Requests and responses of the sign-in pages and endpoints. */
import { type GatewayAnswer, jsonAnswer } from './http-event.ts';

export interface SignInRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly cookie: string;
  readonly authorization: string;
}

/** Redirects the browser to the app, with the answer and the `state` of the app. */
export function back(parameters: URLSearchParams, answer: Readonly<Record<string, string>>): GatewayAnswer {
  const target = new URL(parameters.get('redirect_uri') ?? '');
  const state = parameters.get('state');
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }) })) {
    target.searchParams.set(name, value);
  }
  return redirect(target.href);
}

export function redirect(location: string): GatewayAnswer {
  return { status: 302, headers: { location, 'cache-control': 'no-store' }, cookies: [], body: Buffer.alloc(0) };
}

export function json(status: number, body: unknown): GatewayAnswer {
  const answer = jsonAnswer(status, body);
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
}

/** One HTTP request with JSON, for drills, benchmarks and tests. */

export interface JsonResponse<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if there is no body. */
  readonly body: T;
}

interface JsonRequest {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text is sent as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export async function callJson<T>(
  method: string,
  url: string,
  { headers, body, signal }: JsonRequest = {},
): Promise<JsonResponse<T>> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as T };
}

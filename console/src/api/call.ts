/** One request to the account API: what every call carries, and what every answer becomes. */
import type { Mode } from '../app/mode.ts';
import { ApiError } from './errors.ts';
import type { Operation } from './operation.ts';
import { type Calls, operations } from './operations.gen.ts';

export type OperationId = keyof Calls;
export type Input<Id extends OperationId> = Calls[Id]['input'];
export type Answer<Id extends OperationId> = Calls[Id]['answer'];

/** The console and the API have one origin. */
const accountPath = '/v1/account';
const timeoutMs = 35_000;

/** What calls need of the session. */
export interface Credentials {
  /** The ID token. Rejects with `session_ended` when there is none to be had. */
  token(): Promise<string>;
  /** After a token was refused: another one. Rejects likewise. */
  renewed(refused: string): Promise<string>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of an operation that takes one. Default: a new one for each call. */
  readonly idempotencyKey?: string | undefined;
}

export interface Api {
  readonly mode: Mode;
  /** Resolves to the body of the answer. Rejects with an `ApiError`, or with the reason of the signal. */
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Answer<Id>>;
}

export function createApi(mode: Mode, credentials: Credentials): Api {
  return {
    mode,
    async call<Id extends OperationId>(id: Id, input: Input<Id>, options: CallOptions = {}): Promise<Answer<Id>> {
      const { url, init } = requestOf(operations[id], input ?? {}, mode, options);
      const token = await credentials.token();
      const answer = await send(url, init, token);
      const last = answer.status === 401 ? await send(url, init, await credentials.renewed(token)) : answer;
      return (await read(last)) as Answer<Id>;
    },
  };
}

function requestOf(
  { method, path, body, keyed }: Operation,
  input: object,
  mode: Mode,
  { signal, idempotencyKey = crypto.randomUUID() }: CallOptions,
): { url: string; init: RequestInit & { headers: Record<string, string> } } {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const query = body ? '' : new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString();
  const timeout = AbortSignal.timeout(timeoutMs);
  return {
    url: `${accountPath}${filled}${query && `?${query}`}`,
    init: {
      method,
      headers: {
        'booking-mode': mode,
        ...(body && { 'content-type': 'application/json' }),
        ...(keyed && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(Object.fromEntries(rest)) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      // The token is all that says who asks.
      credentials: 'omit',
      cache: 'no-store',
    },
  };
}

async function send(
  url: string,
  init: RequestInit & { headers: Record<string, string> },
  token: string,
): Promise<Response> {
  try {
    return await fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
  } catch (error) {
    // Whoever ended the call knows why, and nobody is told.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError({ code: 'connection_failed', message: 'No answer came.' });
  }
}

async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  const told = (typeof body === 'object' && body !== null ? body : {}) as Partial<Record<string, unknown>>;
  const seconds = Number(told.retryAfter ?? response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError({
    code: typeof told.code === 'string' ? (told.code as ApiError['code']) : 'unexpected_answer',
    message: typeof told.message === 'string' ? told.message : `The answer was ${response.status}.`,
    status: response.status,
    details: told.details,
    requestId: typeof told.requestId === 'string' ? told.requestId : requestId,
    retryAfterSeconds: Number.isNaN(seconds) ? undefined : seconds,
  });
}

/** Sends a request to the account API and returns its response as a value or an `ApiError`. */
import type { Operation } from '../../../client/src/call.ts';
import type { Mode } from '../app/mode.ts';
import { ApiError } from './errors.ts';
import { type Calls, operations } from './generated/operations.ts';

export type OperationId = keyof Calls;
export type Input<Id extends OperationId> = Calls[Id]['input'];
export type Answer<Id extends OperationId> = Calls[Id]['answer'];

/** The console and the API have the same origin. */
const accountPath = '/v1/account';
const timeoutMs = 35_000;

/** The part of the session that calls use. */
interface Credentials {
  /** The person for whom the requests are sent. */
  readonly subject: () => string | undefined;
  /** Returns the ID token. Rejects with `session_ended` if there is none. */
  token(): Promise<string>;
  /** Returns a new token after this one was refused. Rejects likewise. */
  renewed(refused: string): Promise<string>;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The `Idempotency-Key` of the request, if the operation takes one. Default: a new one for each call. */
  readonly idempotencyKey?: string | undefined;
}

export interface Api {
  readonly mode: Mode;
  readonly subject: Credentials['subject'];
  /** Resolves to the body of the response. Rejects with an `ApiError`, or with the signal’s reason. */
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Answer<Id>>;
}

export function createApi(mode: Mode, credentials: Credentials): Api {
  return {
    mode,
    subject: credentials.subject,
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
      // The token alone authenticates the request.
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
    if (isCancelled(error)) throw error;
    throw new ApiError({ code: 'connection_failed', message: 'No answer came.' });
  }
}

/** A cancelled call is not an error to show. */
const isCancelled = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body = await response.json().catch((error) => {
    if (isCancelled(error)) throw error;
  });
  if (response.ok && body !== undefined) return body;
  const content = (typeof body === 'object' && body !== null ? body : {}) as Partial<Record<string, unknown>>;
  const seconds = Number(content.retryAfter ?? response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError({
    code: typeof content.code === 'string' ? (content.code as ApiError['code']) : 'unexpected_answer',
    message: typeof content.message === 'string' ? content.message : `The answer was ${response.status}.`,
    status: response.status,
    details: content.details,
    requestId: typeof content.requestId === 'string' ? content.requestId : requestId,
    retryAfterSeconds: Number.isNaN(seconds) ? undefined : seconds,
  });
}

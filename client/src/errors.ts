/** The one class of errors that calls end with. */
import type { ErrorAnswer } from './generated/operations.ts';
import type { ErrorCode } from './generated/types.ts';

/**
 * What has a code of the client's own, because the API did not say it: no answer, no complete answer in time, or an
 * answer that is not the API's (a proxy's page, a redirect, broken JSON).
 */
export type ClientErrorCode = 'connection_failed' | 'timeout' | 'unexpected_response';

interface Failure<Code, Status, Details> extends Error {
  readonly name: 'ApiError';
  /** Stable: act on it. A newer API may send one that this version does not list. */
  readonly code: Code;
  /** Of the answer. Undefined when there was none. */
  readonly status: Status;
  readonly details: Details;
  /** Names this request to us when you ask for help. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, where the answer says it. */
  readonly retryAfter: number | undefined;
}

/** What the document says of the answers with this code. */
type DetailsOf<Code, Answer = Extract<ErrorAnswer, { code: Code }>> = Answer extends { details?: infer Details }
  ? 'details' extends keyof Answer
    ? Details
    : undefined
  : never;

/**
 * A call that failed. `instanceof ApiError` and a look at `code` tell the type of `details`:
 * `if (error instanceof ApiError && error.code === 'slot_unavailable') offer(error.details.nextAvailable);`
 */
export type ApiError =
  | { [Code in ErrorCode]: Failure<Code, number, DetailsOf<Code>> }[ErrorCode]
  | Failure<ClientErrorCode, number | undefined, undefined>;

export interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

class CallError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number | undefined;
  readonly details: unknown;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor({ code, message, status, details, requestId, retryAfter, cause }: ErrorFacts) {
    const text = `${code}: ${message}${requestId === undefined ? '' : ` (request ${requestId})`}`;
    super(text, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The class seen from outside: what `instanceof` proves is the union above, so that `code` tells `details`. */
export const ApiError = CallError as unknown as { new (facts: ErrorFacts): ApiError; readonly prototype: ApiError };

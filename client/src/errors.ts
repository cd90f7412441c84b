/** The error class of all calls. */
import type { ErrorAnswer } from './generated/operations.ts';
import type { ErrorCode } from './generated/types.ts';

/**
 * Codes of the client itself, not of the API: no response, no complete response in time, or a response of something
 * else, such as a proxy's page, a redirect or broken JSON.
 */
export type ClientErrorCode = 'connection_failed' | 'timeout' | 'unexpected_response';

interface Failure<Code, Status, Details> extends Error {
  readonly name: 'ApiError';
  /** The code is stable: act on it. A newer API may send one that this version does not list. */
  readonly code: Code;
  /** The status of the response. Undefined without a response. */
  readonly status: Status;
  readonly details: Details;
  /** Identifies this request when you ask for help. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, if the response contains them. */
  readonly retryAfter: number | undefined;
}

/** The type of `details` for this code, from the OpenAPI document. */
type DetailsOf<Code, Answer = Extract<ErrorAnswer, { code: Code }>> = Answer extends { details?: infer Details }
  ? 'details' extends keyof Answer
    ? Details
    : undefined
  : never;

/**
 * A call that failed. After `instanceof ApiError`, the value of `code` narrows the type of `details`:
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

/** The public type of the class: `instanceof` narrows to the union above, so that `code` narrows `details`. */
export const ApiError = CallError as unknown as { new (facts: ErrorFacts): ApiError; readonly prototype: ApiError };

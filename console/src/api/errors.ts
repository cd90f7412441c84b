/** The one class of errors that calls end with. */
import type { ErrorCode } from './types.gen.ts';

/** What the API did not say itself: no answer, none that is its own, or a session that is over. */
export type OwnErrorCode = 'connection_failed' | 'unexpected_answer' | 'session_ended';

export interface Problem {
  /** Of a field of the request: `client.email`. */
  readonly path: string;
  readonly message: string;
}

interface ErrorFacts {
  readonly code: ErrorCode | OwnErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | OwnErrorCode;
  /** Of the answer. Nothing when there was none. */
  readonly status: number | undefined;
  readonly details: unknown;
  /** Names the request to whoever helps. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, status, details, requestId, retryAfterSeconds }: ErrorFacts) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Of a request that is not valid: each field's. */
  get problems(): readonly Problem[] {
    return this.code === 'validation_failed' && Array.isArray(this.details) ? this.details : [];
  }

  /** Whether the same request may well be answered a moment later. */
  get isPassing(): boolean {
    return this.code === 'connection_failed' || (this.status !== undefined && this.status >= 500);
  }
}

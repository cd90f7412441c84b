/** The error class of all calls. */
import type { ErrorCode } from './generated/types.ts';

/** Codes that do not come from the API: no response, a response of another server, or an ended session. */
export type OwnErrorCode = 'connection_failed' | 'unexpected_answer' | 'session_ended';

interface Problem {
  /** The path of a field of the request: `client.email`. */
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
  /** The HTTP status. Undefined without a response. */
  readonly status: number | undefined;
  readonly details: unknown;
  /** Identifies the request for support. */
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

  /** The problems of an invalid request, by field. */
  get problems(): readonly Problem[] {
    return this.code === 'validation_failed' && Array.isArray(this.details) ? this.details : [];
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.code === 'connection_failed' || (this.status !== undefined && this.status >= 500);
  }

  /** Whether this attempt or an earlier one may have taken effect, so that the change must be repeated as it was sent. */
  get isUndecided(): boolean {
    const { code, status = 0 } = this;
    return (
      this.isPassing ||
      code === 'idempotency_in_progress' ||
      code === 'unexpected_answer' ||
      status === 401 ||
      status === 429
    );
  }

  /** Whether the change was refused for data of which the page may show an older state. */
  get isConflict(): boolean {
    const { code, status } = this;
    // The form of a booking explains a taken time beside the free times that it has shown.
    const isRefused = status === 404 || status === 409 || code === 'role_not_allowed';
    return isRefused && !this.isUndecided && code !== 'slot_unavailable';
  }
}

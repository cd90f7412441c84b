/**
 * The only error class. Callers see the message of the catalogue or of the thrower; the private cause is only logged.
 */
import { type ErrorCode, errors } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';

interface ErrorExtras {
  /** Replaces the catalogue's message. Shown to the caller. */
  readonly message?: string;
  readonly details?: unknown;
  /** Headers of the response, in addition to those of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether this is a repeated refusal for an `Idempotency-Key`. */
  readonly replayed?: true;
  /** Whole seconds; becomes `retryAfter` in the body and `Retry-After` in the headers. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

export interface Problem {
  /** The path of a field: `client.email`, `events.0`; empty for the whole body. */
  readonly path: string;
  readonly message: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: (typeof errors)[ErrorCode]['status'];
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, extras: ErrorExtras = {}) {
    super(extras.message ?? errors[code].message, { cause: extras.cause });
    this.code = code;
    this.status = errors[code].status;
    this.extras = extras;
  }
}

/** `throw fail('not_found')`, `throw fail('invalid_state', 'The client was erased.')`, or with other extras. */
export function fail(code: ErrorCode, extras?: ErrorExtras | string): ApiError {
  return new ApiError(code, typeof extras === 'string' ? { message: extras } : extras);
}

/** 400 `validation_failed` for one field: `throw invalid('to', 'must not be before from')`. */
export function invalid(path: string, message: string, cause?: unknown): ApiError {
  return fail('validation_failed', { details: [{ path, message }], cause });
}

/**
 * 400 `validation_failed` for several fields. A small request can have very many problems, so only the first are
 * listed, with the total.
 */
export function invalidAll(problems: readonly Problem[]): ApiError {
  // The name is part of the response, and some JSON parsers refuse half of a surrogate pair.
  const details = problems.map(({ path, message }) => ({ path: path.toWellFormed(), message }));
  if (details.length <= limits.problemsListed) return fail('validation_failed', { details });
  const rest = { path: '', message: `has ${details.length} problems; these are the first ${limits.problemsListed}` };
  return fail('validation_failed', { details: [...details.slice(0, limits.problemsListed), rest] });
}

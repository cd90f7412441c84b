/** One call is one or several attempts: which failure is followed by another attempt, and after how long. */
import { bounded, sleep } from './bounded.ts';
import { ApiError } from './errors.ts';

export interface Persistence {
  /** Sending the request twice has the effect of sending it once. */
  readonly repeatable: boolean;
  /** The request deletes. */
  readonly deletes: boolean;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxRetries: number;
  readonly backoffMs: number;
}

/** Milliseconds. The longest wait of our own choice; `Retry-After` may say more. */
const backoffMaxMs = 8_000;

/**
 * What the first attempt that succeeds answers. Rejects with the last attempt's `ApiError` when no other may follow or
 * would end in time, and with the signal's reason when the caller ends it.
 */
export async function persist<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { repeatable, deletes, signal, timeoutMs, deadlineMs, maxRetries, backoffMs }: Persistence,
): Promise<T | undefined> {
  const end = performance.now() + deadlineMs;
  let mayBeGone = false;
  for (let retries = 0; ; retries += 1) {
    const ms = Math.min(timeoutMs, end - performance.now());
    try {
      return await bounded(ms, signal, () => timeout(ms), attempt);
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const error = failure(cause);
      // What was to be deleted is gone: an earlier attempt did it, and its answer was lost.
      if (deletes && mayBeGone && error.code === 'not_found') return undefined;
      mayBeGone ||= isUncertain(error);
      if (retries >= maxRetries || !(isRefused(error) || (repeatable && isUncertain(error)))) throw error;
      const waitMs = waitBefore(retries, error, backoffMs);
      if (performance.now() + waitMs >= end) throw error;
      await sleep(waitMs, signal);
    }
  }
}

/** The limit said no, or the first call with this key is still running: the attempt did nothing. */
const isRefused = ({ status, code }: ApiError) => status === 429 || code === 'idempotency_in_progress';

/** The attempt may have done it or not. */
const isUncertain = ({ status }: ApiError) => status === undefined || status >= 500;

/** Milliseconds, with full jitter, so that clients that failed together do not come back together. */
function waitBefore(retries: number, { retryAfter = 0 }: ApiError, backoffMs: number): number {
  return retryAfter * 1_000 + Math.random() * Math.min(backoffMaxMs, backoffMs * 2 ** retries);
}

const timeout = (ms: number) =>
  new ApiError({ code: 'timeout', message: `No complete answer within ${Math.round(ms)} ms.` });

const failure = (cause: unknown): ApiError =>
  cause instanceof ApiError
    ? cause
    : new ApiError({ code: 'connection_failed', message: `The connection failed: ${reasonOf(cause)}.`, cause });

/** Node hides what happened behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : message;
}

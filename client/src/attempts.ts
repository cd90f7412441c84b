/** A call makes one or several attempts. This file decides which failures are retried, and after how long. */

import { ApiError } from './errors.ts';
import { sleep, withTimeout } from './timeout.ts';

interface RetryOptions {
  /** Whether sending the request twice has the same effect as once. */
  readonly repeatable: boolean;
  /** Whether the request deletes. */
  readonly deletes: boolean;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxRetries: number;
  readonly backoffMs: number;
}

/** Milliseconds. The maximum of the backoff; `Retry-After` may be longer. */
const backoffMaxMs = 8_000;

/**
 * Returns the result of the first attempt that succeeds. Rejects with the last attempt's `ApiError` if no other may
 * follow or would end in time, and with the signal's reason if the caller aborts.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { repeatable, deletes, signal, timeoutMs, deadlineMs, maxRetries, backoffMs }: RetryOptions,
): Promise<T | undefined> {
  const end = performance.now() + deadlineMs;
  let mayBeGone = false;
  for (let retries = 0; ; retries += 1) {
    const ms = Math.min(timeoutMs, end - performance.now());
    try {
      return await withTimeout(ms, signal, () => timeout(ms), attempt);
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const error = failure(cause);
      // The item is already deleted: an earlier attempt did it, and its response was lost.
      if (deletes && mayBeGone && error.code === 'not_found') return undefined;
      mayBeGone ||= isUncertain(error);
      if (retries >= maxRetries || !(isRefused(error) || (repeatable && isUncertain(error)))) throw error;
      const waitMs = waitBefore(retries, error, backoffMs);
      if (performance.now() + waitMs >= end) throw error;
      await sleep(waitMs, signal);
      // The timer may fire late, and no timer is shorter than a millisecond.
      if (end - performance.now() < 1) throw error;
    }
  }
}

/** The rate limit rejected the attempt, or the first call with this key is still running: it had no effect. */
const isRefused = ({ status, code }: ApiError) => status === 429 || code === 'idempotency_in_progress';

/** The attempt may or may not have had an effect. */
const isUncertain = ({ status }: ApiError) => status === undefined || status >= 500;

/** Milliseconds, with full jitter, so that clients that failed together do not retry together. */
function waitBefore(retries: number, { retryAfter = 0 }: ApiError, backoffMs: number): number {
  return retryAfter * 1_000 + Math.random() * Math.min(backoffMaxMs, backoffMs * 2 ** retries);
}

const timeout = (ms: number) =>
  new ApiError({ code: 'timeout', message: `No complete answer within ${Math.round(ms)} ms.` });

const failure = (cause: unknown): ApiError =>
  cause instanceof ApiError
    ? cause
    : new ApiError({ code: 'connection_failed', message: `The connection failed: ${reasonOf(cause)}.`, cause });

/** Returns why `fetch` failed: Node hides the reason behind "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : message;
}

/** The one way to try again: what differs between callers is their retry policy. */
import { randomFraction, sleep } from './clock.ts';
import { isTimeUp } from './time-left.ts';

export interface RetryPolicy {
  /** At most, the first among them. */
  readonly attempts: number;
  /** Pauses are random, so that callers who met once do not meet again: below this at first, below twice that next. */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
}

/** For what a service left unprocessed of a batch: it is busy for a moment, and takes the rest a little later. */
export const unprocessedRetries: RetryPolicy = { attempts: 5, firstPauseMs: 50 };

/** Returned by an attempt that did not succeed, when another one may. */
export const RETRY = Symbol('retry');

/**
 * Calls `attempt` until it returns something other than `RETRY`; returns `RETRY` when the attempts or the time of the call
 * (`time-left.ts`) are over first. An exception of an attempt ends it at once.
 *
 * @example
 * const end = await retrying(unprocessedRetries, async () => {
 *   left = await send(left);
 *   return left.length > 0 ? RETRY : 'sent';
 * });
 * if (end === RETRY) throw new Error('Some were not sent');
 */
export async function retrying<T>(
  { attempts, firstPauseMs, longestPauseMs = Number.POSITIVE_INFINITY }: RetryPolicy,
  attempt: (number: number) => Promise<T | typeof RETRY>,
): Promise<T | typeof RETRY> {
  for (let number = 1; !isTimeUp(); number++) {
    const outcome = await attempt(number);
    if (outcome !== RETRY || number >= attempts) return outcome;
    await sleep(randomFraction() * Math.min(longestPauseMs, firstPauseMs * 2 ** (number - 1)));
  }
  return RETRY;
}

/** The only loop that repeats failed calls; callers differ in their retry policy. */
import { now, randomFraction, sleep } from './clock.ts';
import { isTimeUp } from './time-left.ts';

export interface RetryPolicy {
  /** The maximum, the first attempt included. */
  readonly attempts: number;
  /**
   * The maximum of the first pause; that of the next is twice as long, and so on. Pauses are random, so that callers
   * with a conflict do not conflict again.
   */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
  /** Every pause but the first may be this many times as long as the attempt before it, beyond `longestPauseMs`. */
  readonly pauseInAttempts?: number;
}

/** The policy for the unprocessed part of a batch, which the service accepts a little later. */
export const unprocessedRetries: RetryPolicy = { attempts: 5, firstPauseMs: 50 };

/** The result of an attempt that may be repeated. */
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
  { attempts, firstPauseMs, longestPauseMs = Number.POSITIVE_INFINITY, pauseInAttempts = 0 }: RetryPolicy,
  attempt: (number: number) => Promise<T | typeof RETRY>,
): Promise<T | typeof RETRY> {
  for (let number = 1; !isTimeUp(); number++) {
    const began = now();
    const outcome = await attempt(number);
    if (outcome !== RETRY || number >= attempts) return outcome;
    const usualMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (number - 1));
    const slowMs = number > 1 ? pauseInAttempts * (now() - began) : 0;
    await sleep(randomFraction() * Math.max(usualMs, slowMs));
  }
  return RETRY;
}

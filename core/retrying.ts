/** The one way to try again: what differs between callers is their patience. */
import { randomFraction, sleep } from './clock.ts';
import { isTimeUp } from './time-left.ts';

export interface Patience {
  /** Tries at most, the first among them. */
  readonly rounds: number;
  /** Pauses are random, so that those who met once do not meet again: below this at first, below twice that next. */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
}

/** For what a service left undone of a batch: it is busy for a moment, and takes the rest a little later. */
export const leftovers: Patience = { rounds: 5, firstPauseMs: 50 };

/** Says that a try did not come off, and that another may. */
export const again = Symbol('again');

/**
 * Tries until `once` returns something other than `again`; returns `again` when the patience or the time of the call
 * (`time-left.ts`) is over first. What `once` throws ends it at once.
 *
 * @example
 * const end = await retrying(leftovers, async () => {
 *   left = await send(left);
 *   return left.length > 0 ? again : 'sent';
 * });
 * if (end === again) throw new Error('Some were not sent');
 */
export async function retrying<T>(
  patience: Patience,
  once: (round: number) => Promise<T | typeof again>,
): Promise<T | typeof again> {
  for (let round = 1; !isTimeUp(); round++) {
    const outcome = await once(round);
    if (outcome !== again || round >= patience.rounds) return outcome;
    const { firstPauseMs, longestPauseMs = Number.POSITIVE_INFINITY } = patience;
    await sleep(randomFraction() * Math.min(longestPauseMs, firstPauseMs * 2 ** (round - 1)));
  }
  return again;
}

/** The one way to try again: what differs between callers is their patience. */
import { now, randomFraction, sleep } from './clock.ts';

export interface Patience {
  /** Tries at most, the first among them. */
  readonly rounds: number;
  /** Pauses are random, so that those who met once do not meet again: below this at first, below twice that next. */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
  /** Epoch milliseconds: from then on nothing is begun, and nothing may be committed. */
  readonly untilMs?: number;
}

/** For what a service left undone of a batch: it is busy for a moment, and takes the rest a little later. */
export const leftovers: Patience = { rounds: 5, firstPauseMs: 50 };

/** Says that a try did not come off, and that another may. */
export const again = Symbol('again');

/**
 * Tries until `once` returns something other than `again`; returns `again` when the patience is over first. What `once`
 * throws ends it at once.
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
  for (let round = 1; !isOver(patience); round++) {
    const outcome = await once(round);
    if (outcome !== again || round >= patience.rounds) return outcome;
    const { firstPauseMs, longestPauseMs = Number.POSITIVE_INFINITY } = patience;
    await sleep(randomFraction() * Math.min(longestPauseMs, firstPauseMs * 2 ** (round - 1)));
  }
  return again;
}

/** Whether the time is up. A commit asks once more, right before it writes. */
export function isOver({ untilMs = Number.POSITIVE_INFINITY }: Patience): boolean {
  return now() >= untilMs;
}

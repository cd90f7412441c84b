/** One `TransactWriteItems`, and the two ways in which it can end that its caller must tell apart. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../clients.ts';
import { randomFraction, sleep } from '../clock.ts';
import { fail } from '../errors.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Cancellations that say nothing about the data: the same writes may be tried again. */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Commits all writes or none. `'committed'`, or the cancellation code of each write (`None` for those that were not at
 * fault): a condition did not hold, or another transaction was in the way. A retry of the SDK after a lost answer
 * carries the same token, so that nothing is written twice.
 */
export async function transact(writes: readonly Write[]): Promise<'committed' | string[]> {
  try {
    await dynamo().send(new TransactWriteCommand({ TransactItems: [...writes] }));
    return 'committed';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
    if (codes.some((code) => code !== 'None' && code !== 'ConditionalCheckFailed' && !passing.has(code))) throw error;
    return codes;
  }
}

/** A booking's day may be contended by a whole salon; each loser reads again and decides again. */
const attemptsMax = 30;
/** Few losers meet again after a short pause, many need a long one: 96 at once come through in about five rounds each. */
const firstPauseMs = 50;
const pauseMsMax = 1_000;

/** Whether one of these writes was refused by its own condition, rather than by a transaction in the way. */
export function refusedAt(codes: readonly string[], index: number): boolean {
  return codes[index] === 'ConditionalCheckFailed';
}

/**
 * Decides on fresh reads and commits, again and again until the commit holds or the decision throws. `decide` returns
 * the writes and what to answer once they are committed; or `'stale'` when its reads, which are several, contradict each
 * other because somebody's commit came between them.
 */
export async function decideAndCommit<T>(
  decide: () => Promise<
    | {
        writes: readonly Write[];
        answer: T;
        /** Throws when the cancellation codes say that another attempt cannot help. */
        refused?: (codes: readonly string[]) => void;
      }
    | 'stale'
  >,
): Promise<T> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const decided = await decide();
    if (decided !== 'stale') {
      const { writes, answer, refused } = decided;
      const outcome = writes.length === 0 ? 'committed' : await transact(writes);
      if (outcome === 'committed') return answer;
      refused?.(outcome);
    }
    await sleep(randomFraction() * Math.min(pauseMsMax, firstPauseMs * 2 ** attempt));
  }
  throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error(`no commit in ${attemptsMax} attempts`) });
}

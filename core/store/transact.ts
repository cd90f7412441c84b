/** One `TransactWriteItems`, and the two ways in which it can end that its caller must tell apart. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../clients.ts';
import { fail } from '../errors.ts';
import { log } from '../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../retrying.ts';
import { auditWrites, entryIsOnRecord } from './audit-trail.ts';
import type { Write } from './write.ts';

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

/** The same, with the entry of who changed it, if a caller asked for the change. The codes are those of `writes`. */
export async function transactOnRecord(writes: readonly Write[], answer?: unknown): Promise<'committed' | string[]> {
  const all = [...writes, ...auditWrites(answer)];
  const outcome = all.length === 0 ? 'committed' : await transact(all);
  if (outcome !== 'committed') return outcome.slice(0, writes.length);
  entryIsOnRecord();
  return outcome;
}

/**
 * A booking's day may be contended by all clients of a business; each loser reads again and decides again. Few losers
 * meet again after a short pause, many need a long one: 96 at once commit in about five attempts each.
 */
const contended: RetryPolicy = { attempts: 30, firstPauseMs: 100, longestPauseMs: 1_000 };

/** Whether one of these writes was refused by its own condition, rather than by a transaction in the way. */
export function refusedAt(codes: readonly string[], index: number): boolean {
  return codes[index] === 'ConditionalCheckFailed';
}

/** What a decision comes to: the writes, and what to answer once they are committed. */
export interface Transaction<T> {
  readonly writes: readonly Write[];
  readonly answer: T;
  /** Throws when the cancellation codes say that another attempt cannot help. */
  readonly refused?: (codes: readonly string[]) => void;
  /** It changes nothing that a caller asked to change. */
  readonly unaudited?: true;
}

/** Commits what a decision comes to, now or under conditions of its own. */
export type Commit = <T>(decide: () => Promise<Transaction<T> | 'stale'>) => Promise<T>;

/** Decides as `commitWithRetry` does, and writes nothing. */
export const dryRun: Commit = (decide) =>
  commitWithRetry(async () => {
    const decided = await decide();
    return decided === 'stale' ? decided : { writes: [], answer: decided.answer };
  });

/**
 * Decides on fresh reads and commits, until the commit succeeds or the decision throws. `decide` returns `'stale'` when its
 * reads, which are several, contradict each other because another commit came between them.
 * 503 `temporarily_unavailable` when the attempts or the time of the call are over; then nothing was committed, and
 * nothing will be.
 */
export async function commitWithRetry<T>(
  decide: () => Promise<Transaction<T> | 'stale'>,
  policy: RetryPolicy = contended,
): Promise<T> {
  let attempts = 0;
  const end = await retrying(policy, async (attempt) => {
    attempts = attempt;
    // How contended a day is: the log line of the change, or of its refusal, contains the number of tries.
    if (attempt > 1) log.appendKeys({ tries: attempt });
    const decided = await decide();
    if (decided === 'stale') return RETRY;
    const { writes, answer, refused, unaudited } = decided;
    if (writes.length === 0) return { answer };
    const outcome = await (unaudited ? transact(writes) : transactOnRecord(writes, answer));
    if (outcome === 'committed') return { answer };
    refused?.(outcome);
    return RETRY;
  });
  if (end !== RETRY) return end.answer;
  throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error(`no commit in ${attempts} attempts`) });
}

/** One `TransactWriteItems`, and the two kinds of cancellation that its caller must distinguish. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../clients.ts';
import { fail } from '../errors.ts';
import { log } from '../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../retrying.ts';
import { auditWrites, entryIsOnRecord } from './audit-trail.ts';
import type { Write } from './write.ts';

/** Cancellations that are not caused by the data: the same writes may be tried again. */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Commits all writes or none. Returns `'committed'`, or the cancellation code of each write (`None` if it was not the
 * cause): a condition was false, or another transaction conflicted. If the SDK repeats the call after a lost response,
 * it sends the same token, so nothing is written twice.
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

/**
 * Commits a transaction, as `transact` does. If a request makes the change, adds the entry in the audit log of the
 * caller's business, or of this one. The codes are those of `writes`.
 */
export async function transactOnRecord(
  writes: readonly Write[],
  result?: unknown,
  auditedIn?: number,
): Promise<'committed' | string[]> {
  const all = [...writes, ...auditWrites(result, auditedIn)];
  const outcome = all.length === 0 ? 'committed' : await transact(all);
  if (outcome !== 'committed') return outcome.slice(0, writes.length);
  entryIsOnRecord();
  return outcome;
}

/**
 * All clients of a business may book one day at the same time; each request whose commit fails reads and decides again.
 * A short pause is enough for few requests, and many need a long one: of 96 concurrent requests, each needs about five
 * attempts. On a busy machine, tries are slow because others run at the same time, so the pauses get longer, too. The
 * first pause stays short: after it, all but one of many requests for one slot are refused.
 */
const contended: RetryPolicy = { attempts: 30, firstPauseMs: 100, longestPauseMs: 1_000, pauseInAttempts: 2 };

/** Whether the condition of one of these writes was false, and not only another transaction conflicted. */
export function conditionFailedAt(codes: readonly string[], index: number): boolean {
  return codes[index] === 'ConditionalCheckFailed';
}

/** A decision: the writes, and the result to return after their commit. */
export interface Transaction<T> {
  readonly writes: readonly Write[];
  readonly result: T;
  /** Throws if the cancellation codes show that another attempt cannot succeed. */
  readonly onCancelled?: (codes: readonly string[]) => void;
  /** Whether the writes are not a change that a request makes, so that they need no entry in the audit log. */
  readonly unaudited?: true;
  /** The business whose audit log contains the entry, if it is not the caller's. */
  readonly auditedIn?: number;
}

/** Commits the result of a decision, possibly with further conditions. */
export type Commit = <T>(decide: () => Promise<Transaction<T> | 'stale'>) => Promise<T>;

/** Decides as `commitWithRetry` does, and writes nothing. */
export const dryRun: Commit = (decide) =>
  commitWithRetry(async () => {
    const decided = await decide();
    return decided === 'stale' ? decided : { writes: [], result: decided.result };
  });

/**
 * Reads, decides and commits, until the commit succeeds or the decision throws. `decide` returns `'stale'` if its reads
 * contradict each other because another commit came between them. 503 `temporarily_unavailable` when the attempts or
 * the time of the call are used up; then nothing was or will be committed.
 */
export async function commitWithRetry<T>(decide: () => Promise<Transaction<T> | 'stale'>): Promise<T> {
  let attempts = 0;
  const end = await retrying(contended, async (attempt) => {
    attempts = attempt;
    // The log line of the change, or of its refusal, contains the number of tries.
    if (attempt > 1) log.appendKeys({ tries: attempt });
    const decided = await decide();
    if (decided === 'stale') return RETRY;
    const { writes, result, onCancelled, unaudited, auditedIn } = decided;
    if (writes.length === 0) return { result };
    const outcome = await (unaudited ? transact(writes) : transactOnRecord(writes, result, auditedIn));
    if (outcome === 'committed') return { result };
    onCancelled?.(outcome);
    return RETRY;
  });
  if (end !== RETRY) return end.result;
  throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error(`no commit in ${attempts} attempts`) });
}

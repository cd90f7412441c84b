/**
 * `Idempotency-Key` (docs/rules.md#idempotency). The transaction of a change also writes its idempotency record, so the
 * change never exists without the record, and no other request finds it half done.
 */
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../contract/errors.ts';
import { idempotencyKeyForm, isIdempotencyKey } from '../../contract/headers.ts';
import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import { ApiError, fail, invalid } from '../errors.ts';
import { holderId, type Principal } from '../principal.ts';
import { absentOr, atMost } from '../store/expected.ts';
import { getItem } from '../store/read.ts';
import { type Commit, commitWithRetry, type Transaction } from '../store/transact.ts';
import { put, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

/** The result of the first request. */
interface Outcome {
  readonly answer?: unknown;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown };
}

interface StoredOutcome {
  readonly requestHash: string;
  /** `Outcome` as JSON, because a stored map would be returned with its fields in another order. */
  readonly outcome: string;
  /** DynamoDB deletes expired records some hours late, so an expired record is ignored. */
  readonly expiresAtSeconds: number;
}

/** A result, and whether it is that of an earlier request with the same `Idempotency-Key`. */
export interface IdempotentResult<T> {
  readonly value: T;
  readonly replayed: boolean;
}

/** A call of an endpoint. A repetition has an equal operation, path and body. */
interface IdempotentCall extends Readonly<Record<'operation' | 'params' | 'body', unknown>> {
  readonly principal: Principal;
  readonly idempotencyKey: string | undefined;
}

/**
 * Makes the function of an endpoint with `idempotent: true` from one that also gets its `commit`.
 *
 * @example
 * endpoint(routes.createHold).handler(idempotent(({ principal, body }, commit) => createHold(principal, body, commit)));
 */
export function idempotent<Call extends IdempotentCall, T>(verb: (call: Call, commit: Commit) => Promise<T>) {
  return (call: Call): Promise<IdempotentResult<T>> => {
    const { principal, idempotencyKey, operation, params, body } = call;
    return idempotently(principal, idempotencyKey, { operation, params, body }, (commit) => verb(call, commit));
  };
}

/**
 * Runs a function once for each `Idempotency-Key`. Every later request with the same key and body gets the first result
 * again, even a refusal (`replayed` in the error's extras). The function commits once, with the `commit` that it gets.
 * Errors: 409 `idempotency_in_progress`, 422 `idempotency_key_reused`, 400 for an invalid key.
 */
export async function idempotently<T>(
  principal: Principal,
  key: string | undefined,
  request: unknown,
  verb: (commit: Commit) => Promise<T>,
): Promise<IdempotentResult<T>> {
  if (key === undefined) return { value: await verb(commitWithRetry), replayed: false };
  const record = idempotencyRecord(principal, key, request);
  let replayed = false;
  let isInProgress = false;
  const commit: Commit = <A>(decide: () => Promise<Transaction<A> | 'stale'>) =>
    commitWithRetry<A>(async () => {
      const first = await record.replay();
      replayed = first !== undefined;
      if (replayed) return { writes: [], result: first as A };
      const decided = await decide();
      if (decided === 'stale') return decided;
      return {
        result: decided.result,
        writes: [...decided.writes, record.withResult(decided.result)],
        ...(decided.writes.length === 0 && { unaudited: true as const }),
        // The record is the last write. If it conflicts, it conflicts with the transaction of another request with the
        // same key.
        onCancelled: (codes) => {
          isInProgress = codes.at(-1) === 'TransactionConflict';
          decided.onCancelled?.(codes);
        },
      };
    });
  try {
    return { value: await verb(commit), replayed };
  } catch (error) {
    if (isInProgress && error instanceof ApiError && error.code === 'temporarily_unavailable') {
      throw fail('idempotency_in_progress', { retryAfter: 1, cause: error });
    }
    let first: unknown;
    if (isNewRefusal(error)) first = await record.refused(error);
    // Perhaps the session has no booking left because the first request has just made the last one.
    else if (error instanceof ApiError && error.status === 403) first = await record.replay();
    if (first === undefined) throw error;
    return { value: first as T, replayed: true };
  }
}

/** A refusal is a result that is repeated; a server error is not. */
function isNewRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 409) && !error.extras.replayed;
}

/** The record of one `Idempotency-Key` of one caller. */
function idempotencyRecord(principal: Principal, value: string, request: unknown) {
  if (!isIdempotencyKey(value)) throw invalid('Idempotency-Key', `must be ${idempotencyKeyForm}`);
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const itemKey = records.idempotency(principal.tenantId, holderId(principal), value);
  const nowSeconds = Math.floor(now() / 1_000);

  function remember(outcome: Outcome): Write {
    const item = {
      ...itemKey,
      outcome: JSON.stringify(outcome),
      requestHash,
      expiresAtSeconds: nowSeconds + limits.idempotencyHours * 3_600,
    };
    return put('records', item, { expiresAtSeconds: absentOr(atMost(nowSeconds)) });
  }

  /** The first result, if there is one: returns its value, or throws its error again. 422 for another body. */
  async function replay(): Promise<unknown> {
    const first = await getItem<StoredOutcome>('records', itemKey);
    if (!first || first.expiresAtSeconds <= nowSeconds) return undefined;
    if (first.requestHash !== requestHash) throw fail('idempotency_key_reused');
    const { answer, error } = JSON.parse(first.outcome) as Outcome;
    if (error) throw fail(error.code, { message: error.message, details: error.details, replayed: true });
    return answer;
  }

  return {
    replay,
    /** The write of the record, for the transaction of the change. */
    withResult: (answer: unknown): Write => remember({ answer }),
    /** Stores a refusal. If another request has stored a result at the same time, that result is returned. */
    refused({ code, message, extras }: ApiError): Promise<unknown> {
      const write = remember({ error: { code, message, details: extras.details } });
      return commitWithRetry(async () => {
        const first = await replay();
        return { writes: first === undefined ? [write] : [], result: first, unaudited: true };
      });
    },
  };
}

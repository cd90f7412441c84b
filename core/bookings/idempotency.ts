/**
 * `Idempotency-Key` (decisions §5). The record of a success is a write of the booking's own transaction: there is no
 * moment at which the booking exists without it, and so no call that finds another one half done.
 */
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { env } from '../env.ts';
import { type ApiError, fail } from '../errors.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { getItem } from '../records/read.ts';
import { transact, type Write } from '../records/transact.ts';
import { records } from '../table-keys.ts';

interface Outcome<T> {
  readonly answer?: T;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown };
}

interface Answered {
  readonly requestHash: string;
  /** `Outcome` as JSON: a stored map would come back with its fields in another order. */
  readonly outcome: string;
  /** TTL is late by hours: a record past it counts as gone. */
  readonly expiresAtSeconds: number;
}

export const replayedHeader = { 'Idempotent-Replayed': 'true' } as const;

/** The record of one `Idempotency-Key` of one API key; `now` in epoch milliseconds. */
export function idempotencyRecord<T>(key: ApiKey, value: string, request: unknown, now: number) {
  if (value.length < 1 || value.length > limits.idempotencyKeyLength || !/^[\x21-\x7e]+$/.test(value)) {
    throw fail('validation_failed', {
      details: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  }
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const itemKey = records.idempotency(key.businessId, key.id, value);
  const nowSeconds = Math.floor(now / 1_000);

  function remember(outcome: Outcome<T>): Write {
    return {
      Put: {
        TableName: env.table('records'),
        Item: {
          ...itemKey,
          outcome: JSON.stringify(outcome),
          requestHash,
          expiresAtSeconds: nowSeconds + limits.idempotencyHours * 3_600,
        },
        ConditionExpression: 'attribute_not_exists(pk) OR expiresAtSeconds <= :now',
        ExpressionAttributeValues: { ':now': nowSeconds },
      },
    };
  }

  /** The first answer, if there was one: its value, or its error thrown again. 422 for another request. */
  async function replay(): Promise<T | undefined> {
    const first = await getItem<Answered>('records', itemKey);
    if (!first || first.expiresAtSeconds <= nowSeconds) return undefined;
    if (first.requestHash !== requestHash) throw fail('idempotency_key_reused');
    const { answer, error } = JSON.parse(first.outcome) as Outcome<T>;
    if (error) {
      const { code, message, details } = error;
      throw fail(code, { message, headers: replayedHeader, ...(details !== undefined && { details }) });
    }
    return answer;
  }

  return {
    replay,
    /** The write that remembers an answer in the transaction that makes it true. */
    answered: (answer: T): Write => remember({ answer }),
    /** Remembers a refusal. Another call may have answered meanwhile: then that answer stands, and is returned. */
    async refused(error: ApiError): Promise<T | undefined> {
      const { code, message, extras } = error;
      const details = extras.details === undefined ? {} : { details: extras.details };
      const outcome = await transact([remember({ error: { code, message, ...details } })]);
      return outcome === 'committed' ? undefined : replay();
    },
  };
}

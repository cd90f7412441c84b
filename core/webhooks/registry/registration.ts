/**
 * The list of all webhooks of all businesses, in which the function `sweep-deliveries` finds lost messages. The
 * transaction that creates or deletes a webhook also writes its entry. Otherwise only `sweep-deliveries` writes
 * entries, so its progress never conflicts with deliveries.
 */
import { deliveries } from '../../table-keys.ts';
import type { Gap } from './gaps.ts';
import type { WebhookItem } from './webhook.ts';

/** How far the function `sweep-deliveries` has read a webhook's log. */
export interface SweepCheckpoint {
  /** All records up to this number were read; all of them are finished, except those in `open`. */
  readonly sweptThrough: number;
  /**
   * For each unfinished delivery, by number: when its message was last sent as far as is known, at first the creation
   * time of its record. Numbers without a record are included, with the creation time of the following record. In epoch
   * milliseconds; the number of entries is limited.
   */
  readonly open: Readonly<Record<string, number>>;
}

/** How far the function `sweep-deliveries` has counted a webhook's log for its statistics. Absent for a new webhook. */
export interface CountCheckpoint {
  /** All records up to this number are counted, except those in `waiting`. */
  readonly countedThrough?: number;
  /** Numbers whose attempt was not made yet, or without a record. */
  readonly waiting?: readonly number[];
  /** The counts that are in no segment yet. */
  readonly hours?: Uint8Array;
  /**
   * When this was written, in epoch milliseconds, later each time. The write of the next checkpoint is conditional on
   * it.
   */
  readonly countedAt?: number;
}

export interface Registration
  extends Pick<SweepCheckpoint, 'sweptThrough'>,
    Partial<Pick<SweepCheckpoint, 'open'>>,
    CountCheckpoint {
  readonly pk: string;
  readonly sk: string;
  readonly id: number;
  readonly tenantId: number;
  readonly keyId: number;
  /** The field `gaps` of the webhook. */
  readonly gaps?: readonly Gap[];
  /** A reset of the sandbox has deleted the records up to this number. */
  readonly emptiedThrough?: number;
}

/** The checkpoint without deleted records: waiting for hundreds of these records would stop the search for two days. */
export function afterReset(registration: Registration): Registration {
  const { emptiedThrough, sweptThrough, countedThrough = 0, open = {}, waiting = [] } = registration;
  if (emptiedThrough === undefined) return registration;
  return {
    ...registration,
    sweptThrough: Math.max(sweptThrough, emptiedThrough),
    countedThrough: Math.max(countedThrough, emptiedThrough),
    open: Object.fromEntries(Object.entries(open).filter(([number]) => Number(number) > emptiedThrough)),
    waiting: waiting.filter((number) => number > emptiedThrough),
  };
}

export function registrationOf({
  id,
  shard,
  tenantId,
  keyId,
}: Pick<WebhookItem, 'id' | 'shard' | 'tenantId' | 'keyId'>): Registration {
  const { pk, sk } = deliveries.registration({ id, shard });
  return { pk, sk, id, tenantId, keyId, sweptThrough: 0 };
}

/**
 * The list of all webhooks, of every business, that the sweeper goes through. An entry comes and goes with its webhook,
 * in the same transaction, and is the sweeper's own otherwise: how far it got never contends with deliveries.
 */
import { put, remove, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import type { Gap } from './gaps.ts';
import type { WebhookItem } from './webhook.ts';

/** How far the sweeper got in a webhook's log. */
export interface SweepCheckpoint {
  /** All records up to this number were read, and have ended but for those that are `open`. */
  readonly sweptThrough: number;
  /**
   * By number, when the message of a delivery that has not ended was last sent as far as the sweeper knows: at first when
   * its record was created. Numbers without a record are among them, with the age of the record that follows. All in
   * epoch milliseconds, and bounded by the sweeper.
   */
  readonly open: Readonly<Record<string, number>>;
}

/** How far the sweeper counted a webhook's log, for its statistics. A new webhook has none of it. */
export interface CountCheckpoint {
  /** All records up to this number are counted but for those that are `waiting`. */
  readonly countedThrough?: number;
  /** Numbers whose attempt was not made yet, or that have no record yet. */
  readonly waiting?: readonly number[];
  /** What was counted and is in no segment yet. */
  readonly hours?: Uint8Array;
  /** When this was written, in epoch milliseconds; later each time. The next checkpoint replaces this one and no other. */
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
  /** Those of the webhook. */
  readonly gaps?: readonly Gap[];
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

export function registrationPut(webhook: WebhookItem): Write {
  return put('deliveries', registrationOf(webhook));
}

export function registrationDelete(webhook: Pick<WebhookItem, 'id' | 'shard'>): Write {
  return remove('deliveries', deliveries.registration(webhook));
}

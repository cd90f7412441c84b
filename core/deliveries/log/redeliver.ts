/** `POST /webhooks/:id/deliveries/:deliveryId/redeliver` (docs/rules.md#attempts, #retries). */

import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { fail } from '../../errors.ts';
import type { KeyReference } from '../../keys/api-key.ts';
import { log } from '../../log.ts';
import { getItem } from '../../store/read.ts';
import { decideAndCommit } from '../../store/transact.ts';
import { set, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { loadWebhook } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { newRecord, takeNumbers } from '../attempt/writes.ts';
import { sendMessages } from '../model/batch.ts';
import { type DeliveryItem, isOver, recordOf, redeliveryOf } from '../model/delivery-record.ts';
import { loadNamed } from './detail.ts';

/**
 * One more attempt of a delivery that has ended, with a pending record of its own; the attempt numbers go on. Errors:
 * 404 `not_found` for an unknown webhook or delivery and for one that is past its 30 days, 409 `invalid_state` while an
 * attempt is still to come, for a ping, and after ten attempts by hand.
 */
export async function redeliver(
  key: KeyReference,
  { id, deliveryId }: { id: number; deliveryId: string },
): Promise<DeliveryRecord> {
  const head = await decideAndCommit(async () => {
    const webhook = await loadWebhook(key, id);
    const first = await loadFirst(id, deliveryId);
    const ended = await endOf(first);
    if (!ended) {
      throw fail('invalid_state', { message: 'The delivery has not ended: another attempt is still to come.' });
    }
    if ((first.redeliveries ?? 0) >= limits.manualAttemptsPerDelivery) {
      throw fail('invalid_state', {
        message: `The delivery was already sent by hand ${limits.manualAttemptsPerDelivery} times.`,
      });
    }
    const { writes, heads } = again(webhook, [ended], now());
    return { writes, answer: heads[0] ?? first };
  });
  await sendRedeliveries([head]);
  return recordOf(head);
}

/** The record of attempt 1. A ping has no attempt but its own. */
async function loadFirst(webhookId: number, deliveryId: string): Promise<DeliveryItem> {
  const item = await loadNamed(webhookId, deliveryId);
  if (item.trigger === 'ping') throw fail('invalid_state', { message: 'A ping is not sent again: send another.' });
  return item as DeliveryItem;
}

/** A delivery that has ended. */
export interface Ended {
  readonly first: DeliveryItem;
  /** How its newest redelivery ended, if there was one. */
  readonly newest: Pick<DeliveryItem, 'state'> | undefined;
}

/** Undefined while an attempt is still to come. */
async function endOf(first: DeliveryItem): Promise<Ended | undefined> {
  if (!isOver(first.state)) return undefined;
  if (first.lastRedelivery === undefined) return { first, newest: undefined };
  const place = deliveries.record(first.webhookId, first.lastRedelivery);
  const newest = await getItem<DeliveryItem>('deliveries', place);
  return newest === undefined || isOver(newest.state) ? { first, newest } : undefined;
}

/** Of its attempts by hand, the newest included, how many failed. */
export function failedManually({ first, newest }: Ended): number {
  return (first.failedRedeliveries ?? 0) + (newest?.state === 'failed' ? 1 : 0);
}

/** DynamoDB's limit of one transaction, less the webhook's own write, by the two writes of each redelivery. */
export const redeliveriesPerTransaction = 49;

/**
 * A pending record for each, with numbers in a row. The delivery counts it and names it, so that of two calls at once one
 * comes first and the other is told to wait.
 */
export function again(
  webhook: WebhookItem,
  ended: readonly Ended[],
  at: number,
): { writes: readonly Write[]; heads: readonly DeliveryItem[] } {
  const redeliveries = ended.map((one, i) => ({
    one,
    head: redeliveryOf(one.first, webhook.lastNumber + 1 + i, at),
  }));
  const heads = redeliveries.map(({ head }) => head);
  const counts = redeliveries.map(({ one, head }) => {
    const { attempts, state, redeliveries = 0, laterRecords = [] } = one.first;
    const counted = { redeliveries: redeliveries + 1, failedRedeliveries: failedManually(one) };
    const named = { lastRedelivery: head.id, laterRecords: [...laterRecords, head.id] };
    const fields = { attempts: attempts + 1, ...named, ...counted };
    return set('deliveries', one.first, fields, { attempts, state });
  });
  return { writes: [takeNumbers(webhook, heads.length), ...heads.map(newRecord), ...counts], heads };
}

/** What the queue does not take is on record as pending: the sweeper finds it. */
export async function sendRedeliveries(heads: readonly DeliveryItem[]): Promise<void> {
  const sent = await sendMessages(
    'retries',
    heads.map(({ tenantId, keyId, webhookId, id, attemptNumber, dueAt }) => ({
      message: { tenantId, keyId, webhookId, number: id, attempt: attemptNumber, dueAt },
      delaySeconds: 0,
    })),
  );
  const missed = sent.filter((one) => !one).length;
  if (missed > 0) log.error('Redeliveries are left to the sweeper', { missed });
}

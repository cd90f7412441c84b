/** `POST /webhooks/:id/deliveries/:deliveryId/redeliver` (docs/rules.md#attempts, #retries). */

import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { fail } from '../../errors.ts';
import { hasScopesOfMessage, loadReceivingKey } from '../../keys/event-access.ts';
import { log } from '../../log.ts';
import type { Principal } from '../../principal.ts';
import { getItem } from '../../store/read.ts';
import { commitWithRetry } from '../../store/transact.ts';
import { set, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { loadWebhook } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { sendDeliveries } from '../model/batch.ts';
import {
  type DeliveryItem,
  disabled,
  isOver,
  newRecord,
  recordOf,
  redeliveryOf,
  takeNumbers,
} from '../model/delivery-record.ts';
import { delaySecondsUntil } from '../model/due-times.ts';
import { loadNamed } from './detail.ts';
import type { ReservedAttempts } from './recovery-budget.ts';

/**
 * Makes one more attempt of a finished delivery, with its own pending record and the next attempt number. Errors: 404
 * `not_found` for an unknown webhook or delivery and after 30 days, 409 `invalid_state` if an attempt is still to come,
 * for a ping, after ten manual attempts, for a webhook that is not active, and for one whose key may not receive the
 * event.
 */
export async function redeliver(
  principal: Principal,
  { id, deliveryId }: { id: number; deliveryId: string },
): Promise<DeliveryRecord> {
  const redelivery = await commitWithRetry(async () => {
    const webhook = await loadWebhook(principal, id);
    assertSends(webhook);
    const key = await loadReceivingKey(principal, webhook.keyId);
    const first = await loadFirst(id, deliveryId);
    if (!hasScopesOfMessage(key, first)) {
      throw fail('invalid_state', `The API key of the webhook lacks the scope to receive ${first.event}.`);
    }
    const ended = await endOf(first);
    if (!ended) {
      throw fail('invalid_state', 'The delivery has not ended: another attempt is still to come.');
    }
    if (hadAllManualAttempts(ended)) {
      throw fail('invalid_state', `The delivery already had ${limits.manualAttemptsPerDelivery} manual attempts.`);
    }
    const { writes, redeliveries } = buildRedeliveries(webhook, [ended], now());
    return { writes, result: redeliveries[0] ?? first };
  });
  await sendRedeliveries([redelivery]);
  return recordOf(redelivery);
}

/** 409 `invalid_state` for a feed or a disabled webhook: nothing would be sent, and it must not count as a try. */
export function assertSends({ delivery, status }: Pick<WebhookItem, 'delivery' | 'status'>): void {
  if (delivery === 'poll') {
    throw fail('invalid_state', 'The webhook has a feed: read the feed again, after an earlier number.');
  }
  if (status === 'active') return;
  throw fail('invalid_state', `The webhook is ${status}. Set its status to active first.`);
}

/** The record of attempt 1. A ping has only this attempt. */
async function loadFirst(webhookId: number, deliveryId: string): Promise<DeliveryItem> {
  const item = await loadNamed(webhookId, deliveryId);
  if (item.trigger === 'ping') throw fail('invalid_state', 'A ping cannot be redelivered: send a new ping.');
  return item as DeliveryItem;
}

/** A finished delivery. */
export interface EndedDelivery {
  readonly first: DeliveryItem;
  /** The result of its newest redelivery, if there was one. */
  readonly newest: Pick<DeliveryItem, 'state' | 'errorCode'> | undefined;
}

/** Undefined while an attempt is still to come. */
async function endOf(first: DeliveryItem): Promise<EndedDelivery | undefined> {
  if (!isOver(first.state)) return undefined;
  if (first.lastRedelivery === undefined) return { first, newest: undefined };
  const newest = await getItem<DeliveryItem>('deliveries', deliveries.record(first.webhookId, first.lastRedelivery));
  return newest === undefined || isOver(newest.state) ? { first, newest } : undefined;
}

/** How many of its manual attempts have failed, the newest included. */
export function failedManually({ first, newest }: EndedDelivery): number {
  const hasFailed = newest?.state === 'failed' && !wasSkipped(newest);
  return (first.failedRedeliveries ?? 0) + (hasFailed ? 1 : 0);
}

export function hadAllManualAttempts(ended: EndedDelivery): boolean {
  return manualAttempts(ended) >= limits.manualAttemptsPerDelivery;
}

/** The number of manual attempts, without those that became due while the webhook was disabled: they were not sent. */
function manualAttempts({ first, newest }: EndedDelivery): number {
  return (first.redeliveries ?? 0) - (newest && wasSkipped(newest) ? 1 : 0);
}

function wasSkipped({ errorCode }: Pick<DeliveryItem, 'errorCode'>): boolean {
  return errorCode === disabled.errorCode;
}

/**
 * A transaction has at most a hundred writes: two for each redelivery, and those of the webhook, the sending budget and
 * the audit log.
 */
export const redeliveriesPerTransaction = 48;

/**
 * A pending record for each redelivery, with consecutive numbers; it is due at once unless it is reserved for later.
 * The first record of the delivery counts it and stores its number, so that one of two concurrent calls fails.
 */
export function buildRedeliveries(
  webhook: WebhookItem,
  ended: readonly EndedDelivery[],
  at: number,
  { dueAt, writes: reservationWrites }: ReservedAttempts = { dueAt: [], writes: [takeNumbers(webhook, ended.length)] },
): { writes: readonly Write[]; redeliveries: readonly DeliveryItem[] } {
  const redeliveries = ended.map(({ first }, i) => redeliveryOf(first, webhook.lastNumber + 1 + i, at, dueAt[i]));
  const counts = ended.map((one, i) => {
    const { attempts, state, laterRecords = [] } = one.first;
    const lastRedelivery = webhook.lastNumber + 1 + i;
    const fields = {
      attempts: attempts + 1,
      lastRedelivery,
      laterRecords: [...laterRecords, lastRedelivery],
      redeliveries: manualAttempts(one) + 1,
      failedRedeliveries: failedManually(one),
    };
    return set('deliveries', one.first, fields, { attempts, state });
  });
  return { writes: [...reservationWrites, ...redeliveries.map(newRecord), ...counts], redeliveries };
}

/** Messages that the queue does not accept are recorded as pending, so the function `sweep-deliveries` sends them. */
export async function sendRedeliveries(redeliveries: readonly DeliveryItem[]): Promise<void> {
  const sent = await sendDeliveries(
    'retries',
    redeliveries.map(({ tenantId, keyId, webhookId, id, attemptNumber, dueAt }) => ({
      ref: { tenantId, keyId, webhookId, number: id, attempt: attemptNumber, dueAt },
      delaySeconds: delaySecondsUntil(dueAt, now()),
    })),
  );
  const missed = redeliveries.length - sent.size;
  if (missed > 0)
    log.error('A queue refused redeliveries, which the scheduled function sweep-deliveries will send', { missed });
}

/** Which deliveries events make. Pure: what was read goes in, what to write comes out. */
import { timestamp } from '../clock.ts';
import { eventOf, type OutboxItem } from '../events/event.ts';
import { type Statement, update } from '../records/write-each.ts';
import { subscribesTo, type WebhookItem } from '../webhooks/webhook.ts';
import { type HeadItem, newHead } from './records.ts';

/** What a batch of events means to one webhook. */
export interface WebhookPlan {
  readonly webhook: WebhookItem;
  /** Takes the numbers and notes them. Absent when every event has its number already. */
  readonly claim?: Statement;
  readonly deliveries: readonly PlannedDelivery[];
}

export interface PlannedDelivery {
  readonly eventId: number;
  readonly head: HeadItem;
}

export interface Subscription {
  readonly webhook: WebhookItem;
  /** Whether its API key is active: webhooks of other keys are not triggered (decisions §6). */
  readonly live: boolean;
}

/**
 * Gives each event, for each webhook that subscribed to it, the webhook's next number, or the one that an earlier try
 * took for it: that one stands whatever became of the webhook since, because a number without a record would be a hole.
 *
 * A number is taken by compare-and-set, together with the note whose it is. Notes of events that have left the outbox
 * (`isOpen` is false) are dropped on the way. That is safe as long as `webhook` was read before the outbox was: who
 * finds an event in the outbox, and no note of it in a webhook read earlier, either is the first to take a number for
 * it, or has a stale number and fails.
 */
export function planDeliveries(
  items: readonly OutboxItem[],
  subscriptions: readonly Subscription[],
  isOpen: (eventId: number) => boolean,
  at: number,
): readonly WebhookPlan[] {
  return subscriptions.flatMap((subscription) => planFor(subscription, items, isOpen, at) ?? []);
}

function planFor(
  { webhook, live }: Subscription,
  items: readonly OutboxItem[],
  isOpen: (eventId: number) => boolean,
  at: number,
): WebhookPlan | undefined {
  const claims = webhook.claims ?? {};
  const taken: Record<string, number> = {};
  let lastNumber = webhook.lastNumber;
  const deliveries = items.flatMap((item): PlannedDelivery[] => {
    if (item.businessId !== webhook.businessId) return [];
    let number = claims[item.id];
    if (number === undefined) {
      if (!live || !subscribesTo(webhook, item.name)) return [];
      lastNumber += 1;
      number = lastNumber;
      taken[item.id] = number;
    }
    return [{ eventId: item.id, head: newHead(eventOf(item), webhook, number, at) }];
  });
  if (deliveries.length === 0) return undefined;
  if (lastNumber === webhook.lastNumber) return { webhook, deliveries };
  const open = Object.entries(claims).filter(([eventId]) => isOpen(Number(eventId)));
  const fields: Partial<WebhookItem> = {
    lastNumber,
    claims: { ...Object.fromEntries(open), ...taken },
    ...(webhook.status === 'active' && { lastTriggeredAt: timestamp(at) }),
  };
  const expected: Partial<WebhookItem> = { lastNumber: webhook.lastNumber, status: webhook.status };
  return { webhook, deliveries, claim: update('deliveries', { pk: webhook.pk, sk: webhook.sk }, fields, expected) };
}

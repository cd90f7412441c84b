/** Which deliveries events make. Pure: what was read goes in, what to write comes out. */
import { isOperational } from '../../../contract/system/operational-events.ts';
import { timestamp } from '../../clock.ts';
import type { Event } from '../../events/event.ts';
import type { EventFailure } from '../../events/outbox.ts';
import type { KeyFacts } from '../../keys/api-key.ts';
import { mayReceive, mayReceivePersonalData } from '../../keys/event-access.ts';
import { type Claim, passesFilter, subscribesTo, type WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type DeliveryItem, newDelivery } from '../model/delivery-record.ts';
import { claimsMax } from './claims.ts';

/** The API key of a webhook, if it exists. */
type KeyOf = (webhook: WebhookItem) => KeyFacts | undefined;

/** The deliveries of some events of its business to one webhook. */
export interface WebhookPlan {
  readonly webhook: WebhookItem;
  /** What the webhook becomes as it takes numbers. Absent when every event has its number already. */
  readonly claim?: Pick<WebhookItem, 'lastNumber' | 'claims'> & Partial<WebhookItem>;
  /** A number above the webhook's last is one of those that `claim` takes. */
  readonly deliveries: readonly DeliveryItem[];
  /** Events that get no number now. They stay in the outbox. */
  readonly postponed: readonly EventFailure[];
}

/**
 * Gives each event of a business, for each of its webhooks that subscribed to it and whose API key may receive it
 * (docs/rules.md#webhooks), the webhook's next number, or the one that an earlier try took for it: that one stands
 * whatever became of the webhook since, because a number without a record would be a hole. A record carries the time when
 * its number was taken, however late it is put, so that the log is in the order of time.
 *
 * Claims of events that have left the outbox (`isOpen` is false) are dropped on the way. That is safe as long as `webhook`
 * was read before the outbox was: a run that finds an event in the outbox, and no claim of it in a webhook read earlier,
 * either is the first to take a number for it, or has a stale number and fails.
 */
export function planDeliveries(
  events: readonly Event[],
  webhooks: readonly WebhookItem[],
  keyOf: KeyOf,
  isOpen: (eventId: number) => boolean,
  at: number,
): readonly WebhookPlan[] {
  // Operational events are for operators alone, whatever a webhook subscribes to.
  const forWebhooks = events.filter(({ name }) => !isOperational(name));
  return webhooks.map((webhook) => {
    try {
      return planFor(webhook, keyOf(webhook), forWebhooks, isOpen, at);
    } catch (cause) {
      const error = new Error(`The item of webhook ${webhook.id} cannot be planned with`, { cause });
      return { webhook, deliveries: [], postponed: forWebhooks.map(({ id }) => ({ id, error })) };
    }
  });
}

function planFor(
  webhook: WebhookItem,
  key: KeyFacts | undefined,
  events: readonly Event[],
  isOpen: (eventId: number) => boolean,
  at: number,
): WebhookPlan {
  const claims = webhook.claims ?? {};
  const open = Object.entries(claims).filter(([eventId]) => isOpen(Number(eventId)));
  const taken: Record<string, Claim> = {};
  const postponed: EventFailure[] = [];
  let lastNumber = webhook.lastNumber;
  const deliveries = events.flatMap((event): DeliveryItem[] => {
    const claimed = claims[event.id];
    if (!claimed) {
      const isWanted = subscribesTo(webhook, event.name) && passesFilter(webhook, event.data);
      if (!isWanted || !mayReceive(key, event.name, at)) return [];
      if (open.length + lastNumber - webhook.lastNumber >= claimsMax) {
        const error = new Error(`Webhook ${webhook.id} has ${claimsMax} claims before event ${event.id}`);
        postponed.push({ id: event.id, error });
        return [];
      }
      lastNumber += 1;
      taken[event.id] = [lastNumber, at, event.shard];
    }
    const [number, takenAt] = claimed ?? [lastNumber, at];
    const shown = mayReceivePersonalData(key, at) ? event : withoutMetadata(event);
    return [newDelivery(shown, webhook, number, { createdAt: takenAt, dueAt: at })];
  });
  if (lastNumber === webhook.lastNumber) return { webhook, deliveries, postponed };
  const claim = {
    lastNumber,
    claims: { ...Object.fromEntries(open), ...taken },
    ...(webhook.status === 'active' && { lastTriggeredAt: timestamp(at) }),
  };
  return { webhook, deliveries, postponed, claim };
}

function withoutMetadata(event: Event): Event {
  if (!('metadata' in event.data)) return event;
  const { metadata: _, ...data } = event.data;
  return { ...event, data } as Event;
}

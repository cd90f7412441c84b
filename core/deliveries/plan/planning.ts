/** Decides which deliveries are created for events. Pure. */
import { personalEventFields } from '../../../contract/event-names.ts';
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

/** The deliveries to one webhook for some events of its business. */
export interface WebhookPlan {
  readonly webhook: WebhookItem;
  /** The changes of the webhook when numbers are taken. Absent if every event already has its number. */
  readonly claim?: Pick<WebhookItem, 'lastNumber' | 'claims'> & Partial<WebhookItem>;
  /** The deliveries. A number above the webhook's last is taken by `claim`. */
  readonly deliveries: readonly DeliveryItem[];
  /** Events that get no number now and stay in the outbox. */
  readonly postponed: readonly EventFailure[];
}

/**
 * Plans some events of a business for its webhooks: those that are subscribed and whose API key may receive the event
 * (docs/rules.md#webhooks). Each event gets the next number of the webhook, or the number that an earlier try took for
 * it. An earlier number is used even if the webhook has changed since, because a number without a record would be a
 * gap. A record contains the time at which its number was taken, even if it is written later. So the log is in the
 * order of time.
 *
 * Claims of events that have left the outbox (`isOpen` is false) are deleted. This is safe as long as `webhook` was
 * read before the outbox. A run that finds an event in the outbox, and no claim for it in the webhook, is the first to
 * take a number for the event. Otherwise its `lastNumber` is outdated, and its write fails.
 */
export function planDeliveries(
  events: readonly Event[],
  webhooks: readonly WebhookItem[],
  keyOf: KeyOf,
  isOpen: (eventId: number) => boolean,
  at: number,
): readonly WebhookPlan[] {
  // Operational events are only for operators, even if a webhook is subscribed to them.
  const forWebhooks = events.filter(({ name }) => !isOperational(name));
  return webhooks.map((webhook) => {
    try {
      return planFor(webhook, keyOf(webhook), forWebhooks, isOpen, at);
    } catch (cause) {
      const error = new Error(`The item of webhook ${webhook.id} is invalid, so no delivery can be created`, { cause });
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
  const newClaims: Record<string, Claim> = {};
  const postponed: EventFailure[] = [];
  let lastNumber = webhook.lastNumber;
  const deliveries = events.flatMap((event): DeliveryItem[] => {
    const claimed = claims[event.id];
    if (!claimed) {
      const isWanted = subscribesTo(webhook, event.name) && passesFilter(webhook, event.data);
      if (!isWanted || !mayReceive(key, event.name, at)) return [];
      if (open.length + lastNumber - webhook.lastNumber >= claimsMax) {
        const error = new Error(
          `Webhook ${webhook.id} already has ${claimsMax} unfinished events, so event ${event.id} waits`,
        );
        postponed.push({ id: event.id, error });
        return [];
      }
      lastNumber += 1;
      newClaims[event.id] = [lastNumber, at, event.shard];
    }
    const [number, takenAt] = claimed ?? [lastNumber, at];
    const shown = mayReceivePersonalData(key, at) ? event : withoutPersonalFields(event);
    return [newDelivery(shown, webhook, number, { createdAt: takenAt, dueAt: at })];
  });
  if (lastNumber === webhook.lastNumber) return { webhook, deliveries, postponed };
  const claim = {
    lastNumber,
    claims: { ...Object.fromEntries(open), ...newClaims },
    ...(webhook.status === 'active' && { lastTriggeredAt: timestamp(at) }),
  };
  return { webhook, deliveries, postponed, claim };
}

function withoutPersonalFields(event: Event): Event {
  const data: Partial<Record<string, unknown>> = { ...event.data };
  for (const name of personalEventFields) delete data[name];
  return { ...event, data } as Event;
}

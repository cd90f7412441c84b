/** Which deliveries events make. Pure: what was read goes in, what to write comes out. */
import { isOperational } from '../../../contract/system/operational-events.ts';
import { timestamp } from '../../clock.ts';
import type { Event } from '../../events/event.ts';
import type { Statement } from '../../store/write-each.ts';
import { type Claim, subscribesTo, type WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type DeliveryItem, newDelivery } from '../model/delivery-record.ts';
import { claimNumbers, claimsMax } from './claims.ts';

/** What a batch of events of its business means to one webhook. */
export interface WebhookPlan {
  readonly webhook: WebhookItem;
  /** Takes the numbers. Absent when every event has its number already. */
  readonly claim?: Statement;
  readonly deliveries: readonly PlannedDelivery[];
  /** Events that get no number now. They stay in the outbox. */
  readonly postponed: readonly Postponed[];
}

export interface Postponed {
  readonly eventId: number;
  readonly reason: Error;
}

export interface PlannedDelivery {
  readonly eventId: number;
  /** Whether its number is one of those that `claim` takes. */
  readonly isNew: boolean;
  readonly head: DeliveryItem;
}

export interface Subscription {
  readonly webhook: WebhookItem;
  /** Whether its API key is active and may be told: webhooks of other keys are not triggered (docs/rules.md#webhooks). */
  readonly hears: (event: string) => boolean;
}

/**
 * Gives each event of a business, for each of its webhooks that subscribed to it, the webhook's next number, or the one
 * that an earlier try took for it: that one stands whatever became of the webhook since, because a number without a
 * record would be a hole. A record tells when its number was taken, however late it is put, so that the log is in the
 * order of time.
 *
 * Claims of events that have left the outbox (`isOpen` is false) are dropped on the way. That is safe as long as `webhook`
 * was read before the outbox was: who finds an event in the outbox, and no claim of it in a webhook read earlier, either
 * is the first to take a number for it, or has a stale number and fails.
 */
export function planDeliveries(
  events: readonly Event[],
  subscriptions: readonly Subscription[],
  isOpen: (eventId: number) => boolean,
  at: number,
): readonly WebhookPlan[] {
  // What an operator is told is no integrator's, whatever a webhook says that it wants.
  const told = events.filter(({ name }) => !isOperational(name));
  return subscriptions.map((subscription) => {
    const { webhook } = subscription;
    try {
      return planFor(subscription, told, isOpen, at);
    } catch (cause) {
      const reason = new Error(`The item of webhook ${webhook.id} cannot be planned with`, { cause });
      return { webhook, deliveries: [], postponed: told.map(({ id }) => ({ eventId: id, reason })) };
    }
  });
}

function planFor(
  { webhook, hears }: Subscription,
  events: readonly Event[],
  isOpen: (eventId: number) => boolean,
  at: number,
): WebhookPlan {
  const claims = webhook.claims ?? {};
  const open = Object.entries(claims).filter(([eventId]) => isOpen(Number(eventId)));
  const taken: Record<string, Claim> = {};
  const postponed: Postponed[] = [];
  let lastNumber = webhook.lastNumber;
  const deliveries = events.flatMap((event): PlannedDelivery[] => {
    const claimed = claims[event.id];
    if (!claimed) {
      if (!subscribesTo(webhook, event.name) || !hears(event.name)) return [];
      if (open.length + lastNumber - webhook.lastNumber >= claimsMax) {
        const reason = new Error(`Webhook ${webhook.id} has ${claimsMax} open events before event ${event.id}`);
        postponed.push({ eventId: event.id, reason });
        return [];
      }
      lastNumber += 1;
      taken[event.id] = [lastNumber, at, event.shard];
    }
    const [number, takenAt] = claimed ?? [lastNumber, at];
    return [
      {
        eventId: event.id,
        isNew: !claimed,
        head: newDelivery(event, webhook, number, { createdAt: takenAt, dueAt: at }),
      },
    ];
  });
  if (lastNumber === webhook.lastNumber) return { webhook, deliveries, postponed };
  const claim = claimNumbers(webhook, {
    lastNumber,
    claims: { ...Object.fromEntries(open), ...taken },
    ...(webhook.status === 'active' && { lastTriggeredAt: timestamp(at) }),
  });
  return { webhook, deliveries, postponed, claim };
}

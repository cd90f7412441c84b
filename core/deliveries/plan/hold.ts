/**
 * Holds first attempts that exceed the sending budget, and reserves their retries (docs/rules.md#sending-budget). Pure.
 *
 * The first webhook of the business stores the budget, and every plan for the business is conditional on it. Usually a
 * number of this webhook is taken anyway, and then the budget costs neither a call nor a write unit
 * (`docs/decisions/sending-budget.md`).
 */
import { timestamp } from '../../clock.ts';
import type { Statement } from '../../store/write-each.ts';
import { hostOf, type WebhookItem } from '../../webhooks/registry/webhook.ts';
import type { DeliveryItem } from '../model/delivery-record.ts';
import { SendingBudget } from '../model/sending-budget.ts';
import { claimNumbers, reserve } from './claims.ts';
import type { WebhookPlan } from './planning.ts';

/** The reservation in a record: until when the attempt is held, and whether its retries are not reserved yet. */
type Reservation = Partial<Pick<DeliveryItem, 'dueAt' | 'nextAttemptAt' | 'reservesRetries'>>;

/** A plan in the form in which it is written. */
export interface WritablePlan extends Pick<WebhookPlan, 'webhook' | 'deliveries' | 'postponed'> {
  readonly claim?: Statement | undefined;
  /** One statement for all webhooks of a business, because nothing may be sent without a reservation. */
  readonly reservation?: Statement | undefined;
}

/** `plans` belong to one business, and `webhooks` are all webhooks of this business. */
export function holdBeyondBudget(
  plans: readonly WebhookPlan[],
  webhooks: readonly WebhookItem[],
  at: number,
  timeScale: number,
): readonly WritablePlan[] {
  const [budgetWebhook] = webhooks;
  if (!budgetWebhook) return [];
  const budget = new SendingBudget(webhooks, at, timeScale);
  const heldUntil = new Map(plans.map(({ webhook }) => [webhook.id, webhook.heldUntil ?? 0]));
  const reservations = new Map<DeliveryItem, Reservation>();
  for (const { webhook, delivery } of inOrder(plans)) {
    const host = hostOf(webhook);
    const dueAt = budget.reserve(host, heldUntil.get(webhook.id));
    if (dueAt > at) heldUntil.set(webhook.id, dueAt);
    const isHeld = dueAt > at && { dueAt, nextAttemptAt: timestamp(dueAt) };
    reservations.set(delivery, { ...isHeld, ...(!budget.reserveRetries(host, dueAt) && { reservesRetries: true }) });
  }
  const reserved = reservations.size > 0 ? budget.reserved : undefined;
  const written = plans.map(({ webhook, claim, deliveries, postponed }) => {
    const held = heldUntil.get(webhook.id) ?? 0;
    // An event that has its number from an earlier try may be held only now.
    const hold = held > (webhook.heldUntil ?? 0) ? { heldUntil: held } : undefined;
    const fields = (claim ?? hold) && { ...claim, ...hold };
    return {
      webhook,
      postponed,
      claim: fields && claimNumbers(webhook, fields, webhook.id === budgetWebhook.id ? reserved : undefined),
      deliveries: deliveries.map((delivery) => ({ ...delivery, ...reservations.get(delivery) })),
    };
  });
  const budgetClaim = written.find(({ webhook }) => webhook.id === budgetWebhook.id)?.claim;
  const reservation = reserved && (budgetClaim ?? reserve(budgetWebhook, reserved));
  return written.map((plan) => ({ ...plan, reservation }));
}

/** The messages to send, by event and then by webhook. */
function inOrder(plans: readonly WebhookPlan[]) {
  return plans
    .flatMap(({ webhook, deliveries }) => deliveries.map((delivery) => ({ webhook, delivery })))
    .filter(({ delivery }) => delivery.state === 'pending')
    .sort((a, b) => a.delivery.eventId - b.delivery.eventId);
}

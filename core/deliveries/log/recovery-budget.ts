/**
 * Reserves the attempts of a recovery in the sending budget (docs/rules.md#sending-budget): one request causes
 * thousands of attempts, perhaps to a host that has never responded.
 */
import { env } from '../../env.ts';
import { set, type Write } from '../../store/write.ts';
import { webhooksOfBusiness } from '../../webhooks/registry/store.ts';
import { hostOf, type WebhookItem } from '../../webhooks/registry/webhook.ts';
import { takeNumbers } from '../model/delivery-record.ts';
import { SendingBudget } from '../model/sending-budget.ts';

export interface ReservedAttempts {
  /** The due time of each attempt, in epoch milliseconds. */
  readonly dueAt: readonly number[];
  /** At most two writes: they take the numbers of the webhook and reserve the attempts. */
  readonly writes: readonly Write[];
}

/**
 * Nothing is reserved until the writes are committed; they fail if another request reserves attempts concurrently. `at`
 * in epoch milliseconds.
 */
export async function attemptsToReserve(webhook: WebhookItem, count: number, at: number): Promise<ReservedAttempts> {
  const webhooks = await webhooksOfBusiness(webhook.tenantId);
  const [budgetWebhook = webhook] = webhooks;
  const budget = new SendingBudget(webhooks, at, env.timeScale());
  const dueAt = Array.from({ length: count }, () => budget.reserve(hostOf(webhook)));
  const { reservations } = budgetWebhook;
  const reserved = { ...budget.reserved, reservations: reservations + 1 };
  if (budgetWebhook.sk !== webhook.sk) {
    return {
      dueAt,
      writes: [takeNumbers(webhook, count), set('deliveries', budgetWebhook, reserved, { reservations })],
    };
  }
  const { lastNumber } = webhook;
  const fields = { lastNumber: lastNumber + count, ...reserved };
  return { dueAt, writes: [set('deliveries', webhook, fields, { lastNumber, reservations })] };
}

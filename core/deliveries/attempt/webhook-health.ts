/**
 * Since when a webhook fails, and what of it an operator is told (docs/rules.md#disabling, #operational-events). Values
 * in, values out.
 */
import { timestamp } from '../../clock.ts';
import { type OperationalEvent, raiseOperational } from '../../events/event.ts';
import { modeOf } from '../../mode.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type Failures, type HealthChange, type HealthTurn, turnsOf, type Written } from '../model/state.ts';

/** An attempt that ended, as far as it tells how its receiver does. */
export interface Ended {
  readonly written: Written;
  readonly failures: Failures;
  readonly endedAt: number;
}

/** Nothing was sent where the webhook was off, so nothing is known. */
export function wasMade({ written }: Ended): boolean {
  return written.record.errorCode !== 'webhook_disabled';
}

const succeeded = ({ written }: Ended) => written.record.deliveryStatus === 'success';

/** When the first failed attempt after the last success ended, once these attempts have. */
function failingSince(before: string | null, attempts: readonly Ended[]): string | null {
  return attempts
    .filter(wasMade)
    .reduce<string | null>((since, one) => (succeeded(one) ? null : (since ?? timestamp(one.endedAt))), before);
}

export const healthFields = ['status', 'consecutiveFailures', 'failingSince', 'disabledAt'] as const;
export type WebhookHealth = Pick<WebhookItem, (typeof healthFields)[number]>;

/** Whether an attempt says nothing new of its webhook. */
export function leavesHealthAsIs(webhook: WebhookHealth, attempt: Ended): boolean {
  const since = webhook.failingSince ?? null;
  const isBack = turnsOf(webhook, [attempt.failures]).length > 0;
  return !isBack && failingSince(since, [attempt]) === since;
}

export interface WebhookChange {
  readonly set: Partial<WebhookHealth>;
  /** What must still hold of the webhook when `set` is written: what was decided on, as far as it mattered. */
  readonly expected: Partial<WebhookHealth>;
  readonly turns: readonly HealthTurn[];
}

/** What attempts of one webhook change in it beside its health, in their order. */
export function webhookChange(webhook: WebhookHealth, attempts: readonly Ended[], health: HealthChange): WebhookChange {
  const made = attempts.filter(wasMade);
  const turns = turnsOf(
    webhook,
    attempts.map(({ failures }) => failures),
  );
  const last = turns.findLast((turn) => turn !== 'failing');
  const { status, consecutiveFailures, disabledAt } = webhook;
  return {
    set: {
      ...(made.length > 0 && { failingSince: failingSince(webhook.failingSince ?? null, made) }),
      ...(last && { disabledAt: last === 'disabled' ? timestamp(endOf(attempts)) : null }),
    },
    expected: {
      ...health.expected,
      // A success forgets whatever was before it. A failure is the first one only after what was read.
      ...(made.some((one) => !succeeded(one)) && { failingSince: webhook.failingSince }),
      // Told once, of however many that succeed at once.
      ...(turns.length > 0 && { status, consecutiveFailures, disabledAt }),
    },
    turns,
  };
}

export function endOf(attempts: readonly Pick<Ended, 'endedAt'>[]): number {
  return Math.max(...attempts.map(({ endedAt }) => endedAt));
}

/** What the operator is told of these turns. `after` is the webhook once they are written. */
export function operationalEventsOf(
  { tenantId, id, keyId }: Pick<WebhookItem, 'tenantId' | 'id' | 'keyId'>,
  after: WebhookHealth,
  turns: readonly HealthTurn[],
  at: number,
): readonly OperationalEvent[] {
  const { status, consecutiveFailures, failingSince: since = null } = after;
  const data = {
    webhookId: id,
    apiKeyId: keyId,
    mode: modeOf(tenantId),
    status,
    consecutiveFailures,
    failingSince: since,
  };
  return turns.map((turn) => raiseOperational(tenantId, `webhook.${turn}`, data, at));
}

/**
 * Since when a webhook fails, and which operational events follow (docs/rules.md#disabling, #operational-events). Values
 * in, values out.
 */
import { timestamp } from '../../clock.ts';
import { type OperationalEvent, raiseOperational } from '../../events/event.ts';
import { modeOf } from '../../mode.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type HealthChange, type HealthEvent, healthEvents, type Transition } from '../model/state.ts';

/** An attempt that ended, as far as it shows how its receiver does. */
interface EndedAttempt extends Pick<Required<Transition>, 'written' | 'failures'> {
  readonly endedAt: number;
}

/** Nothing was sent for a disabled webhook, so nothing is known of its receiver. */
export function wasMade({ written }: EndedAttempt): boolean {
  return written.record.errorCode !== 'webhook_disabled';
}

const succeeded = ({ written }: EndedAttempt) => written.record.deliveryStatus === 'success';

/** When the first failed attempt after the last success ended, once these attempts have. */
function failingSince(before: string | null, attempts: readonly EndedAttempt[]): string | null {
  return attempts
    .filter(wasMade)
    .reduce<string | null>((since, one) => (succeeded(one) ? null : (since ?? timestamp(one.endedAt))), before);
}

export const healthFields = ['status', 'consecutiveFailures', 'failingSince', 'disabledAt'] as const;
export type WebhookHealth = Pick<WebhookItem, (typeof healthFields)[number]>;
/** Written beside it, and decides nothing. */
type Shown = Pick<WebhookItem, 'recoveredAt'>;

/** Whether an attempt shows nothing new of its webhook. */
export function leavesHealthAsIs(webhook: WebhookHealth, attempt: EndedAttempt): boolean {
  const since = webhook.failingSince ?? null;
  const isBack = healthEvents(webhook, [attempt.failures]).length > 0;
  return !isBack && failingSince(since, [attempt]) === since;
}

interface WebhookChange {
  readonly set: Partial<WebhookHealth & Shown>;
  /** What must still hold of the webhook when `set` is written: what was decided on, as far as it mattered. */
  readonly expected: Partial<WebhookHealth>;
  readonly events: readonly HealthEvent[];
}

/** What attempts of one webhook change in it beside its health, in their order. */
export function webhookChange(
  webhook: WebhookHealth,
  attempts: readonly EndedAttempt[],
  health: HealthChange,
): WebhookChange {
  const made = attempts.filter(wasMade);
  const events = healthEvents(
    webhook,
    attempts.map(({ failures }) => failures),
  );
  const last = events.findLast((event) => event !== 'failing');
  const { status, consecutiveFailures, disabledAt } = webhook;
  return {
    set: {
      ...(made.length > 0 && { failingSince: failingSince(webhook.failingSince ?? null, made) }),
      ...(last && { disabledAt: last === 'disabled' ? timestamp(endOf(attempts)) : null }),
      ...(last === 'recovered' && { recoveredAt: timestamp(endOf(attempts)) }),
    },
    expected: {
      ...health.expected,
      // A success forgets whatever was before it. A failure is the first one only after what was read.
      ...(made.some((one) => !succeeded(one)) && { failingSince: webhook.failingSince }),
      // One of however many that succeed at once raises the event.
      ...(events.length > 0 && { status, consecutiveFailures, disabledAt }),
    },
    events,
  };
}

export function endOf(attempts: readonly Pick<EndedAttempt, 'endedAt'>[]): number {
  return Math.max(...attempts.map(({ endedAt }) => endedAt));
}

/** `after` is the webhook once the attempts are written. */
export function operationalEventsOf(
  { tenantId, id, keyId }: Pick<WebhookItem, 'tenantId' | 'id' | 'keyId'>,
  after: WebhookHealth,
  events: readonly HealthEvent[],
  attempts: readonly EndedAttempt[],
): readonly OperationalEvent[] {
  const lastFailure = attempts.findLast(({ failures }) => failures === 'count')?.written.record.errorCode ?? null;
  const { status, consecutiveFailures, failingSince: since = null } = after;
  const data = {
    webhookId: id,
    apiKeyId: keyId,
    mode: modeOf(tenantId),
    status,
    consecutiveFailures,
    failingSince: since,
  };
  return events.map((event) =>
    raiseOperational(
      tenantId,
      `webhook.${event}`,
      { ...data, errorCode: event === 'recovered' ? null : lastFailure },
      endOf(attempts),
    ),
  );
}

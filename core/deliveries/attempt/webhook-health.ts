/**
 * Computes since when a webhook has been failing, and which operational events follow (docs/rules.md#disabling,
 * #operational-events). Pure.
 */
import { limits } from '../../../contract/limits.ts';
import { timestamp } from '../../clock.ts';
import { type OperationalEvent, raiseOperational } from '../../events/event.ts';
import { modeOf } from '../../mode.ts';
import { below, type Expected } from '../../store/expected.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type HealthEvent, health, healthChange, healthEvents, type Transition } from '../model/state.ts';

/** The part of an ended attempt that shows whether the receiver works. */
interface EndedAttempt extends Pick<Required<Transition>, 'written' | 'failures'> {
  readonly endedAt: number;
}

/** False for an attempt of a disabled webhook: no request was sent, so it shows nothing about the receiver. */
export function wasSent({ written }: EndedAttempt): boolean {
  return written.record.errorCode !== 'webhook_disabled';
}

const succeeded = ({ written }: EndedAttempt) => written.record.deliveryStatus === 'success';

/** The end of the first failed attempt after the last success, with these attempts included. */
function failingSince(before: string | null, attempts: readonly EndedAttempt[]): string | null {
  return attempts
    .filter(wasSent)
    .reduce<string | null>((since, one) => (succeeded(one) ? null : (since ?? timestamp(one.endedAt))), before);
}

export const healthFields = ['status', 'consecutiveFailures', 'failingSince', 'disabledAt'] as const;
export type WebhookHealth = Pick<WebhookItem, (typeof healthFields)[number]>;
/** A field that is written with the health and that no decision reads. */
type Shown = Pick<WebhookItem, 'recoveredAt'>;

/** Whether an attempt changes nothing in its webhook, so that the webhook need not be written. */
export function leavesAsIs(webhook: WebhookHealth, attempt: EndedAttempt): boolean {
  const { status, consecutiveFailures } = health(webhook, attempt.failures);
  if (status !== webhook.status || consecutiveFailures !== webhook.consecutiveFailures) return false;
  const since = webhook.failingSince ?? null;
  const isBack = healthEvents(webhook, [attempt.failures]).length > 0;
  return !isBack && failingSince(since, [attempt]) === since;
}

interface WebhookChange {
  readonly set: Partial<WebhookHealth & Shown>;
  /** The condition for writing `set`: the fields on which the decision depended must not have changed. */
  readonly expected: Expected;
  readonly events: readonly HealthEvent[];
}

/** The changes that attempts of one webhook make in it, in their order. */
export function webhookChange(webhook: WebhookHealth, attempts: readonly EndedAttempt[]): WebhookChange {
  const counted = attempts.filter(wasSent);
  const failures = attempts.map((one) => one.failures);
  const change = healthChange(webhook, failures);
  const events = healthEvents(webhook, failures);
  const last = events.findLast((event) => event !== 'failing');
  const { status, consecutiveFailures, disabledAt } = webhook;
  return {
    set: {
      ...change.set,
      ...(counted.length > 0 && { failingSince: failingSince(webhook.failingSince ?? null, counted) }),
      ...(last && { disabledAt: last === 'disabled' ? timestamp(endOf(attempts)) : null }),
      ...(last === 'recovered' && { recoveredAt: timestamp(endOf(attempts)) }),
    },
    expected: {
      // If `webhook.failing` was raised concurrently, a success must raise `webhook.recovered`.
      ...(status === 'active' &&
        failures.includes('reset') && { consecutiveFailures: below(limits.failedDeliveriesToWarn) }),
      ...change.expected,
      // A success ends all earlier failures. A failure is the first one only if none was stored before.
      ...(counted.some((one) => !succeeded(one)) && { failingSince: webhook.failingSince }),
      // If several attempts succeed at once, only one raises the event.
      ...(events.length > 0 && { status, consecutiveFailures, disabledAt }),
    },
    events,
  };
}

export function endOf(attempts: readonly Pick<EndedAttempt, 'endedAt'>[]): number {
  return Math.max(...attempts.map(({ endedAt }) => endedAt));
}

/** `after` is the webhook with the changes of the attempts. */
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

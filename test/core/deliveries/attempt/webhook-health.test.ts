/** Since when a webhook fails, and what is reported of it, as values (docs/rules.md#disabling, #operational-events). */
import { expect, test } from 'vitest';
import {
  type EndedAttempt,
  endOf,
  type WebhookHealth,
  webhookChange,
} from '../../../../core/deliveries/attempt/webhook-health.ts';
import { type Failures, healthChange } from '../../../../core/deliveries/model/state.ts';

const failingSince = '2026-12-01T04:00:00.000Z';
const disabledAt = '2026-12-01T03:00:00.000Z';

/** An attempt that ended at `endedAt`. */
function ended(deliveryStatus: 'success' | 'failed', failures: Failures, endedAt = 5): EndedAttempt {
  const record = { deliveryStatus, errorCode: null } as EndedAttempt['written']['record'];
  return { written: { record, delivery: { state: deliveryStatus, attempts: 1, dueAt: 0 } }, failures, endedAt };
}

const changeOf = (webhook: WebhookHealth, attempts: readonly EndedAttempt[]) =>
  webhookChange(
    webhook,
    attempts,
    healthChange(
      webhook,
      attempts.map(({ failures }) => failures),
    ),
  );

test('A disabled webhook that fails again has not recovered, and recovers with its first success', () => {
  const webhook: WebhookHealth = { status: 'active', consecutiveFailures: 2, failingSince, disabledAt };
  const { set, events } = changeOf(webhook, [ended('failed', 'count')]);
  expect(events).toEqual(['failing']);
  expect(set).toEqual({ failingSince });
  const mended = { ...webhook, consecutiveFailures: 0, ...set };
  expect(changeOf(mended, [ended('success', 'reset')])).toMatchObject({
    set: { failingSince: null, disabledAt: null },
    events: ['recovered'],
  });
});

test('A failure after a success begins a new period of failing', () => {
  const webhook: WebhookHealth = { status: 'active', consecutiveFailures: 0, failingSince: null };
  const attempts = [ended('success', 'reset'), ended('failed', 'keep', 9)];
  expect(changeOf(webhook, attempts)).toMatchObject({
    set: { failingSince: '1970-01-01T00:00:00.009Z' },
    expected: { failingSince: null },
  });
  expect(changeOf(webhook, attempts.slice(0, 1)).expected).not.toHaveProperty('failingSince');
});

test('A group of attempts ends when its last attempt ends', () => {
  expect(endOf([{ endedAt: 2 }, { endedAt: 3 }, { endedAt: 1 }])).toBe(3);
});

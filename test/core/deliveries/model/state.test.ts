import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import type { DeliveryState } from '../../../../core/deliveries/model/delivery-record.ts';
import { healthEvents, nextStepOf, transitionOf } from '../../../../core/deliveries/model/state.ts';
import { ok, platformFault, refused } from '../../../support/answers.ts';

const at = Date.UTC(2026, 10, 24, 8);
const delivery = (attempts: number): DeliveryState => ({
  state: attempts === 0 ? 'pending' : 'retrying',
  attempts,
  dueAt: at,
});
const attempts = Array.from({ length: limits.deliveryAttempts }, (_, i) => i + 1);

test('A queue message starts a delivery attempt only if this attempt is the next one of its delivery', () => {
  expect(nextStepOf(delivery(2), 3)).toBe('attempt');
  for (const attempt of [1, 2, 4]) expect(nextStepOf(delivery(2), attempt)).toBe('other attempt');
});

test.each([200, 299])(
  'A response with status %i to any attempt makes the delivery a success, and resets the failure counter of the webhook',
  (status) => {
    const outcome = { ...ok, status };
    for (const attempt of attempts) {
      expect(transitionOf(delivery(attempt - 1), outcome, at, 1)).toMatchObject({
        written: {
          record: { deliveryStatus: 'success', responseStatusCode: status, errorCode: null, nextAttemptAt: null },
          delivery: { state: 'success', attempts: attempt, dueAt: at },
        },
        failures: 'reset',
        next: { kind: 'stop' },
      });
    }
  },
);

test.each([199, 300])(
  'After a response with status %i, a delivery is tried again on schedule, and fails only with the sixth attempt',
  (status) => {
    const outcome = { ...refused, status };
    const record = { errorCode: 'http_status', responseStatusCode: status, responseTimeMs: 8, responseBody: 'oops' };
    for (const attempt of attempts.slice(0, -1)) {
      const dueAt = at + (limits.retryDelaysSeconds[attempt - 1] ?? Number.NaN) * 1_000;
      expect(transitionOf(delivery(attempt - 1), outcome, at, 1)).toMatchObject({
        written: {
          record: { ...record, deliveryStatus: 'retrying', nextAttemptAt: new Date(dueAt).toISOString() },
          delivery: { state: 'retrying', attempts: attempt, dueAt },
        },
        failures: 'keep',
        next: { kind: 'send', attempt: attempt + 1, dueAt, delaySeconds: Math.min(900, (dueAt - at) / 1_000) },
      });
    }
    expect(transitionOf(delivery(5), outcome, at, 1)).toMatchObject({
      written: { record: { ...record, deliveryStatus: 'failed', nextAttemptAt: null }, delivery: { attempts: 6 } },
      failures: 'count',
      next: { kind: 'stop' },
    });
  },
);

test('A redelivery that fails because of a fault of the platform is repeated', () => {
  const manual = { ...delivery(3), trigger: 'manual' } as const;
  expect(transitionOf(manual, platformFault, at, 1)).toMatchObject({ next: { kind: 'send', attempt: 4 } });
});

const reactivated = { status: 'active', consecutiveFailures: 0, disabledAt: '2026-11-24T08:00:00.000Z' } as const;

test.each<[string, Parameters<typeof healthEvents>[0], Parameters<typeof healthEvents>[1], string[]]>([
  [
    'The first successful delivery of a reactivated webhook raises webhook.recovered, and further ones raise no event',
    reactivated,
    ['keep', 'reset', 'reset'],
    ['recovered'],
  ],
  [
    'Two failed deliveries of a reactivated webhook raise no event about the webhook',
    reactivated,
    ['count', 'keep', 'count'],
    [],
  ],
  [
    'If a reactivated webhook is disabled again, a late success raises no event about the webhook',
    { ...reactivated, consecutiveFailures: 3 },
    ['count', 'count', 'reset'],
    ['disabled'],
  ],
])('%s', (_, webhook, marks, events) => {
  expect(healthEvents(webhook, marks)).toEqual(events);
});

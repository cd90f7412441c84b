import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import type { DeliveryState } from '../../../../core/deliveries/model/delivery-record.ts';
import {
  type AttemptOutcome,
  health,
  healthEvents,
  nextStepOf,
  transitionOf,
} from '../../../../core/deliveries/model/state.ts';
import { ok, platformFault, refused } from '../../../support/answers.ts';

const at = Date.UTC(2026, 10, 24, 8);
const delivery = (attempts: number): DeliveryState => ({
  state: attempts === 0 ? 'pending' : 'retrying',
  attempts,
  dueAt: at,
});
const attempts = Array.from({ length: limits.deliveryAttempts }, (_, i) => i + 1);

test('A queue message starts a delivery attempt only if this attempt is the next one of its delivery', () => {
  expect(nextStepOf(delivery(0), 1)).toBe('attempt');
  expect(nextStepOf(delivery(2), 3)).toBe('attempt');
  for (const attempt of [1, 2, 4]) expect(nextStepOf(delivery(2), attempt)).toBe('other attempt');
});

test.each([200, 201, 204, 299])(
  'If any attempt of a delivery gets a response with status %i, the delivery ends as a success and the failure counter of its webhook is reset',
  (status) => {
    for (const attempt of attempts) {
      expect(transitionOf(delivery(attempt - 1), { ...ok, status } as AttemptOutcome, at, 1)).toMatchObject({
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

const timeout = { ...platformFault, errorCode: 'timeout', message: 'No answer.', platformFault: false };
const noResponse = { responseStatusCode: 0, responseTimeMs: 0, responseBody: null };

test.each<[string, object, object]>([
  ['a response with status 500', refused, { responseStatusCode: 500, responseTimeMs: 8, responseBody: 'oops' }],
  ['a redirect', { ...refused, status: 302 }, { responseStatusCode: 302 }],
  ['a response with status 199', { ...refused, status: 199 }, { responseStatusCode: 199 }],
  ['no response', timeout, { errorCode: 'timeout', errorMessage: 'No answer.', ...noResponse }],
])(
  'An attempt of a delivery that gets %s is followed by the next attempt on schedule, and only the sixth attempt counts as a failed delivery',
  (_, outcome, shown) => {
    const record = { errorCode: 'http_status', ...shown };
    for (const attempt of attempts.slice(0, -1)) {
      const dueAt = at + (limits.retryDelaysSeconds[attempt - 1] ?? Number.NaN) * 1_000;
      expect(transitionOf(delivery(attempt - 1), outcome as AttemptOutcome, at, 1)).toMatchObject({
        written: {
          record: { ...record, deliveryStatus: 'retrying', nextAttemptAt: new Date(dueAt).toISOString() },
          delivery: { state: 'retrying', attempts: attempt, dueAt },
        },
        failures: 'keep',
        next: { kind: 'send', attempt: attempt + 1, dueAt, delaySeconds: Math.min(900, (dueAt - at) / 1_000) },
      });
    }
    expect(transitionOf(delivery(5), outcome as AttemptOutcome, at, 1)).toMatchObject({
      written: { record: { ...record, deliveryStatus: 'failed', nextAttemptAt: null }, delivery: { attempts: 6 } },
      failures: 'count',
      next: { kind: 'stop' },
    });
  },
);

test('If the platform fails during an attempt of a delivery, this attempt is repeated without being counted', () => {
  for (const attempt of attempts) {
    for (const outcome of [platformFault, { kind: 'fault' } as const]) {
      expect(transitionOf(delivery(attempt - 1), outcome, at + 1_000, 1)).toEqual({
        failures: 'keep',
        next: { kind: 'send', attempt, dueAt: at, delaySeconds: 30 },
      });
    }
  }
});

test('A redelivery that fails because of a fault of the platform is repeated', () => {
  const manual = { ...delivery(3), trigger: 'manual' } as const;
  expect(transitionOf(manual, platformFault, at, 1)).toMatchObject({ next: { kind: 'send', attempt: 4 } });
});

test('The failure counter of a disabled webhook does not increase', () => {
  const disabled = { status: 'failed', consecutiveFailures: 5 } as const;
  expect(health(disabled, 'count')).toEqual(disabled);
});

const failed = (times: number) => Array<'count'>(times).fill('count');
const fresh = { status: 'active', consecutiveFailures: 0 } as const;
const reactivated = { ...fresh, disabledAt: '2026-11-24T08:00:00.000Z' };
const failing = { ...reactivated, consecutiveFailures: 2 };

test.each<[string, Parameters<typeof healthEvents>[0], Parameters<typeof healthEvents>[1], string[]]>([
  [
    'Two failed deliveries in a row and a success raise no event about their webhook',
    fresh,
    [...failed(2), 'reset', 'reset'],
    [],
  ],
  [
    'Three failed deliveries in a row raise webhook.failing, and a later success raises webhook.recovered',
    fresh,
    [...failed(3), 'reset', 'reset'],
    ['failing', 'recovered'],
  ],
  [
    'Five failed deliveries in a row raise webhook.failing and webhook.disabled, and a late success raises no event',
    fresh,
    [...failed(5), 'reset'],
    ['failing', 'disabled'],
  ],
  [
    'Failed attempts that will be retried raise no event about their webhook',
    fresh,
    ['keep', 'count', 'keep', 'count', 'keep'],
    [],
  ],
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
    'A reactivated webhook that fails again and then works raises webhook.failing and webhook.recovered',
    failing,
    ['count', 'reset', 'reset'],
    ['failing', 'recovered'],
  ],
  [
    'If a reactivated webhook is disabled again, a late success raises no event about the webhook',
    { ...failing, consecutiveFailures: 3 },
    ['count', 'count', 'reset'],
    ['disabled'],
  ],
  [
    'Delivery attempts of a disabled webhook raise no event about the webhook',
    { ...reactivated, status: 'failed', consecutiveFailures: 5 },
    ['keep', 'count', 'reset', 'reset'],
    [],
  ],
])('%s', (_, webhook, marks, events) => {
  expect(healthEvents(webhook, marks)).toEqual(events);
});

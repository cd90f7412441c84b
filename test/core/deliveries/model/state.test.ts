import { describe, expect, test } from 'vitest';
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

test.each(attempts)(
  'If attempt %i of a delivery gets a 2xx response, the delivery ends as a success and the failure counter is reset',
  (attempt) => {
    for (const status of [200, 201, 204, 299]) {
      const settled = transitionOf(delivery(attempt - 1), { ...ok, status } as AttemptOutcome, at, 1);
      expect(settled).toMatchObject({
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

const failures: [string, AttemptOutcome, object][] = [
  [
    'a response with status 500',
    refused,
    { errorCode: 'http_status', responseStatusCode: 500, responseTimeMs: 8, responseBody: 'oops' },
  ],
  ['a redirect', { ...refused, status: 302 } as AttemptOutcome, { errorCode: 'http_status', responseStatusCode: 302 }],
  ['a response with status 199', { ...refused, status: 199 } as AttemptOutcome, { errorCode: 'http_status' }],
  [
    'no response',
    { ...platformFault, errorCode: 'timeout', message: 'No answer.', platformFault: false } as AttemptOutcome,
    { errorCode: 'timeout', errorMessage: 'No answer.', responseStatusCode: 0, responseTimeMs: 0, responseBody: null },
  ],
];
describe.each(failures)('state of a webhook: %s', (label, result, record) => {
  test.each(attempts.slice(0, -1))(
    `If attempt %i of a delivery gets ${label}, the next attempt follows on schedule and no failed delivery is counted`,
    (attempt) => {
      const dueAt = at + (limits.retryDelaysSeconds[attempt - 1] ?? Number.NaN) * 1_000;
      expect(transitionOf(delivery(attempt - 1), result, at, 1)).toMatchObject({
        written: {
          record: { ...record, deliveryStatus: 'retrying', nextAttemptAt: new Date(dueAt).toISOString() },
          delivery: { state: 'retrying', attempts: attempt, dueAt },
        },
        failures: 'keep',
        next: { kind: 'send', attempt: attempt + 1, dueAt, delaySeconds: Math.min(900, (dueAt - at) / 1_000) },
      });
    },
  );

  test(`If the sixth attempt of a delivery gets ${label}, the delivery fails and counts once towards disabling the webhook`, () => {
    expect(transitionOf(delivery(5), result, at, 1)).toMatchObject({
      written: { record: { ...record, deliveryStatus: 'failed', nextAttemptAt: null }, delivery: { attempts: 6 } },
      failures: 'count',
      next: { kind: 'stop' },
    });
  });
});

test.each(attempts)(
  'If the platform fails during attempt %i of a delivery, nothing is recorded and this attempt is repeated',
  (attempt) => {
    for (const result of [platformFault, { kind: 'fault' } as const]) {
      expect(transitionOf(delivery(attempt - 1), result, at + 1_000, 1)).toEqual({
        failures: 'keep',
        next: { kind: 'send', attempt, dueAt: at, delaySeconds: 30 },
      });
    }
  },
);

test('A redelivery that fails because of a fault of the platform is repeated', () => {
  const manual = { ...delivery(3), trigger: 'manual' } as const;
  expect(transitionOf(manual, platformFault, at, 1)).toMatchObject({ next: { kind: 'send', attempt: 4 } });
});

const failed = (times: number) => Array<'count'>(times).fill('count');

test('A disabled webhook counts no further failures', () => {
  const disabled = { status: 'failed', consecutiveFailures: 5 } as const;
  expect(health(disabled, 'count')).toEqual(disabled);
});

const fresh = { status: 'active', consecutiveFailures: 0 } as const;

test.each<[string, Parameters<typeof healthEvents>[1], string[]]>([
  [
    'Two failed deliveries in a row and a success raise no event about their webhook',
    [...failed(2), 'reset', 'reset'],
    [],
  ],
  [
    'Three failed deliveries in a row raise an event that the webhook is failing, and a success one that it has recovered',
    [...failed(3), 'reset', 'reset'],
    ['failing', 'recovered'],
  ],
  [
    'Five failed deliveries in a row raise the events that the webhook is failing and disabled, and a late success none',
    [...failed(5), 'reset'],
    ['failing', 'disabled'],
  ],
  [
    'Failed delivery attempts that will be retried raise no event about their webhook',
    ['keep', 'count', 'keep', 'count', 'keep'],
    [],
  ],
])('%s', (_, marks, turns) => {
  expect(healthEvents(fresh, marks)).toEqual(turns);
});

test.each([
  ['is reported once, with its first success', 0, ['keep', 'reset', 'reset'], ['recovered']],
  ['is not reported while deliveries fail', 0, ['count', 'keep', 'count'], []],
  ['is reported after it was reported as failing', 2, ['count', 'reset', 'reset'], ['failing', 'recovered']],
  ['is not reported when the webhook is disabled again', 3, ['count', 'count', 'reset'], ['disabled']],
] as const)('The event that a reactivated webhook works again %s', (_, consecutiveFailures, marks, turns) => {
  const webhook = { status: 'active', consecutiveFailures, disabledAt: '2026-11-24T08:00:00.000Z' } as const;
  expect(healthEvents(webhook, marks)).toEqual(turns);
  expect(healthEvents({ ...webhook, status: 'failed', consecutiveFailures: 5 }, marks)).toEqual([]);
});

test('Delivery attempts change the state of a webhook in the same way whether they are recorded together or one by one', () => {
  const marks = [...failed(3), 'reset', ...failed(6)] as const;
  let webhook: Parameters<typeof health>[0] = fresh;
  const single = marks.flatMap((mark) => {
    const turns = healthEvents(webhook, [mark]);
    webhook = health(webhook, mark);
    return turns;
  });
  expect(single).toEqual(healthEvents(fresh, marks));
  expect(single).toEqual(['failing', 'recovered', 'failing', 'disabled']);
});

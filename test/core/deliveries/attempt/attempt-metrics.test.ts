/** The metrics of a batch of attempts, which alarms and dashboards use. */
import { expect, test } from 'vitest';
import { firstIdAt } from '../../../../core/clock.ts';
import type { Attempt } from '../../../../core/deliveries/attempt/attempt.ts';
import { attemptMetrics } from '../../../../core/deliveries/attempt/attempt-metrics.ts';
import type { Next } from '../../../../core/deliveries/model/state.ts';
import { valuesPerLine } from '../../../../core/metrics.ts';
import { ok, platformFault, refused } from '../../../support/answers.ts';

const at = Date.UTC(2026, 11, 1, 5);
const stop: Next = { kind: 'stop' };
const again: Next = { kind: 'send', attempt: 2, dueAt: at, delaySeconds: 1 };
const unreached = { ...platformFault, errorCode: 'timeout', platformFault: false } as const;

/** An attempt for an event of the time `at`, begun 40 ms later. */
function ended(outcome: Attempt['outcome'], next: Next | undefined, change: object = {}, number = 1) {
  const attempt = {
    ref: { attempt: number },
    delivery: { deliveryId: 'dlv_1', eventId: firstIdAt(at) + 5 },
    outcome,
    startedAt: at + 40,
    ...change,
  };
  return { attempt: attempt as unknown as Attempt, next };
}

test('Metrics count delivery attempts by result, and failed attempts by error code', () => {
  const batch = [
    ended(ok, stop, { delivery: { deliveryId: 'dlv_2', eventId: firstIdAt(at), requestId: 'r-1' } }),
    ended(ok, stop, {}, 2),
    ended(refused, again),
    ended(unreached, again, {}, 3),
    ended(refused, stop, {}, 6),
  ];
  expect(attemptMetrics(batch)).toEqual({
    measured: {
      Count: { AttemptsSucceeded: 2, AttemptsRetrying: 2, AttemptsFailed: 1 },
      Milliseconds: { EventToFirstAttempt: [40, 40] },
    },
    properties: {
      errorCodes: { http_status: 2, timeout: 1 },
      attempts: [
        { requestId: 'r-1', deliveryId: 'dlv_2', attempt: 1, end: 'delivered' },
        { deliveryId: 'dlv_1', attempt: 2, end: 'delivered' },
        { deliveryId: 'dlv_1', attempt: 1, end: 'refused', errorCode: 'http_status' },
        { deliveryId: 'dlv_1', attempt: 3, end: 'refused', errorCode: 'timeout' },
        { deliveryId: 'dlv_1', attempt: 6, end: 'exhausted', errorCode: 'http_status' },
      ],
    },
  });
});

test('In metrics, a fault of the platform before, during or after a delivery attempt does not count against the receiver', () => {
  const batch = [ended(platformFault, again), ended({ kind: 'fault' }, again), ended(refused, undefined)];
  const metrics = attemptMetrics(batch, 1);
  expect(metrics?.measured).toEqual({ Count: { OwnFaults: 4 } });
  expect(metrics?.properties).toEqual({
    attempts: [
      { deliveryId: 'dlv_1', attempt: 1, end: 'platformFault', errorCode: 'dns_error' },
      { deliveryId: 'dlv_1', attempt: 1, end: 'platformFault' },
      { deliveryId: 'dlv_1', attempt: 1, end: 'platformFault', errorCode: 'http_status' },
    ],
  });
  expect(attemptMetrics([], 1)).toEqual({ measured: { Count: { OwnFaults: 1 } }, properties: { attempts: [] } });
});

test('In metrics, the delay from an event to its delivery is never negative, and a log line contains at most a hundred delays', () => {
  const early = ended(ok, stop, { startedAt: at - 1 });
  const late = Array.from({ length: valuesPerLine }, () => ended(ok, stop));
  expect(attemptMetrics([early, ...late])?.measured.Milliseconds).toEqual({
    EventToFirstAttempt: [0, ...Array(valuesPerLine - 1).fill(40)],
  });
});

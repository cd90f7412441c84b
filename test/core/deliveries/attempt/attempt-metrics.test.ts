/** What a batch of attempts is counted as: the numbers that alarms and dashboards look at. */
import { expect, test } from 'vitest';
import { firstIdAt } from '../../../../core/clock.ts';
import type { Attempt } from '../../../../core/deliveries/attempt/attempt.ts';
import { attemptMetrics, type Handled } from '../../../../core/deliveries/attempt/attempt-metrics.ts';
import type { Next } from '../../../../core/deliveries/model/state.ts';
import { valuesPerLine } from '../../../../core/metrics.ts';
import { ok, ours, refused } from '../../../support/pipeline.ts';

const at = Date.UTC(2026, 11, 1, 5);
const stop: Next = { kind: 'stop' };
const again: Next = { kind: 'send', attempt: 2, dueAt: at, delaySeconds: 1 };
const unreached = { ...ours, errorCode: 'timeout', ours: false } as const;

/** An attempt of an event of `at`, begun 40 ms later. */
function handled(result: Attempt['result'], next: Next | undefined, change: object = {}, attempt = 1): Handled {
  const made = {
    message: { attempt },
    delivery: { deliveryId: 'dlv_1', eventId: firstIdAt(at) + 5 },
    result,
    startedAt: at + 40,
    ...change,
  };
  return { made: made as unknown as Attempt, next };
}

test('a batch in which nothing was due says nothing', () => {
  expect(attemptMetrics([])).toBeUndefined();
  expect(attemptMetrics([{ next: stop }, { next: again }])).toBeUndefined();
});

test('attempts are counted by how they ended, failures by their code, and each is named', () => {
  const batch = [
    handled(ok, stop, { delivery: { deliveryId: 'dlv_2', eventId: firstIdAt(at), requestId: 'r-1' } }),
    handled(ok, stop, {}, 2),
    handled(refused, again),
    handled(unreached, again, {}, 3),
    handled(refused, stop, {}, 6),
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

test('a fault of our own, before an attempt, in it or at its record, charges no receiver', () => {
  const batch = [{}, handled(ours, again), handled({ kind: 'fault' }, again), handled(refused, undefined)];
  const metrics = attemptMetrics(batch);
  expect(metrics?.measured).toEqual({ Count: { OwnFaults: 4 } });
  expect(metrics?.properties).toEqual({
    attempts: [
      { deliveryId: 'dlv_1', attempt: 1, end: 'ours', errorCode: 'dns_error' },
      { deliveryId: 'dlv_1', attempt: 1, end: 'ours' },
      { deliveryId: 'dlv_1', attempt: 1, end: 'ours', errorCode: 'http_status' },
    ],
  });
  expect(attemptMetrics([{}])).toEqual({ measured: { Count: { OwnFaults: 1 } }, properties: { attempts: [] } });
});

test('what fell due in vain is named and counts nothing', () => {
  expect(attemptMetrics([handled({ kind: 'disabled' }, stop)])).toEqual({
    measured: {},
    properties: { attempts: [{ deliveryId: 'dlv_1', attempt: 1, end: 'disabled', errorCode: 'webhook_disabled' }] },
  });
});

test('no event waited for less than no time, and a line holds as many waits as CloudWatch takes', () => {
  const early = handled(ok, stop, { startedAt: at - 1 });
  const late = Array.from({ length: valuesPerLine }, () => handled(ok, stop));
  expect(attemptMetrics([early, ...late])?.measured.Milliseconds).toEqual({
    EventToFirstAttempt: [0, ...Array(valuesPerLine - 1).fill(40)],
  });
});

/** Statistics of a webhook's attempts (docs/rules.md#statistics), whether the sweeper has counted them or not. */

import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { hourMs, newId, setRuntime, timestamp } from '../../../../core/clock.ts';
import { type Hours, noCounts, packHours } from '../../../../core/deliveries/statistics/hours.ts';
import { getWebhookStatistics } from '../../../../core/deliveries/statistics/webhook-statistics.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { type CountCheckpoint, registrationOf } from '../../../../core/webhooks/registry/registration.ts';
import { newWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { testNow, useTestBusiness } from '../../../support/test-business.ts';
import { countedRecord } from './counted-record.ts';

useTestBusiness();

const hour = testNow / hourMs;
const dayMs = 24 * hourMs;
const days = limits.webhookStatisticsDays;
const packed = (...hours: readonly (readonly [hour: number, successes: number])[]) =>
  packHours(new Map(hours.map(([at, successes]) => [at, { ...noCounts(), successes }])) as Hours);

/** A webhook with this checkpoint of the sweeper. */
async function counted(checkpoint: CountCheckpoint = {}) {
  const key = keyPrincipal(newId(), newId());
  const webhook = await newWebhook(key.tenantId, key.id);
  await put('deliveries', { ...registrationOf(webhook), ...checkpoint });
  const record = (id: number, change: object = {}) =>
    put('deliveries', {
      ...deliveries.record(webhook.id, id),
      ...{ id, ...countedRecord({ createdAt: timestamp(testNow - 1_000), sentAt: testNow - 1, responseTimeMs: 0 }) },
      ...change,
    });
  const segment = (since: number, hours: Uint8Array) =>
    put('deliveries', { ...deliveries.segment(webhook.id, since), hours });
  const ask = (query: { from?: string; to?: string } = {}) => getWebhookStatistics(key, webhook, query);
  const hoursShown = async (query: { from?: string; to?: string } = {}) =>
    (await ask(query)).data.map(({ hour, successes }) => [Date.parse(hour) / hourMs, successes]);
  return { key, webhook, record, segment, ask, hoursShown };
}

test('Webhook statistics show every attempt in the hour in which it was sent, even before a scheduled job has counted it', async () => {
  const from = testNow - dayMs;
  const { record, segment, ask } = await counted({
    countedThrough: 4,
    waiting: [1, 2, 4],
    hours: packed([hour - 2, 1]),
    countedAt: testNow,
  });
  await segment(from, packed([hour - 2, 10]));
  await segment(testNow - 1, packed([hour - 3, 100]));
  await segment(from - 1, packed([hour - 1, 1_000]));
  await segment(testNow, packed([hour - 1, 2_000]));
  const failed = { deliveryStatus: 'failed', errorCode: 'http_status', responseStatusCode: 500, responseTimeMs: 0 };
  await record(1, failed);
  await record(2, { deliveryStatus: 'pending' });
  await record(3, failed);
  await record(5, { ...failed, errorCode: 'timeout', responseStatusCode: 0, responseTimeMs: 9_000 });
  await record(6, { deliveryStatus: 'failed', errorCode: 'webhook_disabled', sentAt: undefined });
  await record(7, { trigger: 'ping' });
  // An attempt counts in the hour in which it was sent.
  await record(8, { createdAt: timestamp(testNow - 2 * hourMs) });
  await record(9, { ...failed, deliveryStatus: 'retrying', errorCode: 'connect_error' });
  await record(11, { ...failed, deliveryStatus: 'retrying' });
  const none = {
    attempts: 0,
    successes: 0,
    failures: 0,
    failuresByCode: [],
    skipped: 0,
    medianResponseTimeMs: null,
    p95ResponseTimeMs: null,
  };
  const last = {
    attempts: 5,
    successes: 1,
    failures: 4,
    failuresByCode: [
      { errorCode: 'http_status', count: 2 },
      { errorCode: 'connect_error', count: 1 },
      { errorCode: 'timeout', count: 1 },
    ],
    skipped: 1,
    medianResponseTimeMs: 0,
    p95ResponseTimeMs: 0,
  };
  expect(await ask()).toEqual({
    data: [
      { ...none, hour: timestamp(testNow - 3 * hourMs), attempts: 100, successes: 100 },
      { ...none, hour: timestamp(testNow - 2 * hourMs), attempts: 11, successes: 11 },
      { ...last, hour: timestamp(testNow - hourMs) },
    ],
    summary: { ...last, attempts: 116, successes: 112 },
    countedUntil: timestamp(testNow),
  });
});

test('A request for webhook statistics counts up to two hundred new records, and returns until when all are counted', async () => {
  const { record, ask } = await counted();
  const count = limits.recordsCountedPerAnswer;
  for (let id = 1; id <= count + 1; id++) await record(id, { createdAt: timestamp(testNow - 1_000 + id) });
  const { summary, countedUntil } = await ask();
  expect([summary.successes, countedUntil]).toEqual([count, timestamp(testNow - 1_000 + count)]);
});

test.each([
  ['300 wait: not counted', 300, 0, testNow - 1_000],
  ['299 and a ping wait: counted', 299, 1, testNow],
])('While 300 deliveries wait, webhook statistics count no newer ones (%s)', async (_, length, successes, until) => {
  const waiting = Array.from({ length }, (_, i) => i + 1);
  const { record, ask } = await counted({ countedThrough: length, waiting, countedAt: testNow });
  await record(300, { trigger: 'ping', deliveryStatus: 'pending' });
  await record(301);
  const { summary, countedUntil } = await ask();
  expect([summary.successes, countedUntil]).toEqual([successes, timestamp(until)]);
});

test.each([
  ['the last 24 hours if no period is requested', 0, undefined, undefined, [-24, -23, -1]],
  ['the 24 hours before the end of a period without a beginning', 0, undefined, -1 * hourMs, [-25, -24, -23]],
  ['the hour in which the requested period ends', 0, -hourMs, 1, [-1, 0]],
  ['the hour in which the requested period begins', 0, -24 * hourMs - 1, -24 * hourMs, [-25]],
  ['only one hour if the requested period is exactly this hour', 0, -24 * hourMs, -23 * hourMs, [-24]],
  ['no hour if the requested period is empty', 0, 0, 0, []],
  ['the whole hour around a shorter requested period', 1, -hourMs + 5, -hourMs + 6, [-1]],
  ['no hour that began more than thirty days ago', 1, -days * dayMs + 1, 0, [-719, -25, -24, -23, -1]],
  ['all hours of a requested period of exactly thirty days', 0, -days * dayMs, 0, [-720, -719, -25, -24, -23, -1]],
  ['no hour of a period that ended thirty days ago', 0, -(days + 1) * dayMs, -days * dayMs, []],
])('Webhook statistics contain the hours of the requested period (%s)', async (_, after, from, to, expected) => {
  const hours = [-721, -720, -719, -25, -24, -23, -1, 0];
  const { hoursShown } = await counted({ hours: packed(...hours.map((back) => [hour + back, 1] as const)) });
  setRuntime({ now: () => testNow + after });
  const period = {
    ...(from !== undefined && { from: timestamp(testNow + from) }),
    ...(to !== undefined && { to: timestamp(testNow + to) }),
  };
  expect((await hoursShown(period)).map(([at = 0]) => at - hour)).toEqual(expected);
});

test('Webhook statistics leave out hours that ended before the requested period', async () => {
  const { segment, hoursShown } = await counted({ countedAt: testNow - dayMs, hours: packed([hour - 1, 1]) });
  await segment(testNow - 2 * dayMs, packed([hour - 1, 10]));
  expect(await hoursShown({ from: timestamp(testNow - dayMs) }), 'the mark is as old as the period').toEqual([
    [hour - 1, 1],
  ]);
  expect(await hoursShown({ from: timestamp(testNow - 3 * dayMs), to: timestamp(testNow) })).toEqual([[hour - 1, 11]]);
});

test('A request for webhook statistics with a reversed or too long period is refused, and an unknown webhook gets 404', async () => {
  const { key, ask } = await counted();
  const refused = (query: object) => ask(query).catch((error: unknown) => error);
  expect(await refused({ from: timestamp(testNow), to: timestamp(testNow - 1) })).toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'to', message: 'must not be before from' }] },
  });
  expect(await refused({ from: timestamp(testNow - days * dayMs - 1), to: timestamp(testNow) })).toMatchObject({
    code: 'range_too_large',
    message: 'The range is longer than 30 days.',
  });
  const { pk, sk, ...unlisted } = await newWebhook(key.tenantId, key.id);
  await put('deliveries', { ...unlisted, pk, sk, shard: 1_000 });
  await expect(getWebhookStatistics(key, unlisted, {})).rejects.toMatchObject({ code: 'not_found' });
});

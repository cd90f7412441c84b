/** Attempts that are not in the sending budget reserve a part of it, or wait for it (docs/rules.md#sending-budget). */
import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { deliver } from '../../../../core/deliveries/attempt/deliver.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import { set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import { duringTest } from '../../../support/during-test.ts';
import { interfering, withoutConditions } from '../../../support/interfere.ts';
import { context, ok, type Post, refused } from '../../../support/pipeline.ts';
import {
  changeWebhook,
  mostInAMinute,
  newOwnWebhook,
  newWebhook,
  put,
  recordsOf,
  webhookNow,
} from '../../../support/pipeline-state.ts';
import { plannedMessages } from '../../../support/planned-messages.ts';
import { scriptTest } from '../../../support/script-test.ts';
import type { Call } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const injected = vi.hoisted(() => ({ sendsOn: false }));
vi.mock(import('../../../../core/deliveries/attempt/reserve.ts'), async (original) => {
  const real = await original();
  return { ...real, isUnreserved: (...args) => !injected.sendsOn && real.isUnreserved(...args) };
});

vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
const begin = usePipeline();
const { business: perBusiness, unansweredHost: perHost } = limits.attemptsPerMinute;
const minuteMs = 60_000;
const events = perHost + 10;
const newUrl = 'http://127.0.0.1:9009/hooks';

/**
 * A webhook has open deliveries to a host that has responded, and moves to another: the first request there for each.
 * `open`: they were refused and wait for their retry, or exceed the business's budget and wait for their first attempt.
 */
async function movedPosts(open: 'refused' | 'held', answersNow = false): Promise<readonly Post[]> {
  const pipeline = begin({
    answer: ({ request }) => (request.url === newUrl && answersNow ? ok : refused),
    sweeper: false,
  });
  const { key, id, tenantId, webhook } = await newOwnWebhook();
  if (open === 'held')
    await put('deliveries', { ...webhook, sends: [Math.floor(pipeline.now / minuteMs), perBusiness] });
  await pipeline.raiseMany(tenantId, events);
  await pipeline.run(pipeline.now + 10_000);
  expect(pipeline.posts).toHaveLength(open === 'held' ? 0 : events);
  await updateWebhook(key, id, { targetUrl: newUrl });
  await pipeline.run();
  const there = pipeline.posts.filter(({ request }) => request.url === newUrl);
  const firsts = [...Map.groupBy(there, ({ deliveryId }) => deliveryId).values()].flatMap(([first]) => first ?? []);
  expect(firsts).toHaveLength(events);
  expect((await recordsOf(webhook.id)).filter(({ state }) => state === 'pending' || state === 'retrying')).toEqual([]);
  return firsts;
}

const timesOf = (posts: readonly Post[]) => posts.map(({ at }) => at);

const openDeliveries = [
  ['failed at the former host', 'refused'],
  ['waited for their first attempt', 'held'],
] as const;

test.each(openDeliveries)(
  "A webhook's new host that only returns errors gets at most 60 new messages a minute (messages that %s)",
  async (_, open) => {
    expect(mostInAMinute(timesOf(await movedPosts(open)))).toBeLessThanOrEqual(perHost);
  },
);

test.each(openDeliveries)(
  'Negative control: without the sending limit, a new host gets more than 60 new messages a minute (messages that %s)',
  async (_, open) => {
    duringTest(injected, { sendsOn: true });
    expect(mostInAMinute(timesOf(await movedPosts(open)))).toBeGreaterThan(perHost);
  },
);

test('If a webhook is deleted just before its retry is counted towards the sending limit, the retry is not sent', async () => {
  const pipeline = begin({ answer: () => refused, sweeper: false });
  const { key, id, tenantId } = await newOwnWebhook();
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now + 10_000);
  await updateWebhook(key, id, { targetUrl: newUrl });
  let deletions = 0;
  const budgetRead = ({ operation }: Call) => operation === 'Query';
  scriptTest([{ when: budgetRead, nth: 1, before: () => deleteWebhook(key, id).then(() => ++deletions) }]);
  await pipeline.run();
  expect([deletions, pipeline.posts.length]).toEqual([1, 1]);
});

test('If another process has made one of several delayed attempts, the others wait only until the next minute', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 3);
  const hostSends = { 'receiver.example': [Math.floor(pipeline.now / minuteMs), perHost] };
  await changeWebhook(webhook, { movedAfter: 3, answeredHost: 'other', hostSends });
  const made = () => writeOne(set('deliveries', deliveries.record(webhook.id, 1), { attempts: 1, state: 'success' }));
  const batches = messages.map((message) => [message]);
  const ends = await interfering({ when: () => true, first: made }, () =>
    Promise.allSettled(deliver(batches, context)),
  );
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  const waiting = pipeline.queues.retries.take().flatMap(parseDeliveryBatch);
  expect(waiting).toMatchObject([2, 3].map((number) => ({ number, isSlow: true })));
  for (const { dueAt } of waiting) expect(dueAt).toBeLessThan(pipeline.now + 2 * minuteMs);
});

test.each([
  ['Two processes that send webhook messages at the same moment share one sending limit', undefined, 1],
  [
    'Negative control: if a process overwrites the message count of another, both together exceed the sending limit',
    withoutConditions,
    2,
  ],
] as const)('%s', async (_, instead, sent) => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 2);
  const hostSends = { 'receiver.example': [Math.floor(pipeline.now / minuteMs), perHost - 1] };
  await changeWebhook(webhook, { movedAfter: 2, answeredHost: 'other', hostSends });
  const send = vi.fn(async () => refused);
  const process = (i: number) => () => Promise.allSettled(deliver([messages.slice(i, i + 1)], context, send));
  await interfering({ when: () => true, first: process(1), instead }, process(0));
  expect(send).toHaveBeenCalledTimes(sent);
});

test('A change of only the port or path in the URL of a webhook does not reduce its sending limit', async () => {
  begin();
  const { key, id, webhook } = await newOwnWebhook({ targetUrl: 'http://127.0.0.1:9008/former' });
  await updateWebhook(key, id, { targetUrl: newUrl });
  expect(await webhookNow(webhook)).not.toHaveProperty('movedAfter');
});

test('Deliveries that waited during a change of host are not delayed further once the new host has responded with 2xx', async () => {
  const posts = await movedPosts('refused', true);
  const [first, last] = [posts[0]?.at ?? 0, posts.at(-1)?.at ?? 0];
  expect(last - first).toBeLessThan(3 * minuteMs);
});

test('A delivery to the new host of a webhook is not delayed if this host has answered another webhook of the business', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 1);
  const hostSends = { 'receiver.example': [Math.floor(pipeline.now / minuteMs), perHost] };
  await changeWebhook(webhook, { movedAfter: 1, answeredHost: 'other', hostSends });
  await newWebhook(webhook.tenantId, webhook.keyId);
  const send = vi.fn(async () => ok);
  await Promise.all(deliver([messages], context, send));
  expect(send).toHaveBeenCalledOnce();
});

/** Events to a host that never responds, until all attempts are made. */
async function refusedEvents(count: number) {
  const pipeline = begin({ answer: () => refused, sweeper: false });
  const { tenantId, webhook } = await newOwnWebhook({ answeredHost: 'other' });
  await pipeline.raiseMany(tenantId, count);
  await pipeline.run(pipeline.now + 10_000);
  const planned = pipeline.dynamoCalls.length;
  return { pipeline, webhook, planned };
}

test('Below the sending limit, retries to a host that never responded with 2xx keep their schedule and cost no extra database call', async () => {
  const { pipeline, planned } = await refusedEvents(5);
  await pipeline.run();
  expect(new Set(pipeline.dynamoCalls.slice(planned))).not.toContain('Query');
  for (const posts of Map.groupBy(pipeline.posts, ({ deliveryId }) => deliveryId).values()) {
    const waits = posts.slice(1).map(({ at }, i) => Math.floor((at - (posts[i]?.at ?? 0)) / 1_000));
    expect(waits).toEqual([60, 300, 900, 3_600, 14_400]);
  }
});

test('Retries above the sending limit are delayed to later minutes, and none of them is lost or sent twice', async () => {
  const count = 3 * perHost;
  const { pipeline, webhook } = await refusedEvents(count);
  await pipeline.run(pipeline.now + 9 * minuteMs);
  const waiting = (await recordsOf(webhook.id)).filter(({ state }) => state === 'retrying');
  const isHeld = ({ reservedFor }: (typeof waiting)[number]) => reservedFor !== undefined;
  expect(waiting.filter(isHeld).length).toBeGreaterThan(0);
  const newest = new Map(
    (await recordsOf(webhook.id)).map(({ deliveryId, nextAttemptAt }) => [deliveryId, nextAttemptAt]),
  );
  for (const { deliveryId, dueAt = 0 } of waiting) expect(newest.get(deliveryId)).toBe(new Date(dueAt).toISOString());
  await pipeline.run();
  expect(mostInAMinute(timesOf(pipeline.posts))).toBeLessThanOrEqual(perHost);
  const byDelivery = [...Map.groupBy(pipeline.posts, ({ deliveryId }) => deliveryId).values()];
  // After five deliveries the webhook is disabled, and its open deliveries end without an attempt.
  expect(byDelivery).toHaveLength(count);
  expect(Math.max(...byDelivery.map(({ length }) => length))).toBe(limits.deliveryAttempts);
  for (const posts of byDelivery) {
    posts.slice(1).forEach(({ at }, i) => {
      expect(at - (posts[i]?.at ?? 0)).toBeGreaterThanOrEqual((limits.retryDelaysSeconds[i] ?? 0) * 1_000);
    });
  }
});

test('If the sending limit delays a retry, the newest record of the delivery shows the new time of this retry', async () => {
  const { pipeline, webhook } = await refusedEvents(1);
  await pipeline.run(pipeline.now + 2 * minuteMs);
  const [first, second] = await recordsOf(webhook.id);
  expect(second?.nextAttemptAt).toBe(new Date(first?.dueAt ?? 0).toISOString());
  const minute = Math.floor((first?.dueAt ?? 0) / minuteMs);
  await changeWebhook(webhook, { hostSends: { 'receiver.example': [minute, perHost] } });
  await put('deliveries', { ...first, reservesRetries: true });
  await pipeline.run(first?.dueAt);
  expect(await recordsOf(webhook.id)).toMatchObject([
    { dueAt: (minute + 1) * minuteMs },
    { nextAttemptAt: new Date((minute + 1) * minuteMs).toISOString() },
  ]);
});

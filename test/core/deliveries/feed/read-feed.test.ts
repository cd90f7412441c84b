/** The feed of a webhook that is polled (docs/rules.md#feed). */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { setRuntime } from '../../../../core/clock.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { readFeed } from '../../../../core/deliveries/feed/read-feed.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { redeliver } from '../../../../core/deliveries/log/redeliver.ts';
import { parseEventMessage } from '../../../../core/deliveries/plan/event-refs.ts';
import { plan } from '../../../../core/deliveries/plan/plan.ts';
import { env } from '../../../../core/env.ts';
import type { Event } from '../../../../core/events/event.ts';
import { deleteTogether } from '../../../../core/store/delete-each.ts';
import { getItem } from '../../../../core/store/read.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { writingUntil } from '../../../../core/time-left.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { getWebhook } from '../../../../core/webhooks/registry/read.ts';
import { limitsDuringTest } from '../../../support/during-test.ts';
import { faults } from '../../../support/faults.ts';
import { eventMessage, type Pipeline } from '../../../support/pipeline.ts';
import {
  firstSecret,
  newFeed,
  newWebhook,
  type OwnWebhook,
  recordsOf,
  webhookNow,
} from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { type Call, type Row, scriptDynamo, scripted } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
let pipeline: Pipeline;
beforeEach(() => {
  pipeline = begin();
});

const dayMs = 86_400_000;
const expired = (oldest: number) => ({ code: 'feed_expired', status: 410, extras: { details: { oldest } } });
const numbers = ({ data }: { data: readonly { number: number }[] }) => data.map(({ number }) => number);

async function fed(count: number): Promise<OwnWebhook> {
  const feed = await newFeed();
  await raise(feed, count);
  return feed;
}

async function raise({ tenantId }: OwnWebhook, count: number): Promise<void> {
  await pipeline.raiseMany(tenantId, count);
  await pipeline.run(pipeline.now);
}

/** A planner takes the number of an event and crashes before it writes the record. */
function takeNumber(event: Event): Promise<unknown> {
  const dead = { when: 'BatchExecuteStatement', nth: (nth: number) => nth > 1, fail: 'AccessDeniedException' };
  return scripted([dead], () => Promise.allSettled(plan([parseEventMessage(eventMessage(event))])));
}

/** The clock advances during long polls. Other waits end at once, and timeouts never expire. */
function waitOn(during: (ms: number) => Promise<unknown> | undefined): void {
  let waited = 0;
  setRuntime({
    now: () => pipeline.now + waited,
    sleep: async (ms) => {
      if (ms >= 10_000) return new Promise(() => {});
      if (ms !== limits.feedLookMs) return;
      waited += ms;
      await during(waited);
    },
  });
}

/** Long polls wait until `end` is called. `waiting` returns how many have begun to wait. */
function holdPolls() {
  const held = Promise.withResolvers<void>();
  let waiting = 0;
  setRuntime({
    now: () => pipeline.now,
    sleep: async (ms) => {
      if (ms !== limits.feedLookMs) return;
      waiting += 1;
      await held.promise;
    },
  });
  return {
    waiting: () => waiting,
    end: () => {
      waitOn(async () => undefined);
      held.resolve();
    },
  };
}

/** Further feeds of the same business, with its key. */
const moreFeeds = ({ tenantId, keyId, key }: OwnWebhook, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await newWebhook(tenantId, keyId, { delivery: 'poll', targetUrl: '' });
      return { key, id: { id } };
    }),
  );

test('A webhook feed contains every message once, numbered without gaps, and shows whether there are more', async () => {
  const { key, id } = await fed(7);
  const first = await readFeed(key, id, { limit: 3 });
  expect(first).toMatchObject({ next: 3, hasMore: true, oldest: 1, withheld: 0 });
  const second = await readFeed(key, id, { after: first.next, limit: 4 });
  expect(second).toMatchObject({ next: 7, hasMore: false });
  expect([first, second].flatMap(numbers)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await readFeed(key, id, { after: 7 })).toEqual({ data: [], next: 7, hasMore: false, oldest: 1, withheld: 0 });
});

test('A webhook message is signed when it is read from the feed, so that its signature is valid even 29 days after the event', async () => {
  const { key, id } = await fed(1);
  pipeline.advance(29 * dayMs);
  const { data } = await readFeed(key, id, {});
  vi.useFakeTimers({ now: pipeline.now });
  try {
    for (const { headers, body } of data) {
      expect(new StandardWebhook(firstSecret).verify(body, headers)).toMatchObject({ event: 'booking.created' });
      expect(headers['X-Webhook-Delivery']).toBe(JSON.parse(body).id);
      expect(headers['X-Webhook-Timestamp']).toBe(new Date(pipeline.now).toISOString());
    }
  } finally {
    vi.useRealTimers();
  }
  expect(data).toHaveLength(1);
});

test('A delivery to a webhook whose messages are polled from a feed succeeds at once and needs no queue message', async () => {
  const { key, id, webhook } = await fed(3);
  expect([pipeline.sendCalls, pipeline.posts.length]).toEqual([0, 0]);
  const { data } = await listDeliveries(key, id, {});
  expect(data.map(({ deliveryStatus, attemptNumber }) => [deliveryStatus, attemptNumber])).toEqual(
    Array(3).fill(['success', 1]),
  );
  pipeline.advance(dayMs);
  await pipeline.sweepDeliveries();
  expect(pipeline.sendCalls).toBe(0);
  expect(await webhookNow(webhook)).toMatchObject({ status: 'active', consecutiveFailures: 0 });
});

test('A webhook with a feed shows the highest message number that its reader has confirmed, and the time of this confirmation', async () => {
  const { key, id } = await fed(5);
  expect(await getWebhook(key, id)).toMatchObject({ feed: { lastNumber: 5, readThrough: 0, unread: 5, readAt: null } });
  await readFeed(key, id, { after: 3 });
  await readFeed(key, id, { after: 1 });
  const readAt = new Date(pipeline.now).toISOString();
  expect(await getWebhook(key, id)).toMatchObject({ feed: { lastNumber: 5, readThrough: 3, unread: 2, readAt } });
  // A faster request confirms all messages before the slower one is noted.
  const faster: Row = { when: 'UpdateItem', nth: 1, before: () => readFeed(key, id, { after: 5 }) };
  await scripted([faster], () => readFeed(key, id, { after: 4 }));
  expect(await getWebhook(key, id)).toMatchObject({ feed: { lastNumber: 5, readThrough: 5, unread: 0 } });
});

test('Reading a page of a webhook feed costs two item reads and two queries, and no write', async () => {
  const { key, id } = await fed(20);
  using script = scriptDynamo([], { units: true });
  await readFeed(key, id, {});
  expect(script.operations.toSorted()).toEqual(['GetItem', 'GetItem', 'Query', 'Query']);
  expect(script.units('read')).toBeLessThanOrEqual(7);
  expect(script.units('write')).toBe(0);
});

test('A feed request is refused for a deleted webhook, a webhook without a feed, and a message number that does not exist yet', async () => {
  const { key, id, tenantId, keyId } = await fed(2);
  const pushed = await newWebhook(tenantId, keyId);
  await expect(readFeed(key, id, { after: 3 })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(readFeed(key, { id: pushed.id }, {})).rejects.toMatchObject({ code: 'invalid_state' });
  const readsSecret = ({ input }: Call) => input.TableName === env.table('secrets');
  const deleted: Row = { when: readsSecret, nth: 1, before: () => deleteWebhook(key, id) };
  await expect(scripted([deleted], () => readFeed(key, id, {}))).rejects.toMatchObject({ code: 'not_found' });
  await expect(readFeed(key, id, {})).rejects.toMatchObject({ code: 'not_found' });
});

test('A message in a webhook feed cannot be redelivered or recovered, because it can be read again', async () => {
  const { key, id, webhook } = await fed(1);
  const [{ deliveryId = '' } = {}] = await recordsOf(webhook.id);
  await expect(redeliver(key, { ...id, deliveryId })).rejects.toMatchObject({ code: 'invalid_state' });
  const since = new Date(pipeline.now - 1).toISOString();
  await expect(recover(key, id, { since })).rejects.toMatchObject({ code: 'invalid_state' });
});

test('A ping of a webhook with a feed becomes the next message in this feed', async () => {
  const { key, id } = await fed(1);
  expect(await ping(key, id)).toMatchObject({ success: true, responseStatusCode: 0 });
  expect((await recordsOf(id.id)).map(({ deliveryStatus }) => deliveryStatus)).toEqual(['success', 'success']);
  const { data } = await readFeed(key, id, { after: 1 });
  expect(data.map(({ number, headers }) => [number, headers['X-Webhook-Event']])).toEqual([[2, 'ping']]);
});

test('A feed withholds messages for which its API key lacks a scope, and returns them when the key has the scope again', async () => {
  const feed = await newFeed({ events: ['booking.created', 'client.created', 'service.updated'] });
  for (const name of ['client.created', 'booking.created', 'service.updated'] as const)
    await pipeline.raise(feed.tenantId, name);
  await pipeline.run(pipeline.now);
  const reduced = keyPrincipal(feed.tenantId, feed.keyId, ['webhooks:manage']);
  const page = await readFeed(reduced, feed.id, {});
  // The booking has metadata.
  expect(page).toMatchObject({ next: 3, withheld: 2 });
  expect(page.data.map(({ headers }) => headers['X-Webhook-Event'])).toEqual(['service.updated']);
  expect(numbers(await readFeed(feed.key, feed.id, {}))).toEqual([1, 2, 3]);
});

test('A feed reader who returns after 29 days misses nothing, and after 30 days gets an error that names the oldest message', async () => {
  const { key, id, ...feed } = await fed(3);
  pipeline.advance(29 * dayMs);
  expect(numbers(await readFeed(key, id, { after: 1 }))).toEqual([2, 3]);
  await raise({ key, id, ...feed }, 2);
  pipeline.advance(dayMs);
  await expect(readFeed(key, id, { after: 1 })).rejects.toMatchObject(expired(4));
  expect(await readFeed(key, id, { after: 3 })).toMatchObject({ next: 5, oldest: 4 });
  pipeline.advance(31 * dayMs);
  await expect(readFeed(key, id, { after: 4 })).rejects.toMatchObject(expired(6));
  expect(await readFeed(key, id, { after: 5 })).toMatchObject({ data: [], oldest: 6 });
});

test('A request for webhook feed messages older than 30 days gets an error with the number of the oldest stored message', async () => {
  const { key, id, tenantId } = await fed(3);
  pipeline.advance(31 * dayMs);
  await takeNumber(await pipeline.raise(tenantId));
  expect(await readFeed(key, id, { after: 1, limit: 1 })).toMatchObject({ data: [], next: 1, hasMore: false });
  await pipeline.run(pipeline.now);
  const late = await pipeline.raise(tenantId);
  await takeNumber(late);
  // With limit 1, no number of the page has a record any more.
  for (const limit of [1, 100]) {
    await expect(readFeed(key, id, { after: 1, limit })).rejects.toMatchObject(expired(4));
  }
  expect(await readFeed(key, id, { after: 3 })).toMatchObject({ next: 4 });
  expect(await readFeed(key, id, { after: 4 })).toMatchObject({ data: [], next: 4 });
});

test('A page of a feed ends before a lost message, and the next request gets an error with the number of the next message', async () => {
  const { key, id, webhook } = await fed(4);
  await deleteTogether('deliveries', [deliveries.record(webhook.id, 3)]);
  expect(await readFeed(key, id, {})).toMatchObject({ next: 2, hasMore: false });
  await expect(readFeed(key, id, { after: 2 })).rejects.toMatchObject(expired(4));
});

/** One event has a number but no record; later events are planned. */
async function broken() {
  const feed = await newFeed();
  const lost = await pipeline.raise(feed.tenantId);
  pipeline.loseStream();
  await takeNumber(lost);
  await raise(feed, 2);
  expect((await recordsOf(feed.webhook.id)).map(({ id }) => id)).toEqual([2, 3]);
  const writeLost = async () => {
    pipeline.queues.events.send(eventMessage(lost));
    await pipeline.run();
  };
  return { ...feed, writeLost };
}

test('A page of a webhook feed ends before a message that is still being written, even if later messages are already stored', async () => {
  const { key, id, writeLost } = await broken();
  expect(await readFeed(key, id, {})).toMatchObject({ data: [], next: 0, hasMore: false });
  await writeLost();
  expect(numbers(await readFeed(key, id, {}))).toEqual([1, 2, 3]);
});

test('A webhook feed request returns a message that is written between the two database reads of the request', async () => {
  const { key, id, writeLost } = await broken();
  const page = await scripted([{ when: 'BatchGetItem', nth: 1, before: writeLost }], () => readFeed(key, id, {}));
  expect(numbers(page)).toEqual([1, 2, 3]);
});

test('A webhook feed contains messages that an eventually consistent read would miss', async () => {
  const { key, id } = await fed(3);
  const stale: Row = {
    when: ({ operation, input }) =>
      operation === 'Query' && input.ExpressionAttributeValues?.[':first'] !== undefined && !input.ConsistentRead,
    answer: async () => ({ Items: [] }),
  };
  expect(numbers(await scripted([stale], () => readFeed(key, id, {})))).toEqual([1, 2, 3]);
});

test('If a page of a feed ends early, because DynamoDB reads at most 1 MB, it shows that there are more messages', async () => {
  const { key, id } = await fed(3);
  const cut: Row = {
    when: ({ operation, input }) => operation === 'Query' && input.Limit === limits.pageSizeMax + 1,
    answer: ({ input }, send) => send({ ...input, Limit: 2 }),
  };
  await scripted([cut], async () => {
    expect(await readFeed(key, id, {})).toMatchObject({ next: 2, hasMore: true });
    expect(await readFeed(key, id, { after: 2 })).toMatchObject({ next: 3, hasMore: false });
  });
});

test('A webhook feed request with `wait` (long polling) ends with the first new message, and then no longer counts as waiting', async () => {
  const feed = await fed(1);
  let raised = false;
  waitOn(async (ms) => {
    if (ms < 2_000 || raised) return;
    raised = true;
    await raise(feed, 1);
  });
  const { key, id, tenantId } = feed;
  expect(await readFeed(key, id, { after: 1, wait: 10 })).toMatchObject({ next: 2, data: [{ number: 2 }] });
  expect(raised).toBe(true);
  expect(Object.keys((await getItem<object>('deliveries', deliveries.feeds(tenantId))) ?? {})).toEqual(
    expect.not.arrayContaining([`waits${id.id}`]),
  );
});

test('A webhook feed request with `wait` returns at once if there are new messages, and otherwise after the requested wait', async () => {
  const { key, id } = await fed(1);
  let waited = 0;
  waitOn(async (ms) => {
    waited = ms;
  });
  using script = scriptDynamo([]);
  expect(numbers(await readFeed(key, id, { wait: 10 }))).toEqual([1]);
  expect(script.operations).not.toContain('UpdateItem');
  expect(await readFeed(key, id, { after: 1, wait: 3 })).toMatchObject({ data: [], next: 1, hasMore: false });
  expect(waited).toBeGreaterThan(3_000 - 2 * limits.feedLookMs);
  expect(waited).toBeLessThanOrEqual(3_000);
});

test('At most one webhook feed request per webhook, and five per business, can wait for new messages', async () => {
  const feed = await fed(1);
  const { key, id } = feed;
  const all = [feed, ...(await moreFeeds(feed, limits.feedWaitersPerBusiness)), feed];
  const refusals: { code: string; extras: object }[] = [];
  const polls = holdPolls();
  const begun = all.map((one) =>
    readFeed(key, one.id, { wait: 2, after: one === feed ? 1 : 0 }).catch((error) => refusals.push(error)),
  );
  await vi.waitFor(() => expect(refusals).toHaveLength(2), { timeout: 60_000 });
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ code: 'feed_busy', extras: { retryAfter: expect.any(Number) } });
  }
  polls.end();
  await Promise.all(begun);
  expect(await readFeed(key, id, { after: 1, wait: 1 })).toMatchObject({ data: [] });
});

/** A hundred webhooks of twenty businesses are polled with `wait`. Returns how many wait, and the refusals. */
async function waitAtOnce() {
  const feeds = await Promise.all(Array.from({ length: 20 }, () => newFeed()));
  const others = await Promise.all(feeds.map((feed) => moreFeeds(feed, limits.feedWaitersPerBusiness - 1)));
  const all = [...feeds, ...others.flat()];
  const refusals: { code: string }[] = [];
  const polls = holdPolls();
  const begun: Promise<unknown>[] = [];
  for (const { key, id } of all) {
    begun.push(readFeed(key, id, { wait: 10 }).catch((error) => refusals.push(error)));
    const decided = () => expect(polls.waiting() + refusals.length).toBe(begun.length);
    await vi.waitFor(decided, { timeout: 60_000, interval: 1 });
  }
  const withoutWait = await Promise.all(all.map(({ key, id }) => readFeed(key, id, {})));
  const waiting = polls.waiting();
  polls.end();
  await Promise.all(begun);
  const afterwards = await Promise.all(all.slice(0, 5).map(({ key, id }) => readFeed(key, id, { wait: 1 })));
  return { waiting, refusals, answered: withoutWait.length + afterwards.length };
}

test('If twenty businesses send a hundred webhook feed requests with `wait` concurrently, at most 80 wait and the others get 409', async () => {
  const { waiting, refusals, answered } = await waitAtOnce();
  expect(waiting).toBeLessThanOrEqual(limits.feedWaiters);
  expect(waiting).toBeGreaterThan(limits.feedWaiters / 2);
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['feed_busy']));
  expect(answered).toBe(105);
});

test('Negative control: without a common limit for all businesses, a hundred feed requests of twenty businesses wait at once', async () => {
  limitsDuringTest({ feedWaiters: 8_000 });
  expect(await waitAtOnce()).toMatchObject({ waiting: 100 });
});

test('A webhook feed request with `wait` gets 409 feed_busy if too many other requests begin to wait at the same moment', async () => {
  const { key, id } = await fed(1);
  waitOn(async () => undefined);
  const conflict: Row = { when: 'TransactWriteItems', fail: () => faults.TransactionConflict(2) };
  const waiting = scripted([conflict], () => readFeed(key, id, { after: 1, wait: 10 }));
  await expect(waiting).rejects.toMatchObject({ code: 'feed_busy', extras: { retryAfter: 1 } });
});

test('A webhook feed request with `wait` gets 503 if its function has no time left to begin the wait', async () => {
  const { key, id } = await fed(1);
  await readFeed(key, id, { after: 1 });
  const waiting = writingUntil(pipeline.now, () => readFeed(key, id, { after: 1, wait: 10 }));
  await expect(waiting).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});

test('If the function crashes while a feed request waits, other requests can wait once the wait time of that request is over', async () => {
  const { key, id } = await fed(1);
  waitOn(async () => {
    throw new Error('The function dies');
  });
  // Neither of its two leases is released.
  const dead = [2, 3].map((nth) => ({ when: 'UpdateItem', nth, fail: 'AccessDeniedException' }));
  await scripted(dead, () => readFeed(key, id, { after: 1, wait: 10 }).catch(() => undefined));
  waitOn(async () => undefined);
  await expect(readFeed(key, id, { after: 1, wait: 1 })).rejects.toMatchObject({ code: 'feed_busy' });
  expect(await readFeed(key, id, { after: 1 })).toMatchObject({ data: [] });
  pipeline.advance(13_000);
  waitOn(async () => undefined);
  expect(await readFeed(key, id, { after: 1, wait: 1 })).toMatchObject({ data: [] });
});

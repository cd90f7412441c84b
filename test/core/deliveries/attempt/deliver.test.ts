/** Attempts and their records, also during faults (docs/rules.md#attempts, #retries). */
import { expect, test, vi } from 'vitest';
import { requiredScope } from '../../../../contract/event-names.ts';
import type { EventName } from '../../../../contract/events.ts';
import { limits } from '../../../../contract/limits.ts';
import { type Scope, scopeNames } from '../../../../contract/scopes.ts';
import { queues } from '../../../../contract/system/queues.ts';
import { schedules } from '../../../../contract/system/schedules.ts';
import { setRuntime } from '../../../../core/clock.ts';
import { deliver } from '../../../../core/deliveries/attempt/deliver.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import { webhooksTogether } from '../../../../core/deliveries/plan/plan.ts';
import { slice } from '../../../../core/events/sweep.ts';
import { isLive } from '../../../../core/keys/api-key.ts';
import { log } from '../../../../core/log.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import { secrets } from '../../../../core/table-keys.ts';
import { duringTest } from '../../../support/during-test.ts';
import { collectMetrics } from '../../../support/emitted-metrics.ts';
import type { Functions } from '../../../support/functions.ts';
import { context, ok, platformFault, refused } from '../../../support/pipeline.ts';
import {
  changeKey,
  changeWebhook,
  deliveriesOf,
  newOwnWebhook,
  newTenant,
  recordsOf,
  violations,
  webhookNow,
} from '../../../support/pipeline-state.ts';
import { plannedMessages } from '../../../support/planned-messages.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const injected = vi.hoisted(() => ({ deaf: true }));
vi.mock(import('../../../../core/keys/event-access.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    mayReceiveMessage: (key, message, at) =>
      injected.deaf ? real.mayReceiveMessage(key, message, at) : isLive(key, at),
    mayReceive: (key, event, at) => (injected.deaf ? real.mayReceive(key, event, at) : isLive(key, at)),
  };
});

const begin = usePipeline();
const half = 500;

test.each([
  // Ten queries of webhooks, the outbox with the API keys, the numbers, the records, one deletion.
  ['webhooks of ten businesses', 14, 10, 1],
  ['one webhook', 5, 1, 10],
])(
  'Ten deliveries to %s cost %i DynamoDB calls before they are queued, and three when they are sent',
  async (_, calls, businesses, events) => {
    const pipeline = begin();
    const tenants = await Promise.all(Array.from({ length: businesses }, () => newTenant(1)));
    for (const { tenantId } of tenants) await pipeline.raiseMany(tenantId, events);
    await pipeline.run();
    expect(pipeline.dynamoCalls.slice(-3)).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchExecuteStatement']);
    expect(pipeline.dynamoCalls).toHaveLength(calls + 3);
    expect(pipeline.posts).toHaveLength(10);
  },
);

test('A queue message that arrives before its delivery attempt is due is delayed again without a DynamoDB call', async () => {
  const pipeline = begin({ answer: () => refused });
  const { tenantId } = await newTenant(1);
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now + 22 * 60_000);
  const before = pipeline.dynamoCalls.length;
  await pipeline.run(pipeline.now + 45 * 60_000);
  expect(pipeline.dynamoCalls).toHaveLength(before);
});

test('The Lambda functions that send webhook messages use each permission that their IAM policies list, and no other', async () => {
  let fails = true;
  const pipeline = begin({ answer: (_, nth) => (fails && nth < 2 ? refused : ok) });
  // Its recovery is reported; the next success is not news.
  const tenant = await newTenant(1, { consecutiveFailures: 3 });
  await pipeline.raise(tenant.tenantId);
  await pipeline.run();
  fails = false;
  await pipeline.raise(tenant.tenantId);
  // Its first delivery was planned before it moved.
  const moved = await newTenant(1, { movedAfter: 1, answeredHost: 'former.example' });
  await pipeline.raise(moved.tenantId);
  // It has more webhooks than one run plans.
  await pipeline.raise((await newTenant(webhooksTogether + 1)).tenantId);
  await pipeline.run();
  // These are more than one slice of the sweeper, which therefore checks the result of the first.
  await pipeline.raiseMany(tenant.tenantId, slice.least + 1, 'client.created');
  pipeline.loseStream();
  await pipeline.run();
  const allowed = (name: string, { needs }: { needs: object }) =>
    Object.entries(needs)
      .filter(([store]) => store in { records: 0, deliveries: 0, secrets: 0 })
      .flatMap(([store, actions]) => (actions as string[]).map((action) => `${name} ${store} ${action}`));
  expect([...pipeline.actions].sort()).toEqual(
    [
      ...allowed('plan-deliveries', queues.events),
      ...allowed('deliver-webhook', queues.deliveries),
      ...allowed('sweep', schedules.sweep),
    ].sort(),
  );
  expect(queues.retries.needs).toEqual(queues.deliveries.needs);
});

test('A failed delivery is attempted six times at the scheduled times with the same message, and each attempt has a record', async () => {
  const pipeline = begin({ answer: () => refused });
  const tenant = await newOwnWebhook();
  const event = await pipeline.raise(tenant.tenantId);
  const startedAt = pipeline.now;
  await pipeline.run();
  expect(pipeline.posts.map(({ at }) => (at - startedAt) / 60_000)).toEqual([0, 1, 6, 21, 81, 321]);
  const all = await recordsOf(tenant.webhook.id);
  expect(all.map(({ id, attemptNumber, deliveryStatus }) => [id, attemptNumber, deliveryStatus])).toEqual([
    ...[1, 2, 3, 4, 5].map((number) => [number, number, 'retrying']),
    [6, 6, 'failed'],
  ]);
  expect(new Set(pipeline.posts.map(({ request }) => request.body)).size).toBe(1);
  // The documented fields have this order.
  const { id: eventId, name, occurredAt: timestamp, data } = event;
  expect(pipeline.posts[0]?.request.body).toBe(
    JSON.stringify({ id: all[0]?.deliveryId, eventId, event: name, timestamp, apiVersion: '1.0', data }),
  );
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
  expect(await webhookNow(tenant.webhook)).toMatchObject({ status: 'active', consecutiveFailures: 1 });
});

test('When an attempt is due and its webhook is disabled, no request is sent, and the record shows the reason', async () => {
  const pipeline = begin({ answer: () => refused });
  const { tenantId, webhook } = await newOwnWebhook();
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now + half);
  await changeWebhook(webhook, { status: 'failed' });
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(1);
  const all = await recordsOf(webhook.id);
  expect(all.map(({ deliveryStatus, errorCode }) => [deliveryStatus, errorCode])).toEqual([
    ['retrying', 'http_status'],
    ['failed', 'webhook_disabled'],
  ]);
  expect(all[0]).toMatchObject({ state: 'failed', attempts: 2 });
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 0 });
});

/** Changes the key after the first attempt, and returns how many requests its webhook got in total. */
async function afterChange(key: object, event: EventName = 'client.created') {
  const pipeline = begin({ answer: () => refused });
  const tenant = await newTenant(1, { events: [event] });
  await pipeline.raise(tenant.tenantId, event);
  await pipeline.run(pipeline.now + half);
  await changeKey(tenant, key);
  const pending = pipeline.posts.length;
  await pipeline.raise(tenant.tenantId, event);
  await pipeline.run();
  const bodies = pipeline.posts.slice(pending).map(({ request }) => String(request.body));
  return { requests: pipeline.posts.length, bodies, log: await recordsOf(tenant.webhooks[0]?.id ?? 0) };
}

const without = (scope: Scope | undefined) => ({ scopes: scopeNames.filter((one) => one !== scope) });
const withoutScope = without(requiredScope('client.created'));

test.each([
  ['is revoked', { status: 'revoked' }],
  ['is expired', { expiresAt: 1 }],
  ['lost the scope of the event', withoutScope],
  ['lost the right to receive events', without('webhooks:manage')],
])('Webhooks of an API key that %s get no further delivery attempts', async (_, key) => {
  const { requests, log } = await afterChange(key);
  expect(requests).toBe(1);
  expect(log.map(({ errorCode }) => errorCode)).toEqual(['http_status', 'webhook_disabled']);
  expect(log[1]).not.toHaveProperty('sentAt');
});

test('Negative control: if only the status of a key is checked, a key that lost a scope still gets the events of the scope', async () => {
  duringTest(injected, { deaf: false });
  const { requests } = await afterChange(withoutScope);
  expect(requests).toBeGreaterThan(1);
});

test('After an API key loses bookings:read, pending messages with metadata are not sent, and new ones contain no metadata', async () => {
  const { bodies, log } = await afterChange(without('bookings:read'), 'booking.created');
  expect(log.map(({ errorCode }) => errorCode)).toContain('webhook_disabled');
  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.filter((body) => body.includes('metadata'))).toEqual([]);
});

test('Negative control: if only the status of a key is checked, a key that lost bookings:read still gets metadata', async () => {
  duringTest(injected, { deaf: false });
  const { bodies } = await afterChange(without('bookings:read'), 'booking.created');
  expect(bodies.some((body) => body.includes('metadata'))).toBe(true);
});

test('Thirty minutes of faults of the platform do not count against any receiver, and every event is delivered afterwards', async () => {
  const cause = new Error('EMFILE');
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  let healthyAt = Number.POSITIVE_INFINITY;
  const pipeline = begin({ answer: ({ at }) => (at < healthyAt ? { ...platformFault, cause } : ok) });
  healthyAt = pipeline.now + 30 * 60_000;
  const tenants = await Promise.all(Array.from({ length: 5 }, () => newTenant(4)));
  const events = await Promise.all(tenants.map(({ tenantId }) => pipeline.raise(tenantId)));
  await pipeline.run();
  for (const [i, tenant] of tenants.entries()) {
    const [event] = events.slice(i);
    if (event) expect(await violations(pipeline, tenant, [event])).toEqual([]);
    for (const webhook of tenant.webhooks) {
      expect(await webhookNow(webhook)).toMatchObject({ status: 'active', consecutiveFailures: 0, lastNumber: 1 });
      const all = await recordsOf(webhook.id);
      expect(all.map(({ deliveryStatus }) => deliveryStatus)).toEqual(['success']);
    }
  }
  expect(warned).toHaveBeenCalledWith(expect.any(String), expect.objectContaining({ error: cause }));
});

test('A hundred duplicates of a queue message cause no second webhook request and no second recorded delivery attempt', async () => {
  const pipeline = begin({ answer: (_, nth) => (nth === 1 ? refused : ok) });
  const tenant = await newTenant(1);
  const event = await pipeline.raise(tenant.tenantId);
  await pipeline.run(pipeline.now + half);
  const { retries } = pipeline.queues;
  const [message = ''] = retries.bodies;
  for (let i = 0; i < 100; i++) retries.send(message);
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(2);
  expect(await recordsOf(tenant.webhooks[0]?.id ?? 0)).toHaveLength(2);
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

test('A retry is not made before its time, even if the clocks of Lambda containers differ', async () => {
  let held = true;
  const holding = (real: Functions): Partial<Functions> => ({
    deliver: async (event, context) =>
      held
        ? { batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) }
        : real.deliver(event, context),
  });
  const pipeline = begin({ answer: (_, nth) => (nth === 1 ? refused : ok), functions: holding });
  const { deliveries, retries } = pipeline.queues;
  const { tenantId } = await newTenant(1);
  // Its first message waits for a consumer.
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now);
  held = false;
  for (const body of deliveries.take()) deliveries.send(body);
  pipeline.advance(-40);
  await pipeline.run(pipeline.now);
  expect(pipeline.posts).toHaveLength(1);

  const [retry = ''] = retries.take();
  const { dueAt = 0 } = parseDeliveryBatch(retry)[0] ?? {};
  retries.send(retry, dueAt - 40 - pipeline.now);
  await pipeline.run(dueAt - 40);
  expect(pipeline.posts).toHaveLength(1);
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(2);
  expect(pipeline.posts[1]?.at).toBeGreaterThanOrEqual(dueAt);
});

test('Delivery attempts that are recorded concurrently for one webhook get record numbers without gaps', async () => {
  const pipeline = begin({ answer: (_, nth) => (nth === 1 ? refused : ok) });
  const tenant = await newOwnWebhook();
  const events = await pipeline.raiseMany(tenant.tenantId, 200);
  await pipeline.run(pipeline.now + half);
  pipeline.advance(60_000);
  const posts = pipeline.posts.length;
  await pipeline.runTogether('retries', 10);
  // Each second attempt was made once: none was repeated because it could not be recorded.
  expect(pipeline.posts).toHaveLength(posts + 200);
  expect(await violations(pipeline, tenant, events)).toEqual([]);
  expect(await webhookNow(tenant.webhook)).toMatchObject({ lastNumber: 400 });
});

test('If delivery records cannot be read, no webhook request is sent, and the attempts are repeated without being counted', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 2);
  const emitted = collectMetrics(() => undefined);
  const script = scriptTest([{ when: 'BatchGetItem', fail: 'ThrottlingException' }]);
  const sender = vi.fn(async () => ok);
  await Promise.all(deliver([messages], context, sender));
  expect(sender).not.toHaveBeenCalled();
  expect(emitted).toMatchObject([{ name: 'OwnFaults', values: [2] }]);

  script.end();
  const repeated = pipeline.queues.retries.bodies.flatMap(parseDeliveryBatch);
  expect(repeated).toMatchObject([1, 2].map((number) => ({ number, attempt: 1 })));
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);

  emitted.length = 0;
  await Promise.all(deliver([messages], context, sender));
  expect(emitted).toMatchObject([{ name: 'AttemptsSucceeded', values: [2] }, { name: 'EventToFirstAttempt' }]);
});

test('A delivery to a webhook without a signing secret is not sent, does not count against the receiver, and is tried again', async () => {
  const { pipeline, messages, webhook } = await plannedMessages(begin, 1);
  await transact([remove('secrets', secrets.signing(webhook.id))]);
  const sender = vi.fn(async () => ok);
  await Promise.all(deliver([messages], context, sender));
  expect(sender).not.toHaveBeenCalled();
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'pending', attempts: 0 }]);
  expect(pipeline.queues.retries.bodies.flatMap(parseDeliveryBatch)).toMatchObject([{ attempt: 1 }]);
});

test('A delivery attempt does not begin if its function has too little time left to send the request and record the result', async () => {
  const { messages, webhook } = await plannedMessages(begin, 2);
  setRuntime({ sleep: () => new Promise(() => {}) });
  const sender = vi.fn(async () => ok);
  // The time is enough to send and record the first of them.
  let left = limits.deliveryTimeoutMs + 5_001;
  const [first = [], second = []] = messages.map((message) => [message]);
  const ends = await Promise.allSettled(deliver([first, second], { getRemainingTimeInMillis: () => --left }, sender));
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: 'No time is left for an attempt' } },
  ]);
  expect(sender).toHaveBeenCalledOnce();
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'success' }, { state: 'pending', attempts: 0 }]);
});

test('Finished deliveries to one webhook are recorded while the function still sends deliveries to another', async () => {
  const one = await plannedMessages(begin, 50);
  const other = await plannedMessages(() => one.pipeline, 50);
  // No coalescing window ends.
  setRuntime({ sleep: () => new Promise(() => {}) });
  const ends: readonly Promise<void>[] = deliver([one.messages, other.messages], context, async ({ webhookId }) => {
    if (webhookId === other.webhook.id) await ends[0];
    return ok;
  });
  await Promise.all(ends);
  for (const { webhook } of [one, other]) {
    expect((await deliveriesOf(webhook.id)).map(({ state }) => state)).toEqual(Array(50).fill('success'));
  }
});

test('A finished delivery waits only a limited time to be recorded together with other deliveries to its webhook', async () => {
  const { messages, webhook } = await plannedMessages(begin, 2);
  setRuntime({ sleep: async () => {} });
  const sender = vi.fn(async () => ok).mockResolvedValueOnce(ok);
  const ends: readonly Promise<void>[] = deliver(
    messages.map((message) => [message]),
    context,
    sender.mockImplementation(async () => {
      await ends[0];
      return ok;
    }),
  );
  await Promise.all(ends);
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'success' }, { state: 'success' }]);
});

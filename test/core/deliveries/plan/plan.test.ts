/** Events become deliveries. */
import { expect, test } from 'vitest';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { plan } from '../../../../core/deliveries/plan/plan.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { eventMessage, type PipelineOptions } from '../../../support/pipeline.ts';
import {
  changeKey,
  changeWebhook,
  deliveriesOf,
  newOwnWebhook,
  newTenant,
  newWebhook,
  outbox,
  type Tenant,
  violations,
  webhookNow,
  webhookOf,
} from '../../../support/pipeline-state.ts';
import { type Call, type Row, scripted } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

/** A business with that many webhooks, and an event that the stream has lost. */
async function lostEvent(webhooks: number, options?: PipelineOptions) {
  const pipeline = begin({ ...options, losesStream: true });
  const tenant = await newTenant(webhooks);
  const event = await pipeline.raise(tenant.tenantId);
  return { pipeline, tenant, webhook: webhookOf(tenant), event };
}

test('An event reaches the active webhooks of its business that subscribed to this event, and no others', async () => {
  const pipeline = begin();
  const tenant = await newTenant(1);
  const other = await newTenant(1);
  const elsewhere = await newWebhook(tenant.tenantId, tenant.keyId, { events: ['client.created'] });
  const event = await pipeline.raise(tenant.tenantId);
  const lastTriggeredAt = new Date(pipeline.now).toISOString();
  await pipeline.run();
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
  for (const webhook of tenant.webhooks) expect(await webhookNow(webhook)).toMatchObject({ lastTriggeredAt });
  for (const webhook of [elsewhere, ...other.webhooks]) {
    expect(await deliveriesOf(webhook.id)).toEqual([]);
    expect(await webhookNow(webhook)).toEqual(webhook);
  }
  expect(pipeline.posts).toHaveLength(1);
});

test('An event for a disabled webhook is recorded as a failed delivery and not sent', async () => {
  const pipeline = begin();
  const { tenantId, webhook: off } = await newOwnWebhook({ status: 'failed', consecutiveFailures: 5 });
  const event = await pipeline.raise(tenantId);
  await Promise.all(plan([[event]]));
  expect(pipeline.waiting).toBe(0);
  const [delivery] = await deliveriesOf(off.id);
  expect(delivery).toMatchObject({
    id: 1,
    eventId: event.id,
    state: 'failed',
    attempts: 1,
    deliveryStatus: 'failed',
    errorCode: 'webhook_disabled',
    attemptNumber: 1,
    nextAttemptAt: null,
  });
  expect(await webhookNow(off)).toMatchObject({ lastNumber: 1, lastTriggeredAt: null, consecutiveFailures: 5 });
});

test('An event to which no webhook is subscribed is removed from the outbox of unsent events, and no delivery is stored', async () => {
  const pipeline = begin();
  const tenant = await newTenant(1);
  await pipeline.raise(tenant.tenantId, 'review.created');
  await pipeline.run();
  expect(await outbox()).toEqual([]);
  expect(pipeline.dynamoCalls).toEqual(['Query', 'BatchGetItem', 'BatchWriteItem']);
});

test('If a database read fails while deliveries of an event are created, the function `plan-deliveries` repeats the read', async () => {
  const { pipeline, tenant, event } = await lostEvent(1, { sweeper: false });
  await scripted([{ when: 'BatchGetItem', nth: 1, fail: 'ThrottlingException' }], () => Promise.all(plan([[event]])));
  await pipeline.run();
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

test('A webhook whose API key is not active, or may not read an event, does not receive the event', async () => {
  const pipeline = begin();
  for (const change of [{ status: 'revoked' }, { scopes: [] }, { expiresAt: 1 }]) {
    const tenant = await newTenant(1, { events: ['client.created'] });
    await changeKey(tenant, change);
    await pipeline.raise(tenant.tenantId, 'client.created');
    await pipeline.run();
    expect(await outbox()).toEqual([]);
    for (const webhook of tenant.webhooks) expect(await webhookNow(webhook)).toEqual(webhook);
  }
  expect(pipeline.posts).toEqual([]);
});

test('An event whose message the queue refuses stays in the outbox of unsent events and does not block other events', async () => {
  const pipeline = begin({ losesStream: true, sweeper: false });
  const tenants = [await newTenant(1), await newTenant(1)];
  const [good = 0, bad = 0] = tenants.map(({ tenantId }) => tenantId);
  const events = [await pipeline.raise(good), await pipeline.raise(bad)];
  // The second of the two messages is refused every time it is sent.
  pipeline.refuseMessages = [[1], [0], [0], [0]];
  const ends = await Promise.allSettled(plan(events.map((event) => [event])));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect((await outbox()).map(({ id }) => id)).toEqual([events[1]?.id]);
  expect(pipeline.queues.deliveries.bodies.flatMap(parseDeliveryBatch).map(({ tenantId }) => tenantId)).toEqual([good]);
  await Promise.all(plan([events]));
  await pipeline.run();
  for (const [i, tenant] of tenants.entries()) {
    expect(await violations(pipeline, tenant, events.slice(i, i + 1))).toEqual([]);
  }
});

test('Messages to a webhook that is marked as slow go through the slow queue, and messages to other webhooks do not', async () => {
  const pipeline = begin({ sweeper: false });
  const { tenantId, keyId, webhooks } = await newTenant(1);
  const slow = await newWebhook(tenantId, keyId, { slowUntil: pipeline.now + 60_000 });
  const event = await pipeline.raise(tenantId);
  await Promise.all(plan([[event]]));
  const { deliveries, retries } = pipeline.queues;
  const named = [deliveries, retries].map(({ bodies }) => bodies.flatMap(parseDeliveryBatch));
  expect(named.map((some) => some.map(({ webhookId }) => webhookId))).toEqual([[webhooks[0]?.id], [slow.id]]);
});

/** More than the maximum of statements in one call. */
const many = 30;

test.each(['before', 'after'] as const)(
  'A crash %s any side effect of creating the deliveries of an event neither loses nor duplicates a delivery',
  async (when) => {
    for (let at = 1; at <= 18; at++) {
      const pipeline = begin({ crash: { at, when } });
      const tenant = await newTenant(many);
      const event = await pipeline.raise(tenant.tenantId);
      await pipeline.run();
      expect(await violations(pipeline, tenant, [event]), `crash at ${at}`).toEqual([]);
    }
  },
);

test('If the queue message of an event arrives many times at once, each webhook gets one delivery of the event', async () => {
  const { pipeline, tenant, event } = await lostEvent(3);
  for (let i = 0; i < 50; i++) pipeline.queues.events.send(eventMessage(event));
  await pipeline.runTogether('events');
  await pipeline.run();
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

test('When deliveries of several events are created concurrently, the delivery numbers of each webhook have no gaps', async () => {
  const pipeline = begin({ losesStream: true });
  const tenant = await newTenant(3);
  const events = await pipeline.raiseMany(tenant.tenantId, 60);
  for (const event of events) pipeline.queues.events.send(eventMessage(event));
  await pipeline.runTogether('events');
  await pipeline.run();
  expect(await violations(pipeline, tenant, events)).toEqual([]);
  for (const webhook of tenant.webhooks) expect(await webhookNow(webhook)).toMatchObject({ lastNumber: 60 });
});

test.each([
  ['first', 0],
  ['second', 1],
] as const)(
  'If a ping of the %s of two webhooks takes a delivery number that an event was to get, the event gets the next number',
  async (_, pinged) => {
    const { tenant, event } = await lostEvent(2);
    const before = () => changeWebhook(tenant.webhooks[pinged] as WebhookItem, { lastNumber: 1 });
    const when = ({ operation }: Call) => operation === 'BatchExecuteStatement';
    await scripted([{ when, nth: 1, before }], () => Promise.all(plan([[event]])));
    const numbers = tenant.webhooks.map(async ({ id }) => (await deliveriesOf(id)).map(({ id: number }) => number));
    expect(await Promise.all(numbers)).toEqual(pinged === 0 ? [[2], [1]] : [[1], [2]]);
  },
);

const disable = (tenant: Tenant) => changeWebhook(webhookOf(tenant), { status: 'failed' });

/** The side effects before the crash: at the fourth the records are not written yet, at the fifth the messages not sent. */
test.each<[string, number, DeliveryItem['state'], (tenant: Tenant) => Promise<void>]>([
  [
    'has reserved delivery numbers, and the webhook then subscribes to another event',
    4,
    'success',
    (tenant) => changeWebhook(webhookOf(tenant), { events: ['client.created'] }),
  ],
  ['has reserved delivery numbers, and the webhook is then disabled', 4, 'failed', disable],
  [
    'has reserved delivery numbers, and the API key is then revoked',
    4,
    'failed',
    (tenant) => changeKey(tenant, { status: 'revoked' }),
  ],
  ['has written delivery records, and the webhook is then disabled', 5, 'failed', disable],
])('If the function that creates deliveries crashes, an event still has one delivery (it %s)', async (...row) => {
  const [, at, state, change] = row;
  const { pipeline, tenant, webhook, event } = await lostEvent(1, { crash: { at, when: 'before' }, sweeper: false });
  pipeline.queues.events.send(eventMessage(event));
  await pipeline.run(pipeline.now);
  expect(await webhookNow(webhook)).toMatchObject({ lastNumber: 1 });
  expect(await deliveriesOf(webhook.id)).toMatchObject(at === 4 ? [] : [{ state: 'pending' }]);
  expect([pipeline.crashed, pipeline.queues.deliveries.size]).toEqual([true, 0]);
  await change(tenant);
  await pipeline.run();
  expect(await deliveriesOf(webhook.id)).toMatchObject([
    { state, errorCode: state === 'failed' ? 'webhook_disabled' : null },
  ]);
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

test('Delivery records that DynamoDB refuses are written again, and only then are the queue messages of the deliveries sent', async () => {
  const { pipeline, tenant, event } = await lostEvent(2, { sweeper: false });
  const sent: number[] = [];
  const inserts = ({ input }: Call) => input.Statements?.[0]?.Statement.startsWith('INSERT') ?? false;
  // A batch of writes is tried three times.
  const rows: Row[] = [
    { when: inserts, before: () => sent.push(pipeline.sendCalls) },
    { when: inserts, nth: (nth) => nth <= 3, fail: 'ThrottlingException' },
  ];
  await scripted(rows, () => Promise.all(plan([[event]])));
  expect(sent).toEqual([0, 0, 0, 0]);
  expect(await outbox()).toEqual([]);
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(2);
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

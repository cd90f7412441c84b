/** The notes in a webhook about events in the outbox, when there are many, and during faults. */
import { expect, test, vi } from 'vitest';
import { chunksOf } from '../../../../core/chunks.ts';
import { newId } from '../../../../core/clock.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import { claimsMax } from '../../../../core/deliveries/plan/claims.ts';
import { parseEventMessage } from '../../../../core/deliveries/plan/event-refs.ts';
import { plan } from '../../../../core/deliveries/plan/plan.ts';
import { type Event, outboxPut } from '../../../../core/events/event.ts';
import { log } from '../../../../core/log.ts';
import { records } from '../../../../core/table-keys.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { itemSize } from '../../../../packages/memory-dynamo/src/capacity.ts';
import { eventMessage, type Pipeline } from '../../../support/pipeline.ts';
import {
  newTenant,
  newWebhook,
  outbox,
  put,
  recordsOf,
  type Tenant,
  violations,
  webhookNow,
  webhookOf,
} from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { type Call, type Script, scripted } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

/** A small maximum, so that a test can reach it. */
vi.mock(import('../../../../core/deliveries/plan/claims.ts'), async (original) => ({
  ...(await original()),
  claimsMax: 100 as never,
}));

const begin = usePipeline();

interface Noted extends Tenant {
  readonly webhook: WebhookItem;
  readonly open: Event[];
}

/** Events in the outbox whose numbers are taken: a planner died right after that. */
async function noted(pipeline: Pipeline, count: number): Promise<Noted> {
  const tenant = await newTenant(0);
  const example = await pipeline.raise(tenant.tenantId);
  const open = [example, ...Array.from({ length: count - 1 }, () => ({ ...example, id: newId() }))];
  await Promise.all(open.slice(1).map((event) => put('records', outboxPut(event).Put.Item)));
  const claims = Object.fromEntries(open.map(({ id, shard }, i) => [id, [i + 1, pipeline.now, shard] as const]));
  const webhook = await newWebhook(tenant.tenantId, tenant.keyId, { claims, lastNumber: count });
  return { ...tenant, webhooks: [webhook], webhook, open };
}

const notesOf = async (webhook: WebhookItem) => Object.keys((await webhookNow(webhook)).claims ?? {}).length;

test('A webhook with the maximum number of unfinished events gets further events later, and other webhooks are not delayed', async () => {
  const pipeline = begin({ losesStream: true });
  const tenant = await noted(pipeline, claimsMax);
  const { webhook, open } = tenant;
  const other = await newWebhook(tenant.tenantId, tenant.keyId);
  const [before, after] = [await pipeline.raise(tenant.tenantId), await pipeline.raise(tenant.tenantId)];
  const [first] = await Promise.allSettled(plan([[before, after]]));
  expect(first).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('unfinished events') },
  });
  expect(await webhookNow(webhook)).toMatchObject({ lastNumber: claimsMax });
  expect(await notesOf(webhook)).toBe(claimsMax);
  const sent = pipeline.queues.deliveries.bodies.flatMap(parseDeliveryBatch);
  expect(sent.map(({ webhookId }) => webhookId)).toEqual([other.id, other.id]);
  expect((await recordsOf(other.id)).map(({ id }) => id)).toEqual([1, 2]);
  expect(await recordsOf(webhook.id)).toEqual([]);

  for (const some of chunksOf([...open, before, after], 100)) pipeline.queues.events.send(eventMessage(...some));
  await pipeline.run();
  expect(await outbox()).toEqual([]);
  expect(await violations(pipeline, tenant, [...open, before, after])).toEqual([]);
});

test('The stored item of a webhook with the maximum number of unfinished events is at most half as large as DynamoDB allows', async () => {
  const { claimsMax: most } = await vi.importActual<typeof import('../../../../core/deliveries/plan/claims.ts')>(
    '../../../../core/deliveries/plan/claims.ts',
  );
  const entries = Array.from({ length: most }, () => [newId(), [most, Date.UTC(2026, 11), 255]]);
  expect(itemSize({ claims: Object.fromEntries(entries) })).toBeLessThan(200 * 1_024);
});

test('Creating the deliveries of a new event does not change delivery numbers that are reserved for earlier events', async () => {
  const pipeline = begin({ losesStream: true, sweeper: false });
  const tenant = await noted(pipeline, 12);
  const { webhook, open } = tenant;
  const next = await pipeline.raise(tenant.tenantId);
  await Promise.all(plan([[next]]));
  expect(await notesOf(webhook)).toBe(13);
  await Promise.all(plan([open]));
  await pipeline.run();
  expect(await violations(pipeline, tenant, [...open, next])).toEqual([]);
});

test('If the message counters for the sending limit cannot be updated, no delivery of an event is created until a retry succeeds', async () => {
  const pipeline = begin({ losesStream: true });
  const tenant = await noted(pipeline, 1);
  const { webhook, open } = tenant;
  const next = await pipeline.raise(tenant.tenantId);
  const claims = ({ input }: Call) => input.Statements?.[0]?.Statement.startsWith('UPDATE') ?? false;
  const ends = await scripted([{ when: claims, fail: 'ThrottlingException' }], () =>
    Promise.allSettled(plan([open, [next]])),
  );
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await recordsOf(webhook.id)).toEqual([]);
  await pipeline.run();
  expect(await violations(pipeline, tenant, [...open, next])).toEqual([]);
});

test('Delivery numbers reserved for finished events are removed from a webhook, even if another webhook has 1500 of them', async () => {
  const pipeline = begin();
  const tenant = await newTenant(1);
  const hot = webhookOf(tenant);
  const stale = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, i) => [newId(), [i + 1, pipeline.now, 0] as const]),
  );
  await newWebhook(tenant.tenantId, tenant.keyId, { claims: stale, lastNumber: 1_500, events: ['review.created'] });
  const other = await newTenant(1);
  const sizes: number[] = [];
  for (let i = 0; i < 4; i++) {
    // Planned together with the events of the tenant.
    await pipeline.raise(other.tenantId);
    await pipeline.raiseMany(tenant.tenantId, 10);
    await pipeline.run();
    sizes.push(await notesOf(hot));
  }
  expect(Math.max(...sizes)).toBeLessThan(30);
});

test('An event that cannot be read stays in the outbox of unsent events and does not delay the deliveries of other events', async () => {
  const pipeline = begin({ losesStream: true });
  const tenant = await newTenant(1);
  const [good, bad] = [await pipeline.raise(tenant.tenantId), await pipeline.raise(tenant.tenantId)];
  const item = outboxPut(bad).Put.Item;
  await put('records', { ...item, data: '{' });
  const ends = await Promise.allSettled(plan([[good], [bad]]));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);

  const later = await pipeline.raise(tenant.tenantId);
  pipeline.advance(600_000);
  await pipeline.sweep();
  expect(pipeline.queues.events.bodies.map(parseEventMessage)).toEqual([
    [{ id: later.id, shard: later.shard, tenantId: tenant.tenantId, name: 'booking.created' }],
  ]);
  await put('records', { ...records.outbox(bad), ...item });
  await pipeline.run();
  expect(await violations(pipeline, tenant, [good, bad, later])).toEqual([]);
});

test('A queue message that contains an event id and the id of another business delivers the event to no webhook', async () => {
  const pipeline = begin({ losesStream: true });
  const [mine, other] = await Promise.all([newTenant(1), newTenant(1)]);
  const event = await pipeline.raise(mine.tenantId);
  const [end] = await Promise.allSettled(plan([[{ ...event, tenantId: other.tenantId }]]));
  expect(end).toMatchObject({ status: 'rejected' });
  for (const { id } of [...mine.webhooks, ...other.webhooks]) expect(await recordsOf(id)).toEqual([]);
  await pipeline.run();
  expect(await violations(pipeline, mine, [event])).toEqual([]);
  expect(await violations(pipeline, other, [])).toEqual([]);
});

/** One message with an event of each of several healthy businesses, and one of a business with a fault. */
async function bundle(pipeline: Pipeline, trouble: (tenant: Tenant) => Promise<void>) {
  const tenants = await Promise.all(Array.from({ length: 40 }, () => newTenant(1)));
  const events: Event[] = [];
  for (const { tenantId } of tenants) events.push(await pipeline.raise(tenantId));
  const troubled = tenants[20] as Tenant;
  await trouble(troubled);
  const [end] = await Promise.allSettled(plan([events]));
  expect(end?.status).toBe('rejected');
  expect((await outbox()).map(({ tenantId }) => tenantId)).toEqual([troubled.tenantId]);
  for (const { tenantId, webhooks } of tenants) {
    const planned = await recordsOf(webhooks[0]?.id ?? 0);
    expect(planned.map(({ id }) => id)).toEqual(tenantId === troubled.tenantId ? [] : [1]);
  }
  return { troubled, event: events[20] as Event, end };
}

test('A business whose webhooks cannot be read does not block events of other businesses', async () => {
  const pipeline = begin({ sweeper: false });
  const warned = vi.spyOn(log, 'warn').mockReturnValue(undefined);
  let unreadable: Script | undefined;
  const { troubled } = await bundle(pipeline, async ({ tenantId }) => {
    const ofTenant = ({ operation, input }: Call) =>
      operation === 'Query' && JSON.stringify(input).includes(String(tenantId));
    unreadable = scriptTest([{ when: ofTenant, fail: 'ThrottlingException' }]);
  });
  unreadable?.end();
  const { tenantId } = troubled;
  expect(warned.mock.calls.at(-1)?.[1]).toEqual({ tenantId, error: expect.any(Error) });
  pipeline.end();
  await begin().run();
});

test('A webhook whose stored item is invalid does not block events of other businesses', async () => {
  const pipeline = begin({ sweeper: false });
  const { troubled, event, end } = await bundle(pipeline, async ({ webhooks: [webhook] }) => {
    const [{ id } = { id: 0 }] = (await outbox()).filter(({ tenantId }) => tenantId === webhook?.tenantId);
    await put('deliveries', { ...webhook, claims: { [String(id)]: 'nonsense' }, lastNumber: 1 });
  });
  const [{ id } = { id: 0 }] = troubled.webhooks;
  expect(end).toMatchObject({ reason: { message: expect.stringContaining(`${id}`), cause: expect.any(Error) } });
  await put('deliveries', { ...troubled.webhooks[0] });
  pipeline.end();
  const later = begin();
  await later.run();
  expect(await violations(later, troubled, [event])).toEqual([]);
});

test('A delivery whose record is written an hour after its number was reserved has the time of the reservation as `createdAt`', async () => {
  const pipeline = begin({ sweeper: false });
  const tenant = await noted(pipeline, 1);
  const { webhook, open } = tenant;
  const takenAt = pipeline.now;
  pipeline.advance(3_600_000);
  await Promise.all(plan([open]));
  expect(await recordsOf(webhook.id)).toMatchObject([
    { createdAt: new Date(takenAt).toISOString(), dueAt: pipeline.now, deliveryStatus: 'pending' },
  ]);
});

test('If planning 300 events is interrupted, the 50 events that already have deliveries are not handled again', async () => {
  const pipeline = begin({ sweeper: false });
  const tenant = await newTenant(1);
  const webhook = webhookOf(tenant);
  const events = await pipeline.raiseMany(tenant.tenantId, 300);
  let queries = 0;
  const afterTwoQueries = ({ operation }: Call) => {
    if (operation === 'Query') queries += 1;
    return queries > 2;
  };
  await scripted([{ when: afterTwoQueries, fail: 'the end' }], () => Promise.allSettled(plan([events])));
  const left = (await outbox()).filter(({ tenantId }) => tenantId === tenant.tenantId);
  expect(left).toHaveLength(250);
  expect(await recordsOf(webhook.id)).toHaveLength(50);
});

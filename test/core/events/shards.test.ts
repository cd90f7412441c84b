/** The number of shards is raised while events are in every possible state. */

import { expect, test, vi } from 'vitest';
import { parseDeliveryBatch } from '../../../core/deliveries/model/batch.ts';
import type { Event } from '../../../core/events/event.ts';
import { getItem } from '../../../core/store/read.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { deleteWebhook } from '../../../core/webhooks/registry/delete-webhook.ts';
import type { Functions } from '../../support/functions.ts';
import { type Pipeline, refused } from '../../support/pipeline.ts';
import { newTenant, newWebhook, outbox, recordsOf, type Tenant, violations } from '../../support/pipeline-state.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { usePipeline } from '../../support/use-pipeline.ts';

const deployed = vi.hoisted(() => ({ shards: 8, mapping: 'carried' }));

vi.mock('../../../core/table-keys.ts', async (original) => {
  const real = await original<typeof import('../../../core/table-keys.ts')>();
  const { records } = real;
  return {
    ...real,
    get outboxShards() {
      return deployed.shards;
    },
    get webhookShards() {
      return deployed.shards;
    },
    records: {
      ...records,
      outbox: ({ id, shard }: { id: number; shard: number }) =>
        records.outbox({ id, shard: deployed.mapping === 'carried' ? shard : id % deployed.shards }),
    },
  };
});

const begin = usePipeline();

/** Nothing leaves the outbox: planned events are noted in the webhooks, and their messages are received again. */
const keepOutbox = () => scriptDynamo([{ when: 'BatchWriteItem', fail: 'ThrottlingException' }]);

/** Returns the violations at the end. */
async function raiseShards(mapping: 'carried' | 'computed'): Promise<{ found: string[]; tenant: Tenant }> {
  Object.assign(deployed, { shards: 8, mapping });
  let holds = true;
  const heldUp = (real: Functions): Partial<Functions> => ({
    plan: (event, context) =>
      holds
        ? Promise.resolve({ batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) })
        : real.plan(event, context),
  });
  const pipeline: Pipeline = begin({ functions: heldUp });
  const tenant = await newTenant(2);
  const events: Event[] = [];
  const wave = async (lost = false) => {
    events.push(...(await pipeline.raiseMany(tenant.tenantId, 15)));
    if (lost) pipeline.loseStream();
  };

  // Events are planned and noted, in the queue, lost by the stream, or in the stream: then the number is raised.
  holds = false;
  const script = keepOutbox();
  await wave();
  await pipeline.run(pipeline.now);
  script.end();
  holds = true;
  await wave();
  await pipeline.run(pipeline.now);
  await wave(true);
  await wave();
  expect((await outbox()).length).toBe(60);
  deployed.shards = 64;
  holds = false;
  await wave();
  await wave(true);
  await pipeline.run(pipeline.now + 3_600_000);
  return { found: await violations(pipeline, tenant, events), tenant };
}

test('Raising the number of partitions of the outbox from 8 to 64 neither loses nor duplicates undelivered events', async () => {
  const { found, tenant } = await raiseShards('carried');
  expect(found).toEqual([]);
  for (const { id } of tenant.webhooks) expect(await recordsOf(id)).toHaveLength(90);
});

test("Negative control: if an event's outbox partition is computed from its id, raising the number of partitions loses events", async () => {
  const { found } = await raiseShards('computed');
  expect(found.join('\n')).toMatch(/: 0 deliveries|still in the outbox/);
});

test('After the number of partitions of webhooks was raised, lost deliveries of an older webhook are still found and sent again', async () => {
  Object.assign(deployed, { shards: 8, mapping: 'carried' });
  const pipeline = begin({ answer: () => refused });
  const tenant = await newTenant(0);
  // This webhook would now be in another shard.
  let webhook = await newWebhook(tenant.tenantId, tenant.keyId);
  while (webhook.id % 64 < 8) webhook = await newWebhook(tenant.tenantId, tenant.keyId);
  deployed.shards = 64;
  await pipeline.raise(tenant.tenantId);
  await pipeline.run(pipeline.now);
  pipeline.queues.retries.take();
  pipeline.advance(3_600_000);
  await pipeline.sweepDeliveries();
  const sent = pipeline.queues.retries.bodies.flatMap(parseDeliveryBatch);
  expect(sent.map(({ webhookId }) => webhookId)).toContain(webhook.id);

  await deleteWebhook(keyPrincipal(tenant.tenantId, tenant.keyId), webhook);
  expect(await getItem('deliveries', deliveries.registration(webhook))).toBeUndefined();
});

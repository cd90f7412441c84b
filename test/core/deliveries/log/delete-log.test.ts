/** The log of a deleted webhook, and the log before a reset of the sandbox, are deleted (docs/rules.md#erasure). */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { deleteLog } from '../../../../core/deliveries/log/delete-log.ts';
import { erase } from '../../../../core/erasure/erase.ts';
import { parseErasure } from '../../../../core/erasure/message.ts';
import { inPartition, queryPage } from '../../../../core/store/read.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { context, type Pipeline, refused } from '../../../support/pipeline.ts';
import { newOwnWebhook, put, recordsOf } from '../../../support/pipeline-state.ts';
import { interceptErasures } from '../../../support/queue-and-bus.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
let pipeline: Pipeline;
beforeEach(() => {
  pipeline = begin();
});

test('After a sandbox reset, the log contains no attempt of an earlier delivery, not even a retry made after the reset', async () => {
  const { tenantId, keyId, webhook } = await newOwnWebhook();
  pipeline.answer = refused;
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now + 500);
  const before = pipeline.now + 1;
  await pipeline.run(pipeline.now + 70_000);
  expect(await recordsOf(webhook.id)).toHaveLength(2);
  await deleteLog({ tenantId, keyId, webhookId: webhook.id, before }, context);
  expect(await recordsOf(webhook.id)).toEqual([]);
});

test('All delivery records and statistics of a deleted webhook are deleted, even if this takes several function runs', async () => {
  const { key, id, webhook } = await newOwnWebhook();
  const segment = deliveries.segment(webhook.id, pipeline.now);
  await put('deliveries', segment);
  for (let number = 1; number <= 1_001; number++) await put('deliveries', deliveries.record(webhook.id, number));
  const sent: string[] = [];
  onTestFinished(interceptErasures(({ MessageBody = '' }) => sent.push(MessageBody)));
  await deleteWebhook(key, id);
  // A run without time deletes one page.
  for (let run = 1; run <= 3; run++) {
    const body = sent.shift() ?? '';
    await Promise.all(erase([parseErasure(body)], { getRemainingTimeInMillis: () => 0 }));
  }
  expect(await recordsOf(webhook.id)).toEqual([]);
  expect(await queryPage('deliveries', inPartition(segment.pk))).toMatchObject({ items: [] });
});

test('The delivery log of a webhook is not deleted if the deletion of the webhook failed', async () => {
  const { tenantId, keyId, webhook } = await newOwnWebhook();
  await put('deliveries', deliveries.record(webhook.id, 1));
  await deleteLog({ tenantId, keyId, webhookId: webhook.id }, context);
  expect(await recordsOf(webhook.id)).toHaveLength(1);
});

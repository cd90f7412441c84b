/** Planned deliveries without an attempt, for tests that call `deliver` themselves. */
import { expect } from 'vitest';
import { parseDeliveryBatch } from '../../core/deliveries/model/batch.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import type { Pipeline, PipelineOptions } from './pipeline.ts';
import { newOwnWebhook } from './pipeline-state.ts';

/** Messages of one new webhook. `begin` is the result of `usePipeline`; `fields` are attributes of the webhook. */
export async function plannedMessages(
  begin: (options: PipelineOptions) => Pipeline,
  count: number,
  fields: (now: number) => Partial<WebhookItem> = () => ({}),
) {
  const pipeline = begin({
    sweeper: false,
    functions: () => ({
      deliver: async ({ Records }) => ({
        batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
      }),
    }),
  });
  const { tenantId, webhook } = await newOwnWebhook(fields(pipeline.now));
  for (let i = 0; i < count; i++) await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now);
  const { deliveries, retries } = pipeline.queues;
  const messages = [...deliveries.take(), ...retries.take()].flatMap(parseDeliveryBatch);
  expect(messages).toHaveLength(count);
  return { pipeline, webhook, messages };
}

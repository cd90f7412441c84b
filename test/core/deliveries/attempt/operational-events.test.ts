/** Operational events of a webhook reach the bus, once, and no integrator (docs/rules.md#operational-events). */

import { expect, test, vi } from 'vitest';
import { webhookEventData } from '../../../../contract/system/operational-events.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import { webhookOf } from '../../../../core/webhooks/registry/webhook.ts';
import { duringTest } from '../../../support/during-test.ts';
import { collectMetrics } from '../../../support/emitted-metrics.ts';
import { ok, type PipelineOptions, refused } from '../../../support/pipeline.ts';
import { newOwnWebhook, outbox, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const injected = vi.hoisted(() => ({ anybodys: false }));
vi.mock(import('../../../../contract/system/operational-events.ts'), async (original) => {
  const real = await original();
  return { ...real, isOperational: (name): name is never => !injected.anybodys && real.isOperational(name) };
});

const beginPipeline = usePipeline();

interface Reported {
  readonly id: number;
  readonly name: string;
  readonly data: unknown;
}

/** A pipeline, and the events of webhooks on its bus. A message may come twice. */
function begin(options: PipelineOptions = {}) {
  const reportedNow = new Map<number, Reported>();
  const pipeline = beginPipeline({
    ...options,
    functions: (real) => ({
      plan: (event, context) => {
        for (const { body } of event.Records) {
          const { 'detail-type': name, detail } = JSON.parse(body);
          if (name.startsWith('webhook.'))
            for (const { id, data } of detail.events) reportedNow.set(id, { id, name, data });
        }
        return real.plan(event, context);
      },
    }),
  });
  return {
    pipeline,
    names: () => [...reportedNow.values()].sort((a, b) => a.id - b.id).map(({ name }) => name),
    reportedNow,
  };
}

test('An event is raised when three deliveries in a row to a webhook fail, when the webhook is disabled, and when it works again', async () => {
  const { pipeline, names, reportedNow } = begin();
  pipeline.answer = refused;
  const emitted = collectMetrics(() => pipeline.inside);
  const { tenantId, keyId, key, webhook } = await newOwnWebhook();
  await pipeline.raiseMany(tenantId, 7);
  const failedAt = pipeline.now;
  await pipeline.run();
  expect(names()).toEqual(['webhook.failing', 'webhook.disabled']);
  expect(await webhookNow(webhook)).toMatchObject({ status: 'failed', failingSince: new Date(failedAt).toISOString() });

  pipeline.answer = ok;
  await updateWebhook(key, webhook, { status: 'active' });
  await pipeline.raiseMany(tenantId, 3);
  await pipeline.run();
  expect(names()).toEqual(['webhook.failing', 'webhook.disabled', 'webhook.recovered']);
  const recovered = await webhookNow(webhook);
  expect(recovered).toMatchObject({ failingSince: null, disabledAt: null });
  expect(webhookOf(recovered).notice).toBe('webhook.recovered');
  const { id: webhookId } = webhook;
  const counted = emitted.filter(({ name }) => name.startsWith('Webhooks'));
  expect(counted.map(({ name, values, properties }) => [name, values, properties])).toEqual(
    ['WebhooksFailing', 'WebhooksDisabled', 'WebhooksRecovered'].map((name) => [name, [1], { webhookId }]),
  );
  const common = { webhookId, apiKeyId: keyId, mode: 'live' };
  expect(
    [...reportedNow.values()].sort((a, b) => a.id - b.id).map(({ data }) => webhookEventData.parse(data)),
  ).toMatchObject([
    { ...common, errorCode: 'http_status' },
    { ...common, status: 'failed', consecutiveFailures: 5, failingSince: new Date(failedAt).toISOString() },
    { ...common, status: 'active', consecutiveFailures: 0, failingSince: null, errorCode: null },
  ]);
  expect((await outbox()).filter((event) => event.tenantId === tenantId)).toEqual([]);
});

test.each(['before', 'after'] as const)(
  'Each event about the health of a webhook is raised once even if the process crashes %s any write or message',
  async (when) => {
    for (let at = 1; at <= 12; at++) {
      const { pipeline, names } = begin({ crash: { at, when } });
      const { tenantId } = await newOwnWebhook({ disabledAt: new Date(pipeline.now).toISOString() });
      await pipeline.raise(tenantId);
      await pipeline.run();
      expect(names(), `${when} effect ${at}`).toEqual(['webhook.recovered']);
    }
  },
);

test.each([
  ['An event about the health of a webhook is sent to no webhook, even to one that subscribed to it', false, 0],
  ['Negative control: a health event that is treated as an ordinary event is sent to the webhook', true, 1],
])('%s', async (_, anybodys, sent) => {
  duringTest(injected, { anybodys });
  const { pipeline, names } = begin();
  const { tenantId, webhook } = await newOwnWebhook({
    consecutiveFailures: 4,
    events: ['booking.created', 'webhook.recovered'] as never,
  });
  await pipeline.raise(tenantId);
  await pipeline.run();
  expect(names()).toEqual(['webhook.recovered']);
  const posted = pipeline.posts.filter(({ request }) => String(request.body).includes('webhook.recovered'));
  expect(posted).toHaveLength(sent);
  expect((await recordsOf(webhook.id)).filter(({ event }) => event === 'webhook.recovered')).toHaveLength(sent);
});

/** The delivery log is exact, and page 1000 costs as much as page 1 (docs/rules.md#delivery-records). */

import { beforeEach, expect, test } from 'vitest';
import { type EventName, eventNames } from '../../../../contract/events.ts';
import { limits } from '../../../../contract/limits.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { itemSize } from '../../../../packages/memory-dynamo/src/capacity.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import type { Pipeline } from '../../../support/pipeline.ts';
import { newOwnWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { scriptTest } from '../../../support/script-test.ts';
import type { Script } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
let pipeline: Pipeline;
let script: Script;
beforeEach(() => {
  pipeline = begin();
});

function delivery(
  webhook: WebhookItem,
  number: number,
  name: EventName,
  changes: Partial<DeliveryItem> = {},
): DeliveryItem {
  const response = { responseStatusCode: 200, responseTimeMs: 123, responseBody: '{"received":true}' };
  return endedDelivery(webhook, number, pipeline.now, { ...response, ...changes }, name);
}

async function webhookWithLog(count: number, change: (number: number) => Partial<DeliveryItem> = () => ({})) {
  const { webhook, ...own } = await newOwnWebhook({ lastNumber: count });
  const items = Array.from({ length: count }, (_, i) =>
    delivery(webhook, i + 1, eventNames[i % eventNames.length] ?? 'booking.created', change(i + 1)),
  );
  await Promise.all(items.map((item) => put('deliveries', item)));
  script = scriptTest([], { units: true });
  return { ...own, webhook };
}

test('The deliveries of a webhook are listed newest first, each once, with the exact total', async () => {
  const { id, key } = await webhookWithLog(47);
  const seen: number[] = [];
  for (let page = 1; page <= 5; page++) {
    const { data, total } = await listDeliveries(key, id, { page, limit: 10 });
    expect(total).toBe(47);
    seen.push(...data.map((record) => record.id));
  }
  expect(seen).toEqual(Array.from({ length: 47 }, (_, i) => 47 - i));
  expect(await listDeliveries(key, id, { page: 6, limit: 10 })).toEqual({ data: [], total: 47 });
});

test.each([0, 1])('The list of deliveries is complete if their number is %i', async (count) => {
  const { id, key } = await webhookWithLog(count);
  const { data, total } = await listDeliveries(key, id, {});
  expect([data.length, total]).toEqual([count, count]);
});

test('The 20 deliveries of a page cost at most 2 read units to read, on the first, middle and last page of the list', async () => {
  const { id, key } = await webhookWithLog(400);
  const costs: number[] = [];
  const limited = keyPrincipal(key.tenantId, key.id, ['webhooks:manage']);
  for (const [page, principal] of [
    [1, key],
    [10, key],
    [20, key],
    [20, limited],
  ] as const) {
    script.calls.length = 0;
    const { data } = await listDeliveries(principal, id, { page });
    expect(data).toHaveLength(20);
    expect(script.operations).toEqual(['GetItem', 'Query', 'Query']);
    const [, , rows] = script.calls;
    costs.push(rows?.units ?? Number.NaN);
    // The webhook and the oldest record cost one unit each.
    expect(script.units()).toBeLessThanOrEqual((rows?.units ?? 0) + 2);
  }
  for (const cost of costs) expect(cost).toBeLessThanOrEqual(2);
});

test('The list of deliveries leaves out records older than 30 days, even if DynamoDB has not deleted them', async () => {
  const past = Math.floor(pipeline.now / 1_000) - 10;
  const { id, key } = await webhookWithLog(60, (number) => (number <= 23 ? { expiresAtSeconds: past } : {}));
  const { data, total } = await listDeliveries(key, id, { limit: 100 });
  expect(total).toBe(37);
  expect(data.map((record) => record.id)).toEqual(Array.from({ length: 37 }, (_, i) => 60 - i));
  pipeline.advance((limits.deliveryRetentionDays + 1) * 86_400_000);
  expect(await listDeliveries(key, id, {})).toEqual({ data: [], total: 0 });
});

test('The list of deliveries contains a delivery that an eventually consistent read would miss', async () => {
  const { id, key } = await webhookWithLog(5);
  scriptTest([
    {
      when: ({ operation, input }) =>
        operation === 'Query' && input.ScanIndexForward === false && !input.ConsistentRead,
      answer: async (_, send) => ({ Items: (await send()).Items?.slice(1) ?? [] }),
    },
  ]);
  const { data } = await listDeliveries(key, id, {});
  expect(data.map((record) => record.id)).toEqual([5, 4, 3, 2, 1]);
});

test('For every event, the delivery record with the message body fits into one DynamoDB write unit', async () => {
  const { webhook } = await webhookWithLog(0);
  for (const name of eventNames) {
    expect(itemSize(delivery(webhook, 123_456, name)), name).toBeLessThanOrEqual(1_024);
  }
});

/** What one delivery shows of records that are late, gone, or were never sent (docs/rules.md#delivery-detail). */
import { expect, test } from 'vitest';
import { scopeNames } from '../../../../contract/scopes.ts';
import { timestamp } from '../../../../core/clock.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { getDelivery } from '../../../../core/deliveries/log/detail.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import { ok } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

/** A delivery with records under these numbers, of which the first is 1. */
async function scene(records: Readonly<Record<number, Partial<DeliveryItem>>>, first: Partial<DeliveryItem> = {}) {
  const pipeline = begin();
  const { tenantId, keyId } = await newTenant(0);
  const webhook = await newWebhook(tenantId, keyId, { lastNumber: 9 });
  const head = endedDelivery(webhook, 1, pipeline.now, first);
  const { body, ...attempt } = head;
  await put('deliveries', head);
  for (const [number, changes] of Object.entries(records)) {
    const { deliveryId } = head;
    const place = endedDelivery(webhook, Number(number), pipeline.now);
    await put('deliveries', { ...attempt, pk: place.pk, sk: place.sk, id: place.id, deliveryId, ...changes });
  }
  const named = { id: webhook.id, deliveryId: head.deliveryId };
  const key = keyPrincipal(tenantId, keyId);
  return { pipeline, head, key, named, owner: ownerPrincipal(tenantId), shown: () => getDelivery(key, named) };
}

test('A delivery with a missing later record shows the state of its newest existing record', async () => {
  const { shown } = await scene(
    {
      3: { attemptNumber: 2, deliveryStatus: 'retrying' },
      4: { attemptNumber: 3, deliveryStatus: 'retrying' },
      6: { attemptNumber: 5, deliveryStatus: 'failed' },
    },
    { laterRecords: [3, 4, 5, 6], deliveryStatus: 'retrying' },
  );
  const { attempts, deliveryStatus } = await shown();
  expect(attempts.map(({ id, attemptNumber }) => [id, attemptNumber])).toEqual([
    [1, 1],
    [3, 2],
    [4, 3],
    [6, 5],
  ]);
  expect(deliveryStatus).toBe('failed');
});

test('A delivery shows the request headers of the last attempt that was sent', async () => {
  const sentAt = Date.UTC(2026, 10, 24, 8, 30);
  const { shown } = await scene(
    { 2: { attemptNumber: 2, sentAt }, 3: { attemptNumber: 3, sentAt: undefined as never } },
    { laterRecords: [2, 3] },
  );
  const { attempts, message } = await shown();
  expect(attempts.map((one) => one.sentAt)).toEqual([expect.any(String), timestamp(sentAt), null]);
  expect(message.headers).toMatchObject({ 'X-Webhook-Timestamp': timestamp(sentAt) });
});

test('A delivery can be read until the second in which its 30 days end', async () => {
  const { pipeline, head, shown } = await scene({});
  pipeline.advance(head.expiresAtSeconds * 1_000 - pipeline.now - 1);
  expect(await shown()).toMatchObject({ deliveryId: head.deliveryId });
  pipeline.advance(1);
  await expect(shown()).rejects.toMatchObject({ code: 'not_found' });
});

test('An API key can read deliveries of events that it may receive, and all of its pings', async () => {
  const { key, named, shown } = await scene({}, { event: 'client.created' });
  const heard = (scopes: typeof scopeNames, deliveryId = named.deliveryId) =>
    getDelivery(keyPrincipal(key.tenantId, key.id, scopes), { ...named, deliveryId });
  expect(await heard(scopeNames)).toEqual(await shown());
  await expect(heard(['webhooks:manage'])).rejects.toMatchObject({ code: 'insufficient_scope' });
  for (const event of [undefined, 'client.created'] as const) {
    const { deliveryId } = await ping(key, named, { event }, async () => ok);
    expect(await heard(['webhooks:manage'], deliveryId)).toMatchObject({ event: event ?? 'ping' });
  }
});

/** All details of one delivery (docs/rules.md#delivery-detail). */

import { expect, test } from 'vitest';
import { scopeNames } from '../../../../contract/scopes.ts';
import { runWithRequestId } from '../../../../core/cause.ts';
import { timestamp } from '../../../../core/clock.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { getDelivery } from '../../../../core/deliveries/log/detail.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import { listAllDeliveries } from '../../../../core/deliveries/log/list-all.ts';
import { redeliver } from '../../../../core/deliveries/log/redeliver.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import { ok, refused } from '../../../support/pipeline.ts';
import { newOwnWebhook, newWebhook, put, recordsOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { scriptDynamo } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

/** A delivery that failed six times and was then sent manually. Records of another one lie between its own. */
async function sentAgain() {
  const pipeline = begin();
  pipeline.answer = refused;
  const own = await newOwnWebhook();
  await pipeline.raise(own.tenantId);
  await pipeline.raise(own.tenantId);
  await pipeline.run();
  const [{ deliveryId = '' } = {}] = await recordsOf(own.webhook.id);
  pipeline.answer = ok;
  await redeliver(own.key, { ...own.id, deliveryId });
  await pipeline.run();
  return { ...own, pipeline, deliveryId };
}

test("A delivery is shown with all attempts in order, its exact body, and the newest attempt's headers except signatures", async () => {
  const { pipeline, key, id, webhook, deliveryId } = await sentAgain();
  const shown = await getDelivery(key, { ...id, deliveryId });
  const { data, total } = await listDeliveries(key, id, { limit: 100 });
  expect(total).toBe(13);
  const own = data.filter((one) => one.deliveryId === deliveryId).reverse();
  expect(shown.attempts.map(({ sentAt, requestId, ...record }) => record)).toEqual(own);
  expect(shown.attempts.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(shown).toMatchObject({ deliveryId, webhookId: webhook.id, event: 'booking.created' });
  expect(shown).toMatchObject({ deliveryStatus: 'success', createdAt: own[0]?.createdAt });
  const sent = pipeline.posts.filter((post) => post.deliveryId === deliveryId);
  expect(shown.attempts.map(({ sentAt }) => sentAt)).toEqual(
    sent.map(({ request }) => request.headers['X-Webhook-Timestamp']),
  );
  const { headers, body } = sent.at(-1)?.request ?? { headers: {} as Record<string, string>, body: '' };
  const { 'X-Webhook-Signature': ours, 'webhook-signature': standard, ...unsigned } = headers;
  expect(ours && standard).toBeTruthy();
  expect(shown.message).toEqual({ headers: unsigned, body });
});

test('A delivery that is never sent, because its webhook is disabled, has no `sentAt` time', async () => {
  const pipeline = begin();
  const { key, id, tenantId, webhook } = await newOwnWebhook({ status: 'failed' });
  await pipeline.raise(tenantId);
  await pipeline.run();
  const [{ deliveryId = '' } = {}] = await recordsOf(webhook.id);
  const { message, attempts } = await getDelivery(key, { ...id, deliveryId });
  expect(attempts).toMatchObject([{ sentAt: null, errorCode: 'webhook_disabled' }]);
  expect(Object.keys(message.headers).sort()).toEqual([
    'Content-Type',
    'User-Agent',
    'X-Webhook-Delivery',
    'X-Webhook-Event',
    'webhook-id',
  ]);
});

test('The details of a ping of a webhook are shown like those of a delivery', async () => {
  const pipeline = begin();
  const { key, id } = await newOwnWebhook();
  const { deliveryId } = await runWithRequestId('asked-by-this', () => ping(key, id, {}, async () => refused));
  const shown = await getDelivery(key, { ...id, deliveryId });
  expect(shown).toMatchObject({ event: 'ping', deliveryStatus: 'failed' });
  expect(shown.attempts).toMatchObject([
    { trigger: 'ping', sentAt: timestamp(pipeline.now), requestId: 'asked-by-this' },
  ]);
  expect(JSON.parse(shown.message.body)).toMatchObject({ id: deliveryId, event: 'ping', data: { webhookId: id.id } });
});

test('Reading a delivery costs three DynamoDB calls, however many other deliveries its webhook has', async () => {
  const { pipeline, key, webhook, deliveryId } = await sentAgain();
  await pipeline.raiseMany(webhook.tenantId, 30);
  await pipeline.run();
  using script = scriptDynamo([], { units: true });
  await getDelivery(key, { id: webhook.id, deliveryId });
  expect(script.operations.toSorted()).toEqual(['BatchGetItem', 'GetItem', 'GetItem']);
  // Each record costs one unit, and so does the webhook.
  expect(script.units()).toBeLessThanOrEqual(7 + 1);
});

test('A request for a delivery that is unknown, or belongs to another webhook, gets 404', async () => {
  const { key, webhook, deliveryId } = await sentAgain();
  const sibling = await newWebhook(key.tenantId, key.id);
  const unknown = [
    [webhook.id, 'dlv_nothing'],
    [webhook.id, `${deliveryId.slice(0, -1)}z`],
    [webhook.id, `${deliveryId.slice(0, -1)}3`],
    [sibling.id, deliveryId],
  ] as const;
  for (const [id, name] of unknown) {
    await expect(getDelivery(key, { id, deliveryId: name }), name).rejects.toMatchObject({ code: 'not_found' });
  }
});

/** A delivery with records under these numbers, the first of which is 1. */
async function recorded(records: Readonly<Record<number, Partial<DeliveryItem>>>, first: Partial<DeliveryItem> = {}) {
  const pipeline = begin();
  const { key, id, webhook } = await newOwnWebhook({ lastNumber: 9 });
  const delivery = endedDelivery(webhook, 1, pipeline.now, first);
  const { body, ...attempt } = delivery;
  await put('deliveries', delivery);
  for (const [number, changes] of Object.entries(records)) {
    const { deliveryId } = delivery;
    const { pk, sk, id: own } = endedDelivery(webhook, Number(number), pipeline.now);
    await put('deliveries', { ...attempt, pk, sk, id: own, deliveryId, ...changes });
  }
  const named = { ...id, deliveryId: delivery.deliveryId };
  return { pipeline, webhook, delivery, key, named, shown: () => getDelivery(key, named) };
}

test('A delivery shows the state of its newest record and the headers of the last sent attempt, even if a record is missing', async () => {
  const sentAt = Date.UTC(2026, 10, 24, 8, 30);
  const { shown } = await recorded(
    {
      3: { attemptNumber: 2, deliveryStatus: 'retrying' },
      4: { attemptNumber: 3, deliveryStatus: 'retrying', sentAt },
      6: { attemptNumber: 5, deliveryStatus: 'failed', sentAt: undefined as never },
    },
    { laterRecords: [3, 4, 5, 6], deliveryStatus: 'retrying' },
  );
  const { attempts, deliveryStatus, message } = await shown();
  expect(attempts.map(({ id, attemptNumber }) => [id, attemptNumber])).toEqual([
    [1, 1],
    [3, 2],
    [4, 3],
    [6, 5],
  ]);
  expect(deliveryStatus).toBe('failed');
  expect(attempts.slice(2).map((one) => one.sentAt)).toEqual([timestamp(sentAt), null]);
  expect(message.headers).toMatchObject({ 'X-Webhook-Timestamp': timestamp(sentAt) });
});

test('A delivery can be read for exactly 30 days, and then gets 404', async () => {
  const { pipeline, delivery, shown } = await recorded({});
  pipeline.advance(delivery.expiresAtSeconds * 1_000 - pipeline.now - 1);
  expect(await shown()).toMatchObject({ deliveryId: delivery.deliveryId });
  pipeline.advance(1);
  await expect(shown()).rejects.toMatchObject({ code: 'not_found' });
});

test.each([
  ['a client', 'client.created'],
  ['a booking with metadata', 'booking.created'],
] as const)(
  'An API key without the scope bookings:read cannot read a delivery about %s, but can read a ping with the same event',
  async (_, event) => {
    const { key, named, shown } = await recorded({}, { event });
    const shownTo = (scopes: typeof scopeNames, deliveryId = named.deliveryId) =>
      getDelivery(keyPrincipal(key.tenantId, key.id, scopes), { ...named, deliveryId });
    expect(await shownTo(scopeNames)).toEqual(await shown());
    await expect(shownTo(['webhooks:manage'])).rejects.toMatchObject({ code: 'insufficient_scope' });
    for (const pinged of [undefined, event]) {
      const { deliveryId } = await ping(key, named, { event: pinged }, async () => ok);
      expect(await shownTo(['webhooks:manage'], deliveryId)).toMatchObject({ event: pinged ?? 'ping' });
    }
  },
);

test("A list of deliveries hides a receiver's response to a message that the API key may not read: it may repeat the message", async () => {
  const responseBody = 'Saved Jane Canary';
  // The second attempt of this delivery has a record without the message.
  const { pipeline, webhook, key, named } = await recorded({ 5: {} }, { event: 'client.created', responseBody });
  const open = endedDelivery(webhook, 2, pipeline.now, { responseBody: 'Saved a haircut' }, 'service.updated');
  const { body: _, ...retried } = open;
  const { pk, sk, id } = endedDelivery(webhook, 3, pipeline.now);
  await put('deliveries', open);
  await put('deliveries', { ...retried, pk, sk, id, responseBody: 'Saved it again' });
  // The booking has metadata.
  await put('deliveries', endedDelivery(webhook, 4, pipeline.now, { responseBody: 'Saved a booking' }));
  // A ping contains only example data.
  await ping(key, named, { event: 'client.created' }, async () => ({ ...ok, body: 'pong' }));
  const listedTo = async (scopes: typeof scopeNames) => {
    const principal = keyPrincipal(key.tenantId, key.id, scopes);
    const lists = await Promise.all([listDeliveries(principal, named, {}), listAllDeliveries(principal, {})]);
    return lists.map(({ data }) => data.map((one) => [one.event, one.responseBody]));
  };
  const listed = (ofBooking: string | null, ofClient: string | null) => [
    ['client.created', 'pong'],
    ['client.created', ofClient],
    ['booking.created', ofBooking],
    ['service.updated', 'Saved it again'],
    ['service.updated', 'Saved a haircut'],
    ['client.created', ofClient],
  ];
  expect(await listedTo(['webhooks:manage'])).toEqual(Array(2).fill(listed(null, null)));
  // Negative control: the key that may read the message also gets the response.
  expect(await listedTo(scopeNames)).toEqual(Array(2).fill(listed('Saved a booking', responseBody)));
});

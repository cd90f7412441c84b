/** Manual redelivery (docs/rules.md#redelivery). */
import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { timestamp } from '../../../../core/clock.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { redeliver } from '../../../../core/deliveries/log/redeliver.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import { interfering } from '../../../support/interfere.ts';
import { outcomes } from '../../../support/outcomes.ts';
import { type Answer, ok, refused } from '../../../support/pipeline.ts';
import { newOwnWebhook, newWebhook, put, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

/** A delivery to a receiver that gave the same response to all attempts. */
async function delivered(answer: Answer) {
  const pipeline = begin();
  pipeline.answer = answer;
  const own = await newOwnWebhook();
  await pipeline.raise(own.tenantId);
  await pipeline.run();
  const deliveryId = (await recordsOf(own.webhook.id)).at(-1)?.deliveryId ?? '';
  return { ...own, pipeline, deliveryId, redeliver: () => redeliver(own.key, { ...own.id, deliveryId }) };
}

test('A redelivery sends the id and body of the original message, and a successful one resets the failure counter of the webhook', async () => {
  const { pipeline, webhook, deliveryId, redeliver } = await delivered(refused);
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 1 });
  expect(await redeliver()).toEqual({
    id: 7,
    event: 'booking.created',
    deliveryId,
    responseStatusCode: 0,
    responseTimeMs: 0,
    deliveryStatus: 'pending',
    attemptNumber: 7,
    errorMessage: null,
    createdAt: timestamp(pipeline.now),
    errorCode: null,
    nextAttemptAt: null,
    responseBody: null,
    trigger: 'manual',
  });
  pipeline.answer = ok;
  await pipeline.run();
  expect((await recordsOf(webhook.id)).at(-1)).toMatchObject({ id: 7, deliveryStatus: 'success', attemptNumber: 7 });
  expect(new Set(pipeline.posts.map(({ request }) => String(request.body))).size).toBe(1);
  expect(new Set(pipeline.posts.map((post) => post.deliveryId))).toEqual(new Set([deliveryId]));
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 0, lastNumber: 7 });
});

test('A failed redelivery is neither retried nor counted as a failure, and a delivery can be redelivered at most ten times', async () => {
  const { pipeline, webhook, redeliver } = await delivered(ok);
  pipeline.answer = refused;
  for (let attemptNumber = 2; attemptNumber <= 11; attemptNumber++) {
    expect(await redeliver()).toMatchObject({ attemptNumber });
    await pipeline.run();
    expect((await recordsOf(webhook.id)).at(-1)).toMatchObject({
      attemptNumber,
      deliveryStatus: 'failed',
      nextAttemptAt: null,
      errorCode: 'http_status',
    });
  }
  await expect(redeliver()).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('had 10 manual attempts'),
  });
  expect(pipeline.posts).toHaveLength(11);
  expect(await webhookNow(webhook)).toMatchObject({ consecutiveFailures: 0, status: 'active', lastNumber: 11 });
});

test('Of ten concurrent redeliveries of one delivery, only one is carried out', async () => {
  const { pipeline, webhook, redeliver } = await delivered(ok);
  const { won, codes } = await outcomes(Array.from({ length: 10 }, redeliver));
  expect([won.length, codes]).toEqual([1, Array(9).fill('invalid_state')]);
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(2);
  expect((await recordsOf(webhook.id)).map(({ id }) => id)).toEqual([1, 2]);
});

test('Redelivering an expired delivery or one of another webhook gets 404, and a ping of a webhook cannot be redelivered', async () => {
  const { pipeline, key, id, deliveryId } = await delivered(ok);
  const notFound = { code: 'not_found' };
  const other = await newWebhook(key.tenantId, key.id);
  await expect(redeliver(key, { id: other.id, deliveryId })).rejects.toMatchObject(notFound);
  const pinged = await ping(key, id, {}, async () => ok);
  await expect(redeliver(key, { ...id, deliveryId: pinged.deliveryId })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  pipeline.advance(limits.deliveryRetentionDays * 86_400_000 + 1_000);
  await expect(redeliver(key, { ...id, deliveryId })).rejects.toMatchObject(notFound);
});

test('If SQS does not accept the message of a redelivery, a scheduled search for lost deliveries sends it later', async () => {
  const { pipeline, redeliver } = await delivered(ok);
  pipeline.refuseMessages = Array.from({ length: 4 }, () => [0]);
  await redeliver();
  expect(pipeline.queues.retries.bodies).toEqual([]);
  pipeline.advance(3_600_000);
  await pipeline.sweepDeliveries();
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(2);
});

/** A delivery with only the record of its first attempt. */
async function recorded(changes: Partial<DeliveryItem> = {}) {
  const pipeline = begin();
  const { key, id, webhook } = await newOwnWebhook({ lastNumber: 1 });
  const first = endedDelivery(webhook, 1, pipeline.now, changes);
  await put('deliveries', first);
  const call = () => redeliver(key, { ...id, deliveryId: first.deliveryId });
  return { first, call, records: () => recordsOf(webhook.id) };
}

test.each<[string, Partial<DeliveryItem>, RegExp]>([
  ['will be attempted again', { state: 'retrying' }, /^The delivery has not ended: another attempt/],
  ['was not attempted yet', { state: 'pending' }, /^The delivery has not ended/],
])('Redelivering an unfinished delivery is refused with the reason (a delivery that %s)', async (_, changes, why) => {
  const { call, records } = await recorded(changes);
  await expect(call()).rejects.toMatchObject({ code: 'invalid_state', message: expect.stringMatching(why) });
  expect(await records()).toHaveLength(1);
});

test('A delivery can be redelivered even if the record of its last redelivery has expired', async () => {
  const { call } = await recorded({ lastRedelivery: 9, laterRecords: [9], attempts: 2 });
  expect(await call()).toMatchObject({ attemptNumber: 3 });
});

test('A redelivery gets the next free attempt number even if another attempt of the delivery is recorded concurrently', async () => {
  const { call, first } = await recorded();
  const changed = put.bind(undefined, 'deliveries', { ...first, attempts: 4 });
  const record = await interfering({ when: (writes) => writes.length > 1, first: changed }, () => call());
  expect(record).toMatchObject({ attemptNumber: 5 });
});

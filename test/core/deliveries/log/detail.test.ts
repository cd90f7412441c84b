/** One delivery in full (docs/rules.md#delivery-detail). */

import { describe, expect, test } from 'vitest';
import { serving } from '../../../../core/cause.ts';
import { timestamp } from '../../../../core/clock.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { getDelivery } from '../../../../core/deliveries/log/detail.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import { redeliver } from '../../../../core/deliveries/log/redeliver.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { type Answer, ok, type Pipeline, refused } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, recordsOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../../support/principals.ts';
import { scriptDynamo } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

interface Scene {
  readonly pipeline: Pipeline;
  readonly webhook: WebhookItem;
  readonly key: TestKey;
  answer: Answer;
}

/** A delivery that was made six times in vain, and then sent again by hand. Another one's records lie between its own. */
async function sentAgain(): Promise<Scene & { readonly deliveryId: string }> {
  const pipeline = begin({ answer: () => made.answer });
  const { tenantId, keyId } = await newTenant(0);
  const webhook = await newWebhook(tenantId, keyId);
  const made: Scene = { pipeline, webhook, key: keyPrincipal(tenantId, keyId), answer: refused };
  await pipeline.raise(tenantId);
  await pipeline.raise(tenantId);
  await pipeline.run();
  const [{ deliveryId = '' } = {}] = await recordsOf(webhook.id);
  made.answer = ok;
  await redeliver(made.key, { id: webhook.id, deliveryId });
  await pipeline.run();
  return { ...made, deliveryId };
}

describe('a delivery', () => {
  test('A delivery is shown with all its attempts in order, without records of other deliveries', async () => {
    const { key, webhook, deliveryId } = await sentAgain();
    const shown = await getDelivery(key, { id: webhook.id, deliveryId });
    const { data, total } = await listDeliveries(key, { id: webhook.id }, { limit: 100 });
    expect(total).toBe(13);
    const own = data.filter((one) => one.deliveryId === deliveryId).reverse();
    expect(shown.attempts.map(({ sentAt, requestId, ...record }) => record)).toEqual(own);
    expect(shown.attempts.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(shown).toMatchObject({ deliveryId, webhookId: webhook.id, event: 'booking.created' });
    expect(shown).toMatchObject({ deliveryStatus: 'success', createdAt: own[0]?.createdAt });
  });

  test('A delivery shows the message byte for byte and the headers of the newest attempt, but no signature', async () => {
    const { pipeline, key, webhook, deliveryId } = await sentAgain();
    const { message, attempts } = await getDelivery(key, { id: webhook.id, deliveryId });
    const sent = pipeline.posts.filter((post) => post.deliveryId === deliveryId);
    expect(attempts.map(({ sentAt }) => sentAt)).toEqual(
      sent.map(({ request }) => request.headers['X-Webhook-Timestamp']),
    );
    const { headers, body } = sent.at(-1)?.request ?? { headers: {} as Record<string, string>, body: '' };
    const { 'X-Webhook-Signature': ours, 'webhook-signature': standard, ...unsigned } = headers;
    expect(ours && standard).toBeTruthy();
    expect(message).toEqual({ headers: unsigned, body });
  });

  test('A delivery that has not been sent has no time of sending', async () => {
    const pipeline = begin();
    const { tenantId, keyId } = await newTenant(0);
    const webhook = await newWebhook(tenantId, keyId, { status: 'failed' });
    await pipeline.raise(tenantId);
    await pipeline.run();
    const [{ deliveryId = '' } = {}] = await recordsOf(webhook.id);
    const { message, attempts } = await getDelivery(keyPrincipal(tenantId, keyId), { id: webhook.id, deliveryId });
    expect(attempts).toMatchObject([{ sentAt: null, errorCode: 'webhook_disabled' }]);
    expect(Object.keys(message.headers).sort()).toEqual([
      'Content-Type',
      'User-Agent',
      'X-Webhook-Delivery',
      'X-Webhook-Event',
      'webhook-id',
    ]);
  });

  test('A ping is shown like a delivery', async () => {
    const pipeline = begin();
    const { tenantId, keyId } = await newTenant(0);
    const key = keyPrincipal(tenantId, keyId);
    const { id } = await newWebhook(tenantId, keyId);
    const { deliveryId } = await serving('asked-by-this', () => ping(key, { id }, {}, async () => refused));
    const shown = await getDelivery(key, { id, deliveryId });
    expect(shown).toMatchObject({ event: 'ping', deliveryStatus: 'failed' });
    expect(shown.attempts).toMatchObject([
      { trigger: 'ping', sentAt: timestamp(pipeline.now), requestId: 'asked-by-this' },
    ]);
    expect(JSON.parse(shown.message.body)).toMatchObject({ id: deliveryId, event: 'ping', data: { webhookId: id } });
  });

  test('Reading a delivery costs three DynamoDB calls, however many other records the delivery log has', async () => {
    const { pipeline, key, webhook, deliveryId } = await sentAgain();
    for (let i = 0; i < 30; i++) await pipeline.raise(webhook.tenantId);
    await pipeline.run();
    using script = scriptDynamo([], { units: true });
    await getDelivery(key, { id: webhook.id, deliveryId });
    expect(script.operations.toSorted()).toEqual(['BatchGetItem', 'GetItem', 'GetItem']);
    // One for each record, and one for the webhook.
    expect(script.units()).toBeLessThanOrEqual(7 + 1);
  });
});

describe('deliveries that are not found', () => {
  test('A request for an unknown delivery, or one of another webhook, API key or business, gets 404', async () => {
    const { key, webhook, deliveryId } = await sentAgain();
    const other = await newTenant(0);
    const sibling = await newWebhook(key.tenantId, key.id);
    const asked = [
      [key, webhook.id, 'dlv_nothing'],
      [key, webhook.id, `${deliveryId.slice(0, -1)}z`],
      [key, webhook.id, `${deliveryId.slice(0, -1)}3`],
      [key, sibling.id, deliveryId],
      [keyPrincipal(key.tenantId, other.keyId), webhook.id, deliveryId],
      [keyPrincipal(other.tenantId, other.keyId), webhook.id, deliveryId],
    ] as const;
    for (const [by, id, name] of asked) {
      await expect(getDelivery(by, { id, deliveryId: name }), name).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

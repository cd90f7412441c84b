/** Redelivery and recovery (docs/rules.md#redelivery, #recovery). */

import { describe, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { timestamp } from '../../../../core/clock.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { redeliver } from '../../../../core/deliveries/log/redeliver.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { type Answer, ok, type Pipeline, refused } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, put, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

vi.setConfig({ testTimeout: 60_000 });

const begin = usePipeline();

interface Scene {
  readonly pipeline: Pipeline;
  readonly webhook: WebhookItem;
  readonly key: TestKey;
  /** What the receiver answers from now on. */
  answer: Answer;
}

async function scene(changes: Partial<WebhookItem> = {}): Promise<Scene> {
  const pipeline = begin({ answer: () => made.answer });
  const { tenantId, keyId } = await newTenant(0);
  const webhook = await newWebhook(tenantId, keyId, changes);
  const made: Scene = { pipeline, webhook, key: keyPrincipal(tenantId, keyId), answer: refused };
  return made;
}

async function deliver(one: Scene, answer: Answer): Promise<string> {
  one.answer = answer;
  await one.pipeline.raise(one.key.tenantId);
  await one.pipeline.run();
  const all = await recordsOf(one.webhook.id);
  return all.at(-1)?.deliveryId ?? '';
}

async function setWebhook(webhook: WebhookItem, changes: Partial<WebhookItem>): Promise<void> {
  await put('deliveries', { ...(await webhookNow(webhook)), ...changes });
}

describe('redelivery', () => {
  test('A redelivery continues the attempt numbers, sends the same id and body, and resets the failure counter on success', async () => {
    const one = await scene();
    const deliveryId = await deliver(one, refused);
    expect(await webhookNow(one.webhook)).toMatchObject({ consecutiveFailures: 1 });
    const record = await redeliver(one.key, { id: one.webhook.id, deliveryId });
    expect(record).toEqual({
      id: 7,
      event: 'booking.created',
      deliveryId,
      responseStatusCode: 0,
      responseTimeMs: 0,
      deliveryStatus: 'pending',
      attemptNumber: 7,
      errorMessage: null,
      createdAt: timestamp(one.pipeline.now),
      errorCode: null,
      nextAttemptAt: null,
      responseBody: null,
      trigger: 'manual',
    });
    one.answer = ok;
    await one.pipeline.run();
    expect((await recordsOf(one.webhook.id)).at(-1)).toMatchObject({
      id: 7,
      deliveryStatus: 'success',
      attemptNumber: 7,
    });
    expect(new Set(one.pipeline.posts.map(({ request }) => String(request.body))).size).toBe(1);
    expect(new Set(one.pipeline.posts.map((post) => post.deliveryId))).toEqual(new Set([deliveryId]));
    expect(await webhookNow(one.webhook)).toMatchObject({ consecutiveFailures: 0, lastNumber: 7 });
  });

  test('A failed redelivery is neither retried nor counted as a failure, and the delivery may be redelivered again', async () => {
    const one = await scene();
    const deliveryId = await deliver(one, ok);
    for (const attemptNumber of [2, 3, 4]) {
      one.answer = refused;
      expect(await redeliver(one.key, { id: one.webhook.id, deliveryId })).toMatchObject({ attemptNumber });
      await one.pipeline.run();
      expect((await recordsOf(one.webhook.id)).at(-1)).toMatchObject({
        attemptNumber,
        deliveryStatus: 'failed',
        nextAttemptAt: null,
        errorCode: 'http_status',
      });
    }
    expect(one.pipeline.posts).toHaveLength(4);
    expect(await webhookNow(one.webhook)).toMatchObject({ consecutiveFailures: 0, status: 'active', lastNumber: 4 });
  });

  test('Of ten concurrent redeliveries of one delivery, only one is carried out', async () => {
    const one = await scene();
    const deliveryId = await deliver(one, ok);
    const calls = Array.from({ length: 10 }, () => redeliver(one.key, { id: one.webhook.id, deliveryId }));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const call of settled) {
      if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'invalid_state' });
    }
    await one.pipeline.run();
    expect(one.pipeline.posts).toHaveLength(2);
    expect((await recordsOf(one.webhook.id)).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('A redelivery that falls due on a disabled webhook sends nothing, and its record says so', async () => {
    const one = await scene();
    const deliveryId = await deliver(one, ok);
    await redeliver(one.key, { id: one.webhook.id, deliveryId });
    await setWebhook(one.webhook, { status: 'failed' });
    await one.pipeline.run();
    expect(one.pipeline.posts).toHaveLength(1);
    expect((await recordsOf(one.webhook.id)).at(-1)).toMatchObject({
      deliveryStatus: 'failed',
      errorCode: 'webhook_disabled',
      trigger: 'manual',
    });
  });

  test("Redelivering an unknown, expired or other business's delivery gets 404, and a ping cannot be redelivered", async () => {
    const one = await scene();
    const deliveryId = await deliver(one, ok);
    const other = await newWebhook(one.key.tenantId, one.key.id);
    const foreign = await newTenant(1);
    const cases: [typeof one.key, number, string][] = [
      [one.key, one.webhook.id, 'dlv_nonsense'],
      [one.key, one.webhook.id, `${deliveryId}0`],
      [one.key, other.id, deliveryId],
      [keyPrincipal(foreign.tenantId, foreign.keyId), one.webhook.id, deliveryId],
      [keyPrincipal(one.key.tenantId, foreign.keyId), one.webhook.id, deliveryId],
    ];
    for (const [key, id, text] of cases) {
      await expect(redeliver(key, { id, deliveryId: text }), text).rejects.toMatchObject({ code: 'not_found' });
    }
    const pinged = await ping(one.key, { id: one.webhook.id }, {}, async () => ok);
    await expect(redeliver(one.key, { id: one.webhook.id, deliveryId: pinged.deliveryId })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    one.pipeline.advance(limits.deliveryRetentionDays * 86_400_000 + 1_000);
    await expect(redeliver(one.key, { id: one.webhook.id, deliveryId })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('A redelivery whose queue message was refused is sent by the sweeper', async () => {
    const one = await scene();
    const deliveryId = await deliver(one, ok);
    one.pipeline.refuseMessages = Array.from({ length: 4 }, () => [0]);
    await redeliver(one.key, { id: one.webhook.id, deliveryId });
    expect(one.pipeline.queues.retries.bodies).toEqual([]);
    one.pipeline.advance(3_600_000);
    await one.pipeline.sweepDeliveries();
    await one.pipeline.run();
    expect(one.pipeline.posts.filter((post) => post.deliveryId === deliveryId)).toHaveLength(2);
  });
});

describe('recovery', () => {
  const everything = { since: '2020-01-01T00:00:00Z' };

  test('A recovery redelivers the deliveries that failed in its period, and none that succeeded or are still in progress', async () => {
    const one = await scene();
    const before = await deliver(one, refused);
    one.pipeline.advance(60_000);
    const since = timestamp(one.pipeline.now);
    const failed = await deliver(one, refused);
    await deliver(one, ok);
    const saved = await deliver(one, refused);
    one.answer = ok;
    await redeliver(one.key, { id: one.webhook.id, deliveryId: saved });
    await one.pipeline.run();
    const failedTwice = await deliver(one, refused);
    await redeliver(one.key, { id: one.webhook.id, deliveryId: failedTwice });
    await one.pipeline.run();
    const until = timestamp(one.pipeline.now);
    one.pipeline.advance(60_000);
    const after = await deliver(one, refused);
    await one.pipeline.raise(one.key.tenantId);
    await one.pipeline.run(one.pipeline.now + 500);
    const posts = one.pipeline.posts.length;
    one.answer = ok;
    expect(await recover(one.key, { id: one.webhook.id }, { since, until })).toMatchObject({ matched: 2 });
    await one.pipeline.run(one.pipeline.now + 500);
    const sent = one.pipeline.posts.slice(posts).map(({ deliveryId }) => deliveryId);
    expect(sent.sort()).toEqual([failed, failedTwice].sort());
    expect(sent).not.toContain(before);
    expect(sent).not.toContain(after);
  });

  test('A recovery of 120 deliveries uses several transactions and numbers the new records without gaps', async () => {
    const one = await scene({ status: 'failed' });
    for (let i = 0; i < 120; i++) await one.pipeline.raise(one.key.tenantId);
    await one.pipeline.run();
    await setWebhook(one.webhook, { status: 'active' });
    one.answer = ok;
    expect(await recover(one.key, { id: one.webhook.id }, everything)).toMatchObject({ matched: 120 });
    await one.pipeline.run();
    expect(one.pipeline.posts).toHaveLength(120);
    const all = await recordsOf(one.webhook.id);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 240 }, (_, i) => i + 1));
    const { total } = await listDeliveries(one.key, { id: one.webhook.id }, {});
    expect(total).toBe(240);
  });

  test('Recovering the webhook of another API key gets 404', async () => {
    const one = await scene();
    const other = await newTenant(0);
    await expect(
      recover(keyPrincipal(other.tenantId, other.keyId), { id: one.webhook.id }, everything),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

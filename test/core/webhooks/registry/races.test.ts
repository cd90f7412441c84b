/** Management under concurrency: ten active webhooks a key, reactivation, deletion and rotation in between. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { dynamo } from '../../../../core/clients.ts';
import { deliveries, secrets } from '../../../../core/table-keys.ts';
import { createWebhook } from '../../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { getWebhook, listWebhooks } from '../../../../core/webhooks/registry/read.ts';
import { rotateSecret } from '../../../../core/webhooks/registry/signing-secret.ts';
import { webhooksOf } from '../../../../core/webhooks/registry/store.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import { hmacSha256 } from '../../../../core/webhooks/sender/signature.ts';
import { tableName } from '../../../support/dynamo.ts';
import { ok, refused } from '../../../support/pipeline.ts';
import { newTenant, put, recordsOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../../support/principals.ts';
import { onEmulator } from '../../../support/tables.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

/** Dozens of contending transactions, on whatever machine. */
vi.setConfig({ testTimeout: 120_000 });

const begin = usePipeline(onEmulator());
const { activeWebhooksPerKey } = limits;

beforeAll(() => {
  process.env.ALLOW_LOOPBACK_TARGETS = 'true';
});
afterAll(() => {
  delete process.env.ALLOW_LOOPBACK_TARGETS;
});

async function newKey(): Promise<TestKey> {
  const { tenantId, keyId } = await newTenant(0);
  return keyPrincipal(tenantId, keyId);
}

const create = (key: TestKey) =>
  createWebhook(key, { targetUrl: 'http://127.0.0.1:9009/hooks', events: ['booking.created'] });

async function item(store: 'deliveries' | 'secrets', Key: Record<string, string>) {
  return (await dynamo().send(new GetCommand({ TableName: tableName(store), Key, ConsistentRead: true }))).Item;
}

/** What the quota says, and how many webhooks are active in truth. */
async function counts(key: TestKey): Promise<[number, number]> {
  const quota = await item('deliveries', deliveries.quota(key.tenantId, key.id));
  const { data } = await listWebhooks(key, { limit: 100 });
  return [quota?.active ?? 0, data.filter(({ status }) => status === 'active').length];
}

/** As if five deliveries had failed. */
async function switchOff(key: TestKey, ids: readonly number[]): Promise<void> {
  for (const webhook of await webhooksOf(key)) {
    if (ids.includes(webhook.id)) await put('deliveries', { ...webhook, status: 'failed', consecutiveFailures: 5 });
  }
  const quota = deliveries.quota(key.tenantId, key.id);
  const { active = 0 } = (await item('deliveries', quota)) ?? {};
  await put('deliveries', { ...quota, active: active - ids.length });
}

async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const settled = await Promise.allSettled(calls);
  const names = settled.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code));
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

describe('ten active webhooks of an API key', () => {
  test('Of sixteen webhooks that one API key creates concurrently, ten are created', async () => {
    begin();
    const key = await newKey();
    expect(await outcomes(Array.from({ length: 16 }, () => create(key)))).toEqual({
      done: 10,
      webhook_limit_reached: 6,
    });
    expect(await counts(key)).toEqual([activeWebhooksPerKey, activeWebhooksPerKey]);
  });

  test('Reactivating and creating webhooks concurrently never exceeds the limit of their API key', async () => {
    begin();
    const key = await newKey();
    const webhooks = [];
    for (let i = 0; i < 10; i++) webhooks.push(await create(key));
    const off = webhooks.slice(0, 6).map(({ id }) => id);
    await switchOff(key, off);
    await create(key);
    const calls = [...off.map((id) => updateWebhook(key, { id }, { status: 'active' })), create(key), create(key)];
    expect(await outcomes(calls)).toEqual({ done: 5, webhook_limit_reached: 3 });
    expect(await counts(key)).toEqual([activeWebhooksPerKey, activeWebhooksPerKey]);
  });

  test('A webhook that is reactivated eight times concurrently counts once in the limit', async () => {
    begin();
    const key = await newKey();
    const { id } = await create(key);
    await switchOff(key, [id]);
    const calls = Array.from({ length: 8 }, () => updateWebhook(key, { id }, { status: 'active' }));
    expect(await outcomes(calls)).toEqual({ done: 8 });
    expect(await counts(key)).toEqual([1, 1]);
  });

  test('A webhook that is deleted eight times concurrently frees one place in the limit and leaves no signing secret', async () => {
    begin();
    const key = await newKey();
    const [{ id }] = [await create(key), await create(key)];
    const shard = Number((await item('deliveries', deliveries.webhook(key.tenantId, key.id, id)))?.shard);
    expect(await item('deliveries', deliveries.registration({ id, shard }))).toMatchObject({ id });
    expect(await outcomes(Array.from({ length: 8 }, () => deleteWebhook(key, { id })))).toEqual({
      done: 1,
      not_found: 7,
    });
    expect(await counts(key)).toEqual([1, 1]);
    expect(await item('secrets', secrets.signing(id))).toBeUndefined();
    expect(await item('deliveries', deliveries.registration({ id, shard }))).toBeUndefined();
  });

  test('The limit of webhooks is counted separately for each API key', async () => {
    begin();
    const [one, other] = [await newKey(), await newKey()];
    for (let i = 0; i < activeWebhooksPerKey; i++) await create(one);
    expect(await outcomes([create(one), create(other)])).toEqual({ webhook_limit_reached: 1, done: 1 });
  });
});

describe('reactivation', () => {
  test('Reactivating a webhook resets its failure counter', async () => {
    const pipeline = begin({ answer: () => refused });
    const key = await newKey();
    const { id } = await create(key);
    for (let i = 0; i < 5; i++) await pipeline.raise(key.tenantId);
    await pipeline.run();
    expect(await getWebhook(key, { id })).toMatchObject({ status: 'failed', consecutiveFailures: 5 });
    expect(await counts(key)).toEqual([0, 0]);
    expect(await updateWebhook(key, { id }, { status: 'active' })).toMatchObject({
      status: 'active',
      consecutiveFailures: 0,
    });
    for (let i = 0; i < 4; i++) await pipeline.raise(key.tenantId);
    await pipeline.run();
    expect(await getWebhook(key, { id })).toMatchObject({ status: 'active', consecutiveFailures: 4 });
    await pipeline.raise(key.tenantId);
    await pipeline.run();
    expect(await getWebhook(key, { id })).toMatchObject({ status: 'failed', consecutiveFailures: 5 });
    expect(await counts(key)).toEqual([0, 0]);
  });

  test('A webhook that is reactivated while it is being disabled has a status that matches its failure counter', async () => {
    for (let i = 0; i < 8; i++) {
      const pipeline = begin({ answer: () => refused });
      const key = await newKey();
      const { id } = await create(key);
      const [webhook] = await webhooksOf(key);
      await put('deliveries', { ...webhook, consecutiveFailures: 4 });
      await pipeline.raise(key.tenantId);
      await pipeline.run(pipeline.now + 300 * 60_000);
      pipeline.advance(60 * 60_000);
      await Promise.all([
        pipeline.runTogether('retries'),
        ...Array.from({ length: 3 }, () => updateWebhook(key, { id }, { status: 'active', description: 'again' })),
      ]);
      const { status, description, consecutiveFailures } = await getWebhook(key, { id });
      expect(description).toBe('again');
      expect(consecutiveFailures).toBe(status === 'active' ? 0 : 5);
      expect(await counts(key)).toEqual(status === 'active' ? [1, 1] : [0, 0]);
      pipeline.end();
    }
  });
});

describe('changes between two attempts', () => {
  test('A webhook that is deleted between two attempts of a delivery receives no further attempt', async () => {
    const pipeline = begin({ answer: () => refused });
    const key = await newKey();
    const { id } = await create(key);
    await pipeline.raise(key.tenantId);
    await pipeline.run(pipeline.now + 500);
    await deleteWebhook(key, { id });
    await pipeline.run();
    pipeline.advance(3_600_000);
    await pipeline.sweepDeliveries();
    await pipeline.run();
    expect(pipeline.posts).toHaveLength(1);
    expect(pipeline.waiting).toBe(0);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test('After the signing secret is rotated, the next attempt is signed with the new secret', async () => {
    const pipeline = begin({ answer: (_, nth) => (nth < 3 ? refused : ok) });
    const key = await newKey();
    const { id, secret } = await create(key);
    await pipeline.raise(key.tenantId);
    await pipeline.run(pipeline.now + 500);
    const used = [secret];
    for (let i = 0; i < 2; i++) {
      used.push((await rotateSecret(key, { id })).secret);
      await pipeline.run(pipeline.now + 5 * 60_000 + 1_000);
    }
    const signatures = pipeline.posts.map(({ request }) => request.headers['X-Webhook-Signature']);
    expect(signatures).toEqual(
      used.map((one) => `sha256=${hmacSha256(one, pipeline.posts[0]?.request.body ?? '').toString('hex')}`),
    );
    expect(new Set(used).size).toBe(3);
  });

  test('A changed target URL is used by the next attempt of a delivery that was already planned', async () => {
    const pipeline = begin({ answer: (_, nth) => (nth === 1 ? refused : ok) });
    const key = await newKey();
    const { id } = await create(key);
    await pipeline.raise(key.tenantId);
    await pipeline.run(pipeline.now + 500);
    await updateWebhook(key, { id }, { targetUrl: 'http://127.0.0.1:9009/moved' });
    await pipeline.run();
    expect(pipeline.posts.map(({ request }) => request.url)).toEqual([
      'http://127.0.0.1:9009/hooks',
      'http://127.0.0.1:9009/moved',
    ]);
  });
});

/** Concurrent management: ten active webhooks per key, with reactivation, deletion and rotation in between. */
import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { getItem } from '../../../../core/store/read.ts';
import { add, writeOne } from '../../../../core/store/write.ts';
import { deliveries, secrets } from '../../../../core/table-keys.ts';
import { createWebhook } from '../../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { getWebhook, listWebhooks } from '../../../../core/webhooks/registry/read.ts';
import { rotateSecret } from '../../../../core/webhooks/registry/signing-secret.ts';
import { loadWebhook, webhooksOf } from '../../../../core/webhooks/registry/store.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import { hmacSha256 } from '../../../../core/webhooks/sender/signature.ts';
import { atOnce, outcomes } from '../../../support/outcomes.ts';
import { refused } from '../../../support/pipeline.ts';
import { changeWebhook, newTenant, recordsOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../../support/principals.ts';
import { onEmulator } from '../../../support/tables.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline(onEmulator());
const { activeWebhooksPerKey } = limits;

vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

/** An API key without webhooks, whose messages all fail. */
async function newKey() {
  const pipeline = begin({ answer: () => refused });
  const { tenantId, keyId } = await newTenant(0);
  return { pipeline, key: keyPrincipal(tenantId, keyId) };
}

const create = (key: TestKey) =>
  createWebhook(key, { targetUrl: 'http://127.0.0.1:9009/hooks', events: ['booking.created'] });

const quotaOf = ({ tenantId, id }: TestKey) => deliveries.quota(tenantId, id);
const activeIn = async (key: TestKey) => (await getItem<{ active: number }>('deliveries', quotaOf(key)))?.active ?? 0;

/** The active webhooks by the quota's counter, and their real number. */
async function counts(key: TestKey): Promise<[number, number]> {
  const { data } = await listWebhooks(key, { limit: 100 });
  return [await activeIn(key), data.filter(({ status }) => status === 'active').length];
}

/** Sets the state as after five failed deliveries. */
async function suppress(key: TestKey, ids: readonly number[]): Promise<void> {
  for (const webhook of await webhooksOf(key)) {
    if (ids.includes(webhook.id)) await changeWebhook(webhook, { status: 'failed', consecutiveFailures: 5 });
  }
  await writeOne(add('deliveries', quotaOf(key), { active: -ids.length }));
}

const full = (refusals: number) => Array(refusals).fill('webhook_limit_reached');

test('Of sixteen webhooks that one API key creates concurrently, ten are created, and another key can still create one', async () => {
  const { key } = await newKey();
  const { won, codes } = await atOnce(16, () => create(key));
  expect([won.length, codes]).toEqual([10, full(6)]);
  expect(await counts(key)).toEqual([activeWebhooksPerKey, activeWebhooksPerKey]);
  expect(await create(keyPrincipal(key.tenantId, key.id + 1))).toMatchObject({ status: 'active' });
});

test('An API key never exceeds its limit of active webhooks, even if webhooks are reactivated and created concurrently', async () => {
  const { key } = await newKey();
  const webhooks = [];
  for (let i = 0; i < 10; i++) webhooks.push(await create(key));
  const off = webhooks.slice(0, 6).map(({ id }) => id);
  await suppress(key, off);
  await create(key);
  const calls = [...off.map((id) => updateWebhook(key, { id }, { status: 'active' })), create(key), create(key)];
  const { won, codes } = await outcomes<unknown>(calls);
  expect([won.length, codes]).toEqual([5, full(3)]);
  expect(await counts(key)).toEqual([activeWebhooksPerKey, activeWebhooksPerKey]);
});

test('If a disabled webhook is reactivated eight times concurrently, it counts as one active webhook, and its failure counter is 0', async () => {
  const { key } = await newKey();
  const { id } = await create(key);
  await suppress(key, [id]);
  const { codes } = await atOnce(8, () => updateWebhook(key, { id }, { status: 'active' }));
  expect(codes).toEqual([]);
  expect(await getWebhook(key, { id })).toMatchObject({ status: 'active', consecutiveFailures: 0 });
  expect(await counts(key)).toEqual([1, 1]);
});

test('A webhook that is deleted eight times concurrently reduces the number of webhooks by one and leaves no signing secret', async () => {
  const { key } = await newKey();
  const [{ id }] = [await create(key), await create(key)];
  const { shard } = await loadWebhook(key, id);
  const registered = () => getItem('deliveries', deliveries.registration({ id, shard }));
  expect(await registered()).toMatchObject({ id });
  const { codes } = await atOnce(8, () => deleteWebhook(key, { id }));
  expect(codes).toEqual(Array(7).fill('not_found'));
  expect(await counts(key)).toEqual([1, 1]);
  expect(await getItem('secrets', secrets.signing(id))).toBeUndefined();
  expect(await registered()).toBeUndefined();
});

test('A webhook reactivated while a failure disables it ends active with failure counter 0, or disabled with counter 5', async () => {
  for (let i = 0; i < 8; i++) {
    const { key, pipeline } = await newKey();
    const { id } = await create(key);
    await changeWebhook(await loadWebhook(key, id), { consecutiveFailures: 4 });
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

test('A webhook that is deleted between two attempts of a delivery receives no further attempt', async () => {
  const { key, pipeline } = await newKey();
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

test('Each attempt of a delivery is signed with the current secret of its webhook and sent to its current target URL', async () => {
  const { key, pipeline } = await newKey();
  const { id, secret, targetUrl } = await create(key);
  await pipeline.raise(key.tenantId);
  await pipeline.run(pipeline.now + 500);
  const current = [{ secret, targetUrl }];
  for (let i = 0; i < 2; i++) {
    const rotated = await rotateSecret(key, { id });
    const moved = await updateWebhook(key, { id }, { targetUrl: `${targetUrl}/${i}` });
    current.push({ secret: rotated.secret, targetUrl: moved.targetUrl });
    await pipeline.run(pipeline.now + 5 * 60_000 + 1_000);
  }
  const { body = '' } = pipeline.posts[0]?.request ?? {};
  expect(pipeline.posts.map(({ request: { url, headers } }) => [url, headers['X-Webhook-Signature']])).toEqual(
    current.map((one) => [one.targetUrl, `sha256=${hmacSha256(one.secret, body).toString('hex')}`]),
  );
  expect(new Set(current.map((one) => one.secret)).size).toBe(3);
});

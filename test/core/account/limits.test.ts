/** What a business may have at most, also when all of it is asked for at once (docs/rules.md#limits). */

import { expect, test, vi } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { newId } from '../../../core/clock.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { regenerateApiKey } from '../../../core/keys/regenerate-key.ts';
import { revokeApiKey } from '../../../core/keys/revoke-key.ts';
import type { Write } from '../../../core/store/transact.ts';
import { deliveries, records } from '../../../core/table-keys.ts';
import { createWebhook } from '../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../core/webhooks/registry/delete-webhook.ts';
import { webhooksOfBusiness } from '../../../core/webhooks/registry/store.ts';
import { withBug } from '../../support/faults.ts';
import { outcomes } from '../../support/outcomes.ts';
import { put } from '../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

vi.setConfig({ testTimeout: 120_000 });
vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

const fixture = useTestBusiness();

async function business() {
  const { tenant, key } = await fixture.tenant();
  return { owner: ownerPrincipal(tenant.business.id), key };
}

type Owner = Awaited<ReturnType<typeof business>>['owner'];

const create = (owner: Owner, expiresAt?: string) =>
  createApiKey(owner, { name: 'Site', scopes: ['slots:read'], expiresAt });
const many = <T>(count: number, run: () => Promise<T>) => outcomes(Array.from({ length: count }, run));

/** Writes without the conditions of one item: what was decided before others committed is committed all the same. */
const careless = (sk: string) => (writes: Write[]) =>
  writes.map((write) => {
    const { ConditionExpression: _, ExpressionAttributeValues, ...rest } = write.Put ?? write.Update ?? {};
    const isItem = write.Put?.Item?.sk === sk || write.Update?.Key?.sk === sk;
    if (!isItem) return write;
    if (write.Put) return { Put: { ...rest, ...namesOf(write.Put.Item) } } as unknown as Write;
    const values = Object.fromEntries(
      Object.entries(ExpressionAttributeValues ?? {}).filter(([name]) => !name.endsWith('Before')),
    );
    return { Update: { ...rest, ExpressionAttributeValues: values } } as unknown as Write;
  });

/** Placeholders that no expression uses are refused. */
function namesOf(Item: Record<string, unknown> | undefined) {
  return { Item, ExpressionAttributeNames: undefined };
}

test('Of sixty API keys created at once, exactly the fifty that the limit allows are created', async () => {
  const { owner } = await business();
  const { won, codes } = await many(60, () => create(owner));
  expect(won).toHaveLength(limits.activeKeysPerBusiness);
  expect(codes).toEqual(Array(10).fill('api_key_limit_reached'));
});

test('Negative control: if the stored count of keys is written without a condition, more than fifty API keys are created', async () => {
  const { owner } = await business();
  const { won } = await many(60, () => withBug(careless('ACTIVE-KEYS'), () => create(owner)));
  expect(won.length).toBeGreaterThan(limits.activeKeysPerBusiness);
});

test('Revoking an API key, or its expiry, frees a place in the limit of active keys; regenerating a key does not', async () => {
  const { owner } = await business();
  const active = Object.fromEntries(Array.from({ length: 48 }, () => [newId(), null]));
  await put('records', { ...records.activeKeys(owner.tenantId), active: { ...active, 1: testNow }, revision: 1 });
  const last = await create(owner);
  await create(owner);
  await expect(create(owner)).rejects.toMatchObject({ code: 'api_key_limit_reached' });
  await regenerateApiKey(owner, last);
  await expect(create(owner)).rejects.toMatchObject({ code: 'api_key_limit_reached' });
  await revokeApiKey(owner, last);
  await revokeApiKey(owner, last);
  await create(owner);
  await expect(create(owner)).rejects.toMatchObject({ code: 'api_key_limit_reached' });
});

const target = { targetUrl: 'http://127.0.0.1:9009/hooks', events: ['booking.created' as const] };

/** A business that has 95 webhooks, of whatever status, and twelve keys that want one more. */
async function nearlyFull() {
  const { key } = await business();
  await put('deliveries', { ...deliveries.quotaOfBusiness(key.tenantId), webhooks: 95 });
  return Array.from({ length: 12 }, () => keyPrincipal(key.tenantId, newId()));
}

test('Of twelve webhooks created at once by twelve API keys, only as many are created as the business may have', async () => {
  const keys = await nearlyFull();
  const { won, codes } = await outcomes(keys.map((key) => createWebhook(key, target)));
  expect(won).toHaveLength(5);
  expect(codes).toEqual(Array(7).fill('webhook_limit_reached'));
});

test('Negative control: if the stored count of webhooks is written without a condition, a business gets too many webhooks', async () => {
  const keys = await nearlyFull();
  const { won } = await outcomes(keys.map((key) => withBug(careless('QUOTA'), () => createWebhook(key, target))));
  expect(won).toHaveLength(12);
});

test('Deleting a webhook frees a place in the webhook limit of the business, but disabling a webhook does not', async () => {
  const [key] = await nearlyFull();
  if (!key) throw new Error('There are twelve');
  for (let i = 0; i < 5; i++) await createWebhook(key, target);
  const [first, second] = await webhooksOfBusiness(key.tenantId);
  await put('deliveries', { ...first, status: 'failed' });
  await expect(createWebhook(key, target)).rejects.toMatchObject({
    code: 'webhook_limit_reached',
    message: expect.stringContaining('This business already has 100 webhooks'),
  });
  await deleteWebhook(key, { id: second?.id ?? 0 });
  await createWebhook(key, target);
});

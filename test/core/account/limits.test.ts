/** The limits of a business hold under concurrent requests (docs/rules.md#limits). */

import { expect, test, vi } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { newId } from '../../../core/clock.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import type { Principal } from '../../../core/principal.ts';
import type { Write } from '../../../core/store/write.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { createWebhook } from '../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../core/webhooks/registry/delete-webhook.ts';
import { webhooksOfBusiness } from '../../../core/webhooks/registry/store.ts';
import { withBug } from '../../support/faults.ts';
import { unconditional } from '../../support/interfere.ts';
import { outcomes } from '../../support/outcomes.ts';
import { put } from '../../support/pipeline-state.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { useTestBusiness } from '../../support/test-business.ts';

vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

const fixture = useTestBusiness();

/** Creates sixty keys of one business concurrently. */
async function sixtyKeys(create: (owner: Principal) => Promise<unknown>) {
  const { owner } = await fixture.tenant();
  return outcomes(Array.from({ length: 60 }, () => create(owner)));
}
const createKey = (owner: Principal) => createApiKey(owner, { name: 'Site', scopes: ['slots:read'] });

/** Removes the conditions from writes to one item: a decision on an old state is committed nevertheless. */
const careless = (sk: string) => (writes: Write[]) =>
  writes.map((write) => ((write.Put?.Item ?? write.Update?.Key)?.sk === sk ? unconditional(write) : write));

test('Of sixty API keys created at once, exactly the fifty that the limit allows are created', async () => {
  const { won, codes } = await sixtyKeys(createKey);
  expect(won).toHaveLength(limits.activeKeysPerBusiness);
  expect(codes).toEqual(Array(10).fill('api_key_limit_reached'));
});

test('Negative control: if the stored count of keys is written without a condition, more than fifty API keys are created', async () => {
  const { won } = await sixtyKeys((owner) => withBug(careless('ACTIVE-KEYS'), () => createKey(owner)));
  expect(won.length).toBeGreaterThan(limits.activeKeysPerBusiness);
});

const target = { targetUrl: 'http://127.0.0.1:9009/hooks', events: ['booking.created' as const] };

/** A business with 95 webhooks of any status and twelve keys that each create one more. */
async function nearlyFull() {
  const { key } = await fixture.tenant();
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

test('A disabled webhook counts towards the webhook limit of its business, and a deleted one does not', async () => {
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

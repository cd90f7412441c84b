/** The limits of a business hold under concurrent requests (docs/rules.md#limits). */
import { expect, test, vi } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { newId } from '../../../core/clock.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import type { Write } from '../../../core/store/write.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { createWebhook } from '../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../core/webhooks/registry/delete-webhook.ts';
import { webhooksOfBusiness } from '../../../core/webhooks/registry/store.ts';
import { withBug } from '../../support/faults.ts';
import { unconditional } from '../../support/interfere.ts';
import { outcomes } from '../../support/outcomes.ts';
import { put } from '../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../support/principals.ts';
import { useTestBusiness } from '../../support/test-business.ts';

vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

const fixture = useTestBusiness();
const target = { targetUrl: 'http://127.0.0.1:9009/hooks', events: ['booking.created' as const] };

/** A key of a business that may have only five more webhooks, whatever their status. */
async function nearlyFull(): Promise<TestKey> {
  const { key } = await fixture.tenant();
  await put('deliveries', { ...deliveries.quotaOfBusiness(key.tenantId), webhooks: limits.webhooksPerBusiness - 5 });
  return key;
}

const creations = [
  [
    'sixty API keys of one business',
    { most: limits.activeKeysPerBusiness, code: 'api_key_limit_reached', counter: 'ACTIVE-KEYS' },
    async () => {
      const { owner } = await fixture.tenant();
      return Array(60).fill(() => createApiKey(owner, { name: 'Site', scopes: ['slots:read'] }));
    },
  ],
  [
    'twelve webhooks of a business that may have only five more',
    { most: 5, code: 'webhook_limit_reached', counter: 'QUOTA' },
    async () => {
      const { tenantId } = await nearlyFull();
      // Each by its own API key, because the limit of one key is lower.
      return Array.from({ length: 12 }, () => () => createWebhook(keyPrincipal(tenantId, newId()), target));
    },
  ],
] as const;

test.each(creations)(
  'Concurrent requests create exactly as many API keys or webhooks as the limit allows, and the others are refused (%s)',
  async (_, { most, code }, begin) => {
    const creates = await begin();
    const { won, codes } = await outcomes(creates.map((create) => create()));
    expect(won).toHaveLength(most);
    expect(codes).toEqual(Array(creates.length - most).fill(code));
  },
);

test.each(creations)(
  'Negative control: if a count is written without a condition, more API keys or webhooks are created than allowed (%s)',
  async (_, { most, counter }, begin) => {
    const careless = (writes: Write[]) =>
      writes.map((write) => ((write.Put?.Item ?? write.Update?.Key)?.sk === counter ? unconditional(write) : write));
    const { won } = await outcomes((await begin()).map((create) => withBug(careless, create)));
    expect(won.length).toBeGreaterThan(most);
  },
);

test('A disabled webhook counts towards the webhook limit of its business, and a deleted one does not', async () => {
  const key = await nearlyFull();
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

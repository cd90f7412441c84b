/**
 * An owner manages the webhooks of all API keys of the business, with the same functions as the keys
 * (docs/rules.md#owners).
 */
import { expect, test, vi } from 'vitest';
import { newId } from '../../../core/clock.ts';
import { getWebhook } from '../../../core/webhooks/registry/read.ts';
import { findSecret } from '../../../core/webhooks/registry/signing-secret.ts';
import { at } from '../../support/account.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

const target = { targetUrl: 'http://127.0.0.1:9000/hooks', events: ['booking.created' as const] };

async function business() {
  const { tenantId, account: owner } = await fixture.tenant();
  const { json: apiKey } = await owner('createApiKey', { body: { name: 'CRM', scopeSet: 'full_crm' } });
  return { owner, key: keyPrincipal(tenantId, Number(apiKey.id)) };
}

test('A webhook created by an owner belongs to the chosen API key, and its signing secret is shown only once', async () => {
  const { owner, key } = await business();
  const { status, headers, json } = await owner('createWebhook', { body: { apiKeyId: key.id, ...target } });
  expect(status).toBe(201);
  expect(headers.location).toBe(`/v1/account/webhooks/${json.id}`);
  expect(json).toMatchObject({ apiKeyId: key.id, targetUrl: target.targetUrl, status: 'active', description: '' });
  expect(json.secret).toBe((await findSecret(Number(json.id)))?.secret);
  expect((await getWebhook(key, { id: Number(json.id) })).id).toBe(json.id);
  expect((await owner('getWebhook', at(json.id))).json).not.toHaveProperty('secret');
});

test('An owner can create a webhook only for an active API key of their own business', async () => {
  const { owner, key } = await business();
  const other = await business();
  const create = async (apiKeyId: number) => {
    const { status, json } = await owner('createWebhook', { body: { apiKeyId, ...target } });
    return [status, json.code, json.message];
  };
  expect(await create(other.key.id)).toEqual(await create(newId()));
  expect(await create(other.key.id)).toEqual([404, 'not_found', 'There is no such API key.']);
  await owner('revokeApiKey', at(key.id));
  expect(await create(key.id)).toEqual([409, 'invalid_state', 'The API key is revoked.']);
});

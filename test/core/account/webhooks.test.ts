/** An owner manages the webhooks of all API keys of the business, with the verbs of the keys (docs/rules.md#owners). */
import { beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../../../core/clock.ts';
import { recover } from '../../../core/deliveries/log/recover.ts';
import { redeliver } from '../../../core/deliveries/log/redeliver.ts';
import { log } from '../../../core/log.ts';
import { getWebhook } from '../../../core/webhooks/registry/read.ts';
import { findSecret } from '../../../core/webhooks/registry/signing-secret.ts';
import { at } from '../../support/account.ts';
import { endedDelivery } from '../../support/delivery-records.ts';
import { newWebhook, put } from '../../support/pipeline-state.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
beforeEach(() => {
  vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
  // Without a queue, redeliveries are left to the sweeper, and a warning is logged.
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  vi.spyOn(log, 'error').mockReturnValue(undefined);
});

const target = { targetUrl: 'http://127.0.0.1:9000/hooks', events: ['booking.created' as const] };

/** A business with an API key, its owner and a disabled webhook of that key with a failed delivery. */
async function business() {
  const { tenantId, account: owner } = await fixture.tenant();
  const { json: apiKey } = await owner('createApiKey', { body: { name: 'CRM', scopeSet: 'full_crm' } });
  const key = keyPrincipal(tenantId, Number(apiKey.id));
  const failed = { status: 'failed', consecutiveFailures: 5, lastNumber: 1 } as const;
  const webhook = await newWebhook(tenantId, key.id, { ...target, ...failed });
  const delivery = endedDelivery(webhook, 1, testNow - 1_000, { state: 'failed' });
  await put('deliveries', delivery);
  return { owner, key, webhook, delivery };
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

test('An owner can reactivate a disabled webhook, redeliver one delivery, and recover all deliveries that failed in a period', async () => {
  const { owner, key, webhook, delivery } = await business();
  const active = await owner('updateWebhook', { ...at(webhook.id), body: { status: 'active' } });
  expect(active.json).toMatchObject({ status: 'active', consecutiveFailures: 0 });
  const again = await owner('redeliver', { params: { id: String(webhook.id), deliveryId: delivery.deliveryId } });
  expect(again.status).toBe(202);
  expect(again.json).toMatchObject({ trigger: 'manual', attemptNumber: 2, deliveryStatus: 'pending' });
  const third = redeliver(key, { id: webhook.id, deliveryId: delivery.deliveryId });
  await expect(third).rejects.toMatchObject({ code: 'invalid_state' });

  const next = await business();
  await next.owner('updateWebhook', { ...at(next.webhook.id), body: { status: 'active' } });
  const since = new Date(testNow - 60_000).toISOString();
  const recovered = await next.owner('recoverWebhook', { ...at(next.webhook.id), body: { since } });
  expect([recovered.status, recovered.json]).toMatchObject([202, { matched: 1 }]);
  await expect(recover(next.key, next.webhook, { since })).rejects.toMatchObject({ code: 'recovery_in_progress' });
});

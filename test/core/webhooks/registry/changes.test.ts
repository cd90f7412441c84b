import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { timestamp } from '../../../../core/clock.ts';
import { records } from '../../../../core/table-keys.ts';
import { createWebhook } from '../../../../core/webhooks/registry/create-webhook.ts';
import { getWebhook, listWebhooks } from '../../../../core/webhooks/registry/read.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { newWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal } from '../../../support/principals.ts';
import { testNow, useTestBusiness } from '../../../support/test-business.ts';

const fixture = useTestBusiness();
beforeAll(() => vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true'));
afterAll(() => vi.unstubAllEnvs());

const wanted = { targetUrl: 'http://127.0.0.1:9000/hooks', events: ['booking.created' as const] };
const code = (call: Promise<unknown>) => call.then(() => 'done').catch((error) => error.code);

async function scene() {
  const { key } = await fixture.tenant();
  const failed = (fields: Partial<WebhookItem> = {}) =>
    newWebhook(key.tenantId, key.id, { status: 'failed', consecutiveFailures: 5, ...fields });
  return { key, failed };
}

test('A webhook cannot subscribe to events that its API key may not read', async () => {
  const { key } = await scene();
  const unscoped = keyPrincipal(key.tenantId, key.id, []);
  const events = ['client.created' as const];
  expect(await code(createWebhook(unscoped, { ...wanted, events }))).toBe('insufficient_scope');
  const { id } = await createWebhook(key, wanted);
  expect(await code(updateWebhook(unscoped, { id }, { events }))).toBe('insufficient_scope');
  expect(await code(updateWebhook(unscoped, { id }, { description: 'no events' }))).toBe('done');
  await put('records', { ...records.key(key.tenantId, key.id), ...key, scopes: key.actor.scopes, status: 'active' });
  expect(await updateWebhook(ownerPrincipal(key.tenantId), { id }, { events })).toMatchObject({
    events,
    updatedAt: timestamp(testNow),
  });
});

test('A changed target URL of a webhook is checked like that of a new webhook', async () => {
  const { key } = await scene();
  const { id } = await createWebhook(key, wanted);
  const moved = updateWebhook(key, { id }, { targetUrl: 'http://example.com/' });
  await expect(moved).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'targetUrl' }] },
  });
});

test('An owner can list the webhooks of all API keys or of one API key', async () => {
  const { key } = await scene();
  const owner = ownerPrincipal(key.tenantId);
  const since = '2026-11-24T08:00:00.000Z';
  const mine = await newWebhook(key.tenantId, key.id, { failingSince: since });
  const other = await newWebhook(key.tenantId, key.id + 1);
  const listed = async (apiKeyId?: number) => {
    const { data, total } = await listWebhooks(owner, { apiKeyId });
    return [data.map(({ id, apiKeyId }) => [id, apiKeyId]), total];
  };
  const [first, second] = [
    [mine.id, key.id],
    [other.id, key.id + 1],
  ];
  expect(await listed()).toEqual([[first, second], 2]);
  expect(await listed(key.id + 1)).toEqual([[second], 1]);
  expect(await getWebhook(owner, other)).toMatchObject({ id: other.id, apiKeyId: key.id + 1, failingSince: null });
  expect(await getWebhook(key, mine)).toMatchObject({ failingSince: since });
});

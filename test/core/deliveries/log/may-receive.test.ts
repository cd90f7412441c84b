/** Deliveries that cannot be sent are not accepted (docs/rules.md#redelivery, #recovery). */
import { expect, test } from 'vitest';
import type { EventName } from '../../../../contract/events.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { redeliver } from '../../../../core/deliveries/log/redeliver.ts';
import type { Principal } from '../../../../core/principal.ts';
import { changeKey, changeWebhook, newOwnWebhook, recordsOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
const since = { since: '2020-01-01T00:00:00Z' };

/** A webhook with one delivery per event, unsent because the webhook was disabled. */
async function skipped() {
  const pipeline = begin();
  const events: EventName[] = ['service.updated', 'client.created'];
  const own = await newOwnWebhook({ events, status: 'failed' });
  const { tenantId, keyId, webhook } = own;
  for (const event of events) await pipeline.raise(tenantId, event);
  await pipeline.run(pipeline.now);
  const status = (to: 'active' | 'failed') => changeWebhook(webhook, { status: to });
  await status('active');
  const key = (changes: object) => changeKey(own, changes);
  const log = await recordsOf(webhook.id);
  const idOf = (event: string) => log.find((one) => one.event === event)?.deliveryId ?? '';
  const again = (event: string, as: Principal = ownerPrincipal(tenantId)) =>
    redeliver(as, { id: webhook.id, deliveryId: idOf(event) });
  const recovered = () => recover(ownerPrincipal(tenantId), { id: webhook.id }, since);
  return { pipeline, tenantId, keyId, webhook, status, key, again, recovered };
}

const refused = { code: 'invalid_state' };

test.each<[string, (own: Awaited<ReturnType<typeof skipped>>) => Promise<unknown>]>([
  ['that is disabled', ({ status }) => status('failed')],
  ['whose API key is revoked', ({ key }) => key({ status: 'revoked' })],
  ['whose API key has expired', ({ key }) => key({ expiresAt: 1 })],
  ['whose API key has lost webhooks:manage', ({ key }) => key({ scopes: ['bookings:read'] })],
])('An owner gets 409 when redelivering or recovering deliveries of a webhook %s', async (_, change) => {
  const own = await skipped();
  await change(own);
  await expect(own.again('service.updated')).rejects.toMatchObject(refused);
  await expect(own.recovered()).rejects.toMatchObject(refused);
  expect(await recordsOf(own.webhook.id)).toHaveLength(2);
});

test('An API key without the scope bookings:read can neither redeliver events about a client nor recover their failed deliveries', async () => {
  const { pipeline, tenantId, keyId, key, again, recovered } = await skipped();
  const own = keyPrincipal(tenantId, keyId, ['webhooks:manage']);
  await key({ scopes: ['webhooks:manage'] });
  await expect(again('client.created')).rejects.toMatchObject(refused);
  await expect(again('client.created', own)).rejects.toMatchObject(refused);
  expect(await recovered()).toEqual({ matched: 1, stillRetrying: 0, leftOut: 0 });
  await pipeline.run(pipeline.now);
  expect(pipeline.posts.map(({ request }) => request.headers['X-Webhook-Event'])).toEqual(['service.updated']);
});

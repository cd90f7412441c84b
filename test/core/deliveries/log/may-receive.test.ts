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

test('A redelivery to a webhook that is not active is refused with 409, and nothing is recorded', async () => {
  const { webhook, status, again } = await skipped();
  await status('failed');
  await expect(again('service.updated')).rejects.toMatchObject(refused);
  expect(await recordsOf(webhook.id)).toHaveLength(2);
});

test.each([
  ['is revoked', { status: 'revoked' as const }],
  ['has expired', { expiresAt: 1 }],
  ['has lost webhooks:manage', { scopes: ['bookings:read' as const] }],
])('An owner gets 409 when redelivering or recovering deliveries of a webhook whose API key %s', async (_, fields) => {
  const { webhook, key, again, recovered } = await skipped();
  await key(fields);
  await expect(again('service.updated')).rejects.toMatchObject(refused);
  await expect(recovered()).rejects.toMatchObject(refused);
  expect(await recordsOf(webhook.id)).toHaveLength(2);
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

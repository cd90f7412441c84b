/** Only keys with the right receive personal data in events (docs/rules.md#scopes). */

import { expect, test, vi } from 'vitest';
import { eventNames } from '../../../contract/events.ts';
import { type Scope, scopeNames } from '../../../contract/scopes.ts';
import { compressText } from '../../../core/compressed-text.ts';
import type { KeyFacts } from '../../../core/keys/api-key.ts';
import { mayReceive, mayReceiveMessage, mayReceivePersonalData } from '../../../core/keys/event-access.ts';
import { createWebhook } from '../../../core/webhooks/registry/create-webhook.ts';
import { updateWebhook } from '../../../core/webhooks/registry/update-webhook.ts';
import { at, ownerOf } from '../../support/account.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

const targetUrl = 'http://127.0.0.1:9000/hooks';

/** Keys of one business with different scopes. */
async function keysOf() {
  const { key } = await fixture.tenant();
  return (...scopes: readonly Scope[]) => keyPrincipal(key.tenantId, key.id, scopes);
}

const ofPeople = eventNames.filter((name) => /^(client|payment|review)\./.test(name));

test.each(ofPeople)(
  'To receive the event %s, an API key needs the scope bookings:read in addition to webhooks:manage',
  async (event) => {
    const withScopes = await keysOf();
    const needed = 'bookings:read';
    const { id } = await createWebhook(withScopes('webhooks:manage', needed), { targetUrl, events: [event] });
    const lacking = withScopes(...scopeNames.filter((scope) => scope !== needed));
    const refusal = {
      code: 'insufficient_scope',
      message: expect.stringContaining(event),
      extras: { details: { scope: needed } },
    };
    await expect(createWebhook(lacking, { targetUrl, events: [event] })).rejects.toMatchObject(refusal);
    await expect(updateWebhook(lacking, { id }, { events: [event] })).rejects.toMatchObject(refusal);
    expect(await updateWebhook(lacking, { id }, { description: 'Mine' })).toMatchObject({ events: [event] });
  },
);

test('A webhook of an API key with only the scope webhooks:manage can receive all events except those that need bookings:read', async () => {
  const withScopes = await keysOf();
  const others = eventNames.filter((name) => !ofPeople.includes(name));
  expect(others.length).toBeLessThan(eventNames.length);
  const { events } = await createWebhook(withScopes('webhooks:manage'), { targetUrl, events: others });
  expect(events).toEqual(others);
});

const live: KeyFacts = { id: 1, tenantId: 7, test: false, status: 'active', scopes: ['webhooks:manage'], origins: [] };
test.each([
  ['service.updated', 'may be sent', 'an API key that expires a millisecond later', { expiresAt: testNow + 1 }],
  ['client.created', 'may be sent', 'an API key with both scopes', { scopes: ['webhooks:manage', 'bookings:read'] }],
  ['client.created', 'is not sent', 'an API key without webhooks:manage', { scopes: ['bookings:read'] }],
  ['service.updated', 'is not sent', 'an API key without webhooks:manage', { scopes: ['bookings:read'] }],
  ['client.created', 'is not sent', 'an API key without bookings:read', {}],
  ['service.updated', 'is not sent', 'an expired API key', { expiresAt: testNow }],
  ['service.updated', 'is not sent', 'a revoked API key', { status: 'revoked' }],
  ['service.updated', 'is not sent', 'a deleted API key', undefined],
] as const)('Webhooks get only events that their API key may read (%s %s for %s)', (event, result, _, facts) => {
  const key = facts && { ...live, ...facts };
  const message = { event, body: compressText('{}') };
  for (const may of [mayReceive(key, event, testNow), mayReceiveMessage(key, message, testNow)])
    expect(may).toBe(result === 'may be sent');
});

test.each([
  ['an API key with bookings:read', 'may', { scopes: ['bookings:read'], expiresAt: testNow + 1 }],
  ['an expired API key with bookings:read', 'must not', { scopes: ['bookings:read'], expiresAt: testNow }],
  ['an API key without bookings:read', 'must not', {}],
  ['a deleted API key', 'must not', undefined],
] as const)('Webhook messages contain personal data only if the API key may read it (%s %s)', (_, result, facts) => {
  expect(mayReceivePersonalData(facts && { ...live, ...facts }, testNow)).toBe(result === 'may');
});

test('An owner cannot subscribe a webhook to events that its API key may not read', async () => {
  const { tenant } = await fixture.tenant();
  const owner = ownerOf(tenant.business.id);
  const { json } = await owner('createApiKey', {
    body: { name: 'Stock', scopes: ['webhooks:manage', 'services:read'] },
  });
  const create = (events: readonly string[]) =>
    owner('createWebhook', { body: { apiKeyId: json.id, targetUrl, events } });
  const refused = { status: 403, json: { code: 'insufficient_scope', details: { scope: 'bookings:read' } } };
  expect(await create(['service.updated', 'client.created'])).toMatchObject(refused);
  const { json: webhook } = await create(['service.updated']);
  const change = (events: readonly string[]) => owner('updateWebhook', { ...at(Number(webhook.id)), body: { events } });
  expect(await change(['payment.received'])).toMatchObject(refused);
  expect(await change(['service.deleted'])).toMatchObject({ status: 200, json: { events: ['service.deleted'] } });
});

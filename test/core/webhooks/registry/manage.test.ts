/** How webhooks are created, changed, listed and protected from other API keys (docs/rules.md#webhooks). */
import { beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { firstIdAt, setRuntime, timestamp } from '../../../../core/clock.ts';
import { getItem } from '../../../../core/store/read.ts';
import { deliveries, secrets } from '../../../../core/table-keys.ts';
import { createWebhook } from '../../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { getWebhook, listWebhooks } from '../../../../core/webhooks/registry/read.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { newWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal, type TestKey } from '../../../support/principals.ts';
import { type Row, scripted } from '../../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../../support/test-business.ts';

const fixture = useTestBusiness();
vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

const wanted = { targetUrl: 'http://127.0.0.1:9000/hooks', events: ['booking.created' as const] };
let key: TestKey;
beforeEach(async () => {
  ({ key } = await fixture.tenant());
});

/** The response for a webhook with some stored fields. */
const shown = async (changes: Partial<WebhookItem>) => getWebhook(key, await newWebhook(key.tenantId, key.id, changes));

test('The signing secret of a webhook is shown when the webhook is created and never again', async () => {
  const { secret, ...created } = await createWebhook(key, wanted);
  expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
  expect(created).toMatchObject({ status: 'active', consecutiveFailures: 0, lastTriggeredAt: null, feed: null });
  expect(await getWebhook(key, created)).toEqual(created);
  expect(await listWebhooks(key, {})).toEqual({ data: [created], total: 1 });
  expect(await updateWebhook(key, created, { description: 'mine' })).toEqual({ ...created, description: 'mine' });
});

test('An API key lists only its own webhooks', async () => {
  await createWebhook(key, wanted);
  for (const other of [(await fixture.tenant()).key, keyPrincipal(key.tenantId, key.id + 1)]) {
    expect(await listWebhooks(other, {})).toEqual({ data: [], total: 0 });
  }
});

test('A list of webhooks contains a webhook that an eventually consistent read would miss', async () => {
  await createWebhook(key, wanted);
  const stale: Row = { when: ({ input }) => !input.ConsistentRead, answer: () => ({ Items: [] }) };
  expect(await scripted([stale], () => listWebhooks(key, {}))).toMatchObject({ total: 1 });
});

test('A new webhook never gets the id of a webhook of another business', async () => {
  const later = testNow + 86_400_000;
  const taken = firstIdAt(later);
  const foreign = { ...secrets.signing(taken), secret: 'whsec_of-another-business' };
  await put('secrets', foreign);
  setRuntime({ now: () => later, randomBytes: (size) => new Uint8Array(size) });
  const { id } = await createWebhook(key, wanted);
  expect(id).not.toBe(taken);
  expect(await getItem('secrets', secrets.signing(taken))).toEqual(foreign);
});

test('A changed target URL of a webhook is checked like that of a new webhook', async () => {
  const { id } = await createWebhook(key, wanted);
  const moved = updateWebhook(key, { id }, { targetUrl: 'http://example.com/' });
  const refusal = { code: 'validation_failed', extras: { details: [{ path: 'targetUrl' }] } };
  await expect(moved).rejects.toMatchObject(refusal);
});

test('An owner can list the webhooks of all API keys or of one API key', async () => {
  const owner = ownerPrincipal(key.tenantId);
  const since = '2026-11-24T08:00:00.000Z';
  const mine = await newWebhook(key.tenantId, key.id, { failingSince: since });
  const other = await newWebhook(key.tenantId, key.id + 1);
  const ofOther = { id: other.id, apiKeyId: key.id + 1, failingSince: null };
  const all = [{ id: mine.id, apiKeyId: key.id }, ofOther];
  expect(await listWebhooks(owner, {})).toMatchObject({ data: all, total: 2 });
  expect(await listWebhooks(owner, { apiKeyId: key.id + 1 })).toMatchObject({ data: [ofOther], total: 1 });
  expect(await getWebhook(owner, other)).toMatchObject(ofOther);
  expect(await getWebhook(key, mine)).toMatchObject({ failingSince: since });
});

test('An owner sees a notice about a failing or disabled webhook, and for a day a notice that the webhook works again', async () => {
  const recovered = (agoMs: number) => ({ recoveredAt: new Date(testNow - agoMs).toISOString() });
  const dayMs = 86_400_000;
  for (const [changes, notice] of [
    [{}, null],
    [{ consecutiveFailures: 2 }, null],
    [{ consecutiveFailures: 3, ...recovered(0) }, 'webhook.failing'],
    [{ consecutiveFailures: 5, status: 'failed' }, 'webhook.disabled'],
    [recovered(dayMs - 1), 'webhook.recovered'],
    [recovered(dayMs), null],
    [{ ...recovered(dayMs - 1), disabledAt: timestamp(testNow) }, null],
  ] as const) {
    expect(await shown(changes)).toMatchObject({ notice });
  }
});

test('A webhook shows until when the sending limit delays its deliveries, and shows null after this time', async () => {
  expect(await shown({ heldUntil: testNow + 1 })).toMatchObject({ heldUntil: timestamp(testNow + 1) });
  for (const changes of [{ heldUntil: testNow }, {}]) expect(await shown(changes)).toMatchObject({ heldUntil: null });
});

test('The number of unread messages in a webhook feed leaves out delivery numbers that a failover skipped', async () => {
  const changes = { delivery: 'poll', lastNumber: 10, readThrough: 4, gaps: [[3, 7, testNow]] } as const;
  expect(await shown(changes)).toMatchObject({ feed: { unread: 3 } });
});

test('Changing the description of a disabled webhook does not reactivate the webhook', async () => {
  const disabled = await newWebhook(key.tenantId, key.id, { status: 'failed', consecutiveFailures: 5 });
  const changed = { description: 'Shop', status: 'failed', consecutiveFailures: 5 };
  expect(await updateWebhook(key, disabled, { description: 'Shop' })).toMatchObject(changed);
});

test.each([
  { description: 'Shop' },
  { events: ['booking.cancelled' as const] },
  { filter: { serviceIds: [1] } },
  { targetUrl: 'http://127.0.0.1:9001/hooks' },
])(
  'After concurrent changes of two fields of a webhook, the later response shows both changes (earlier change: %j)',
  async (earlier) => {
    const webhook = await createWebhook(key, wanted);
    const before = () => updateWebhook(key, webhook, earlier);
    const later = earlier.description ? { events: ['booking.confirmed' as const] } : { description: 'Salon' };
    const change = () => updateWebhook(key, webhook, later);
    const response = await scripted([{ when: 'TransactWriteItems', nth: 1, before }], change);
    expect(response).toMatchObject({ ...earlier, ...later });
    expect(response).toEqual(await getWebhook(key, webhook));
  },
);

test('Two concurrent reactivations of one webhook both succeed, even if it is the last one that the limit allows', async () => {
  const disabled = await newWebhook(key.tenantId, key.id, { status: 'failed' });
  await put('deliveries', { ...deliveries.quota(key.tenantId, key.id), active: limits.activeWebhooksPerKey - 1 });
  const before = () => updateWebhook(key, disabled, { status: 'active' });
  const response = await scripted([{ when: 'TransactWriteItems', nth: 1, before }], before);
  expect(response).toEqual(await before());
});

test('Deleting a disabled webhook does not allow its API key one more active webhook', async () => {
  const disabled = await newWebhook(key.tenantId, key.id, { status: 'failed' });
  await put('deliveries', { ...deliveries.quota(key.tenantId, key.id), active: limits.activeWebhooksPerKey });
  await deleteWebhook(key, disabled);
  await expect(createWebhook(key, wanted)).rejects.toMatchObject({ code: 'webhook_limit_reached' });
});

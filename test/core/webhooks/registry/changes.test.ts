/** What may be changed in webhooks, who may, and what it takes of their limits. */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { dynamo } from '../../../../core/clients.ts';
import { timestamp } from '../../../../core/clock.ts';
import { deliveries, records } from '../../../../core/table-keys.ts';
import { createWebhook } from '../../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { getWebhook, listWebhooks } from '../../../../core/webhooks/registry/read.ts';
import { findSecret, rotateSecret } from '../../../../core/webhooks/registry/signing-secret.ts';
import { loadWebhook, webhooksAfter } from '../../../../core/webhooks/registry/store.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import { subscribesTo, type WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { newWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal } from '../../../support/principals.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { testNow, useTestBusiness } from '../../../support/test-business.ts';

const fixture = useTestBusiness();
const businessMost = limits.webhooksPerBusiness;
beforeAll(() => vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true'));
afterEach(() => {
  Object.assign(limits, { webhooksPerBusiness: businessMost });
});
afterAll(() => vi.unstubAllEnvs());

const wanted = { targetUrl: 'http://127.0.0.1:9000/hooks', events: ['booking.created' as const] };
const code = (call: Promise<unknown>) => call.then(() => 'done').catch((error) => error.code);

/** A key, and what its quota says. */
async function scene() {
  const { key } = await fixture.tenant();
  const active = async () => {
    const Key = deliveries.quota(key.tenantId, key.id);
    const { Item } = await dynamo().send(
      new GetCommand({ TableName: fixture.admin.table('deliveries'), Key, ConsistentRead: true }),
    );
    return Item?.active ?? 0;
  };
  const failed = (fields: Partial<WebhookItem> = {}) =>
    newWebhook(key.tenantId, key.id, { status: 'failed', consecutiveFailures: 5, ...fields });
  return { key, active, failed };
}

/** The next transaction is refused for that reason, as often as it is tried. */
function refuse(...codes: readonly string[]): void {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  const fail = () => new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
  scriptTest([{ when: 'TransactWriteItems', fail }]);
}

test('A webhook cannot subscribe to events that its key may not read', async () => {
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

test('A new webhook is marked as slow if another webhook at the same origin is', async () => {
  const { key } = await scene();
  const { id } = await createWebhook(key, wanted);
  const slowUntil = testNow + 60_000;
  await put('deliveries', { ...(await loadWebhook(key, id)), slowUntil });
  const same = await createWebhook(key, { ...wanted, targetUrl: new URL('/other', wanted.targetUrl).href });
  expect(await loadWebhook(key, same.id)).toMatchObject({ slowUntil });
  const other = await createWebhook(key, { ...wanted, targetUrl: 'http://127.0.0.1:9010/' });
  expect(await loadWebhook(key, other.id)).not.toHaveProperty('slowUntil');
});

test('A changed target URL is checked like that of a new webhook', async () => {
  const { key } = await scene();
  const { id } = await createWebhook(key, wanted);
  const moved = updateWebhook(key, { id }, { targetUrl: 'http://example.com/' });
  await expect(moved).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'targetUrl' }] },
  });
});

describe('the places of a key', () => {
  test('A webhook that is enabled again counts in the limit of its key', async () => {
    const { key, active, failed } = await scene();
    const off = await failed();
    expect(await updateWebhook(key, off, { description: 'mine' })).toMatchObject({
      status: 'failed',
      consecutiveFailures: 5,
      description: 'mine',
    });
    expect(await active()).toBe(0);
    for (let times = 0; times < 2; times++) {
      expect(await updateWebhook(key, off, { status: 'active' })).toMatchObject({
        status: 'active',
        consecutiveFailures: 0,
      });
      expect(await active()).toBe(1);
    }
    expect(await getWebhook(key, off)).toMatchObject({ status: 'active', description: 'mine' });
  });

  test('A deleted active webhook no longer counts in the limit of its key', async () => {
    const { key, active, failed } = await scene();
    const { id } = await createWebhook(key, wanted);
    await deleteWebhook(key, await failed());
    expect(await active()).toBe(1);
    await deleteWebhook(key, { id });
    expect(await active()).toBe(0);
  });

  test('A key with the maximum of webhooks cannot create another', async () => {
    const { key, failed } = await scene();
    for (let i = 0; i < limits.activeWebhooksPerKey; i++) await createWebhook(key, wanted);
    const off = await failed();
    expect(await code(updateWebhook(key, off, { status: 'active' }))).toBe('webhook_limit_reached');
    expect(await code(updateWebhook(key, off, { description: 'still off' }))).toBe('done');
  });
});

test('A business has a limited number of webhooks, active or not', async () => {
  const { key } = await scene();
  Object.assign(limits, { webhooksPerBusiness: 2 });
  const { id } = await createWebhook(key, wanted);
  await createWebhook(key, wanted);
  await expect(createWebhook(key, wanted)).rejects.toMatchObject({
    code: 'webhook_limit_reached',
    message: 'This business already has 2 webhooks. Delete one that is not in use.',
  });
  await deleteWebhook(key, { id });
  expect(await code(createWebhook(key, wanted))).toBe('done');
  expect(await code(createWebhook(key, wanted))).toBe('webhook_limit_reached');
});

test('A signing secret that was rotated shortly before can be rotated again soon', async () => {
  const { key } = await scene();
  const { id } = await createWebhook(key, wanted);
  expect(await rotateSecret(key, { id })).toEqual({
    id,
    secret: (await findSecret(id))?.secret,
    rotatedAt: timestamp(testNow),
    previousUntil: null,
  });
  refuse('None', 'TransactionConflict');
  await expect(rotateSecret(key, { id })).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    extras: { retryAfter: 1 },
  });
  expect(await findSecret(1)).toBeUndefined();
});

test('An owner can list the webhooks of all keys or of one key', async () => {
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
  expect(await getWebhook(owner, other)).toMatchObject({
    id: other.id,
    apiKeyId: key.id + 1,
    failingSince: null,
  });
  expect(await getWebhook(key, mine)).toMatchObject({ failingSince: since });
});

test('The webhooks of a business are listed page by page, sorted by key and age', async () => {
  const { key } = await scene();
  const all: WebhookItem[] = [];
  for (const keyId of [key.id, key.id, key.id, key.id + 1, key.id + 2]) {
    all.push(await newWebhook(key.tenantId, keyId));
  }
  const first = await webhooksAfter(key.tenantId, undefined, 3);
  expect(first.webhooks.map(({ id }) => id)).toEqual(all.slice(0, 3).map(({ id }) => id));
  expect(first.after).toEqual({ keyId: key.id, webhookId: all[2]?.id });
  const last = await webhooksAfter(key.tenantId, first.after, 3);
  expect(last.webhooks.map(({ id }) => id)).toEqual(all.slice(3).map(({ id }) => id));
  expect(last.after).toBeUndefined();
});

test('A webhook receives the events to which it is subscribed and no others', () => {
  const webhook = { events: ['booking.created', 'client.created'] } as unknown as WebhookItem;
  expect(['booking.created', 'client.created', 'review.created'].map((event) => subscribesTo(webhook, event))).toEqual([
    true,
    true,
    false,
  ]);
  expect(subscribesTo({ ...webhook, events: [] }, 'booking.created')).toBe(false);
});

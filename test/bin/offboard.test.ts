/** Offboarding a business deletes and lists all its data, and none of another. */
import { expect, onTestFinished, test } from 'vitest';
import { inventory, offboard } from '../../bin/operate/offboard.ts';
import { stores } from '../../contract/system/needs.ts';
import { dynamo } from '../../core/clients.ts';
import { newId, now, timestamp } from '../../core/clock.ts';
import { inSandbox } from '../../core/mode.ts';
import { collect } from '../../core/notices/collect.ts';
import { countOwner } from '../../core/owners/count-owner.ts';
import { deliveries, secrets } from '../../core/table-keys.ts';
import { tracedClient } from '../core/erasure/traced-client.ts';
import { ownerOf } from '../support/account.ts';
import { issueKey } from '../support/api-keys.ts';
import { put } from '../support/pipeline-state.ts';
import { useTestBusiness } from '../support/test-business.ts';

const fixture = useTestBusiness();

/** A business with clients, bookings, events, a webhook and its log, owners' counters, notices, and a sandbox. */
async function used() {
  const { tenantId, owner } = await tracedClient(fixture, onTestFinished);
  await issueKey(dynamo(), { id: newId(), tenantId });
  await owner('updateBusiness', { body: { noticeEmail: 'owner@salon.example' } });
  const live = await owner('createApiKey', {
    body: { name: 'Live', scopeSet: 'full_crm', contactEmail: `key-of-${tenantId}@salon.example` },
  });
  const data = { apiKeyId: Number(live.json.id), mode: 'live', expiresAt: timestamp(now()) } as const;
  const expiring = { id: newId(), tenantId, occurredAt: timestamp(now()), data };
  expect(await collect('key.expires_in_3_days', [expiring])).toHaveLength(2);
  const key = await owner('createApiKey', {
    headers: { 'booking-mode': 'test' },
    body: { name: 'Test', scopeSet: 'full_crm' },
  });
  expect(key.status).toBe(201);
  return tenantId;
}

const all = async () =>
  (await Promise.all(stores.map((store) => fixture.items(store, { ConsistentRead: true })))).flat();

async function webhookOf(tenantId: number): Promise<number> {
  const found = (await all()).find(
    ({ pk, sk }) => pk === deliveries.tenant(tenantId) && String(sk).startsWith('WEBHOOK#'),
  );
  return Number(found?.id);
}

/** All items that name the business, its sandbox, or a webhook of either, in any table. */
async function itemsOf(tenantId: number) {
  const items = (await all()).map((item) => JSON.stringify(item));
  const webhooks = items.flatMap((item) =>
    item.includes(`"pk":"T#${tenantId}","sk":"WEBHOOK#`) ? (/"id":(\d+)/.exec(item)?.[1] ?? []) : [],
  );
  const names = [tenantId, inSandbox(tenantId), ...webhooks].map(String);
  return items.filter((item) => names.some((name) => item.includes(name)));
}

test('Removing a business deletes all its items from every table, and no items of other businesses', async () => {
  const [gone, stays] = [await used(), await used()];
  const before = await itemsOf(stays);
  const was = await itemsOf(gone);
  const listed = await inventory(gone);
  expect(Object.keys(listed).sort()).toEqual([
    'audit',
    'business',
    'changes booking',
    'changes client',
    'credentials',
    'days',
    'deliveries',
    'idempotency',
    'notices',
    'payments',
    'refunds',
    'reviews',
    'signing secrets',
    'waiting events',
    'webhooks',
  ]);
  expect(Object.values(listed).reduce((sum, count) => sum + count, 0)).toBe(was.length);
  expect(await itemsOf(gone)).toEqual(was);

  expect(await offboard(gone, async () => undefined)).toEqual(listed);
  const left = (await all())
    .map((item) => JSON.stringify(item))
    .filter((item) => was.includes(item) || item.includes(String(gone)));
  expect(left).toEqual([]);
  expect(await itemsOf(stays)).toEqual(before);
  expect((await ownerOf(gone)('getBusiness')).status).toBe(404);
});

test('Removing a business also deletes a delivery record that is written during the removal', async () => {
  const gone = await used();
  const late = { ...deliveries.record(await webhookOf(gone), 5_000), tenantId: gone };
  await offboard(gone, () => put('deliveries', late));
  expect((await all()).map((item) => JSON.stringify(item)).filter((item) => item.includes(String(gone)))).toEqual([]);
});

test('If owners send requests while their business is removed, only rate-limit counters remain, which a second removal deletes', async () => {
  const gone = await used();
  let owners = 0;
  const look = () => countOwner({ tenantId: gone, subject: `reception-${++owners}` });
  let isOpen = true;
  onTestFinished(() => {
    isOpen = false;
  });
  const looking = (async () => {
    while (isOpen) await look();
  })();
  await offboard(gone, async () => undefined);
  isOpen = false;
  await looking;
  await look();
  expect(Object.keys(await inventory(gone))).toEqual(['credentials']);
  await offboard(gone, async () => undefined);
  expect(await inventory(gone)).toEqual({});
});

test('Negative control: if removing a business does not wait for late writes, a record written during the removal remains', async () => {
  const gone = await used();
  const id = await webhookOf(gone);
  await offboard(gone, async () => undefined);
  await put('deliveries', { ...deliveries.record(id, 5_000), tenantId: gone });
  expect(await inventory(gone)).toEqual({});
  expect((await all()).filter(({ tenantId }) => tenantId === gone)).toHaveLength(1);
  expect(secrets.signing(id).pk).toBe(deliveries.log(id));
});

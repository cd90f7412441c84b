/** The limits and state that belong to a webhook's target: how often it changes, and what is known of its receiver. */
import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { dayMs, setRuntime } from '../../../../core/clock.ts';
import { reserve } from '../../../../core/deliveries/plan/claims.ts';
import { getItem } from '../../../../core/store/read.ts';
import { writeEach } from '../../../../core/store/write-each.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { createWebhook } from '../../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { loadWebhook, webhooksOfBusiness } from '../../../../core/webhooks/registry/store.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { withBug } from '../../../support/faults.ts';
import { interfering, unconditional, withoutConditions } from '../../../support/interfere.ts';
import { newWebhook, put } from '../../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../../support/principals.ts';
import { testNow, useTestBusiness } from '../../../support/test-business.ts';

const fixture = useTestBusiness();
vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');

const slowUrl = 'http://127.0.0.1:9000/hooks';
const otherUrl = 'http://127.0.0.1:9001/hooks';
const wanted = { targetUrl: slowUrl, events: ['booking.created' as const] };
const slowUntil = testNow + 60_000;
const answeredHost = new URL(slowUrl).hostname;
const code = (call: Promise<unknown>) => call.then(() => 'done').catch((error) => error.code);

/** A new webhook, by default without any of these fields. */
async function webhookWith(fields: Partial<WebhookItem> = {}): Promise<{ key: TestKey; id: number }> {
  const { key } = await fixture.tenant();
  const { id } = await createWebhook(key, wanted);
  await put('deliveries', { ...(await loadWebhook(key, id)), ...fields });
  return { key, id };
}

test('A new webhook is marked as slow if a deleted webhook with the same URL origin was slow in the last ten minutes', async () => {
  const { key, id } = await webhookWith({ slowUntil });
  await deleteWebhook(key, { id });
  const isSlow = async (targetUrl: string) =>
    'slowUntil' in (await loadWebhook(key, (await createWebhook(key, { ...wanted, targetUrl })).id));
  expect([await isSlow(slowUrl), await isSlow(otherUrl)]).toEqual([true, false]);
  setRuntime({ now: () => slowUntil });
  expect(await isSlow(slowUrl)).toBe(false);
});

test('A webhook whose URL changes to a slow origin is marked as slow, even if no other webhook uses this origin any more', async () => {
  const { key, id } = await webhookWith({ slowUntil });
  const moving = await createWebhook(key, { ...wanted, targetUrl: otherUrl });
  await updateWebhook(key, { id: moving.id }, { targetUrl: slowUrl });
  expect(await loadWebhook(key, moving.id)).toMatchObject({ slowUntil });
  for (const one of [id, moving.id]) await updateWebhook(key, { id: one }, { targetUrl: otherUrl });
  const later = await createWebhook(key, wanted);
  expect(await loadWebhook(key, later.id)).toMatchObject({ slowUntil });
});

test('A webhook is no longer marked as slow after its URL changes to an origin that is not slow', async () => {
  const { key, id } = await webhookWith({ slowUntil });
  await updateWebhook(key, { id }, { targetUrl: `${slowUrl}/new` });
  expect(await loadWebhook(key, id)).toMatchObject({ slowUntil });
  await updateWebhook(key, { id }, { targetUrl: otherUrl });
  const neighbour = await createWebhook(key, { ...wanted, targetUrl: otherUrl });
  for (const one of [id, neighbour.id]) expect(await loadWebhook(key, one)).not.toHaveProperty('slowUntil');
});

test('A host that has responded to one webhook has the full sending limit for all webhooks of the same business only', async () => {
  const { key } = await webhookWith({ answeredHost });
  const neighbour = await createWebhook(key, { ...wanted, targetUrl: `${slowUrl}/new` });
  const moving = await createWebhook(key, { ...wanted, targetUrl: 'http://localhost:9000/hooks' });
  expect(await loadWebhook(key, moving.id)).not.toHaveProperty('answeredHost');
  await updateWebhook(key, moving, { targetUrl: slowUrl });
  for (const one of [neighbour, moving]) expect(await loadWebhook(key, one.id)).toMatchObject({ answeredHost });
  const other = await webhookWith();
  expect(await loadWebhook(other.key, other.id)).not.toHaveProperty('answeredHost');
});

test('After its URL changes to a new host, a webhook no longer stores that its former host has responded', async () => {
  const { key, id } = await webhookWith({ answeredHost });
  await updateWebhook(key, { id }, { targetUrl: `${slowUrl}/new` });
  expect(await loadWebhook(key, id)).toMatchObject({ answeredHost });
  await updateWebhook(key, { id }, { targetUrl: 'http://localhost:9000/hooks' });
  expect(await loadWebhook(key, id)).not.toHaveProperty('answeredHost');
});

test.each<[string, (key: TestKey, id: number) => Promise<number>]>([
  [
    'is deleted before a slow webhook of its origin that never had a response',
    async (key, id) => {
      const other = await createWebhook(key, wanted);
      await put('deliveries', { ...(await loadWebhook(key, other.id)), slowUntil, answeredHost: 'other' });
      await deleteWebhook(key, { id });
      await deleteWebhook(key, other);
      return (await createWebhook(key, wanted)).id;
    },
  ],
  [
    'is deleted and created again with another port',
    async (key, id) => {
      await deleteWebhook(key, { id });
      return (await createWebhook(key, { ...wanted, targetUrl: otherUrl })).id;
    },
  ],
  [
    'moves to another host and back',
    async (key, id) => {
      await updateWebhook(key, { id }, { targetUrl: 'http://localhost:9000/hooks' });
      await put('deliveries', { ...(await loadWebhook(key, id)), answeredHost: 'localhost' });
      return (await updateWebhook(key, { id }, { targetUrl: slowUrl })).id;
    },
  ],
])('A host that has responded keeps the full sending limit if its webhook changes (which %s)', async (_, change) => {
  const { key, id } = await webhookWith({ answeredHost });
  expect(await loadWebhook(key, await change(key, id))).toMatchObject({ answeredHost });
});

test.each([
  ['keeps the full sending limit until', 30 * dayMs - 1, true],
  ['has the low sending limit again from', 30 * dayMs, false],
])('A host that has responded %s 30 days after its last webhook was deleted', async (_, ms, isFull) => {
  const { key, id } = await webhookWith({ answeredHost });
  await deleteWebhook(key, { id });
  setRuntime({ now: () => testNow + ms });
  const webhook = await createWebhook(key, wanted);
  expect('answeredHost' in (await loadWebhook(key, webhook.id))).toBe(isFull);
});

/** The results of fifteen concurrent changes of one webhook's target. */
async function changesAtOnce(): Promise<readonly string[]> {
  const { key, id } = await webhookWith();
  const change = (_: unknown, i: number) => code(updateWebhook(key, { id }, { targetUrl: `${slowUrl}/${i}` }));
  return Promise.all(Array.from({ length: 15 }, change));
}

test('The targetUrl of a webhook can be changed ten times an hour, however many requests arrive at once', async () => {
  const ends = await changesAtOnce();
  expect(ends.filter((end) => end === 'done')).toHaveLength(limits.targetUrlChangesPerHour);
  expect(ends.filter((end) => end === 'invalid_state')).toHaveLength(5);
});

test('Negative control: if targetUrl changes are counted without a condition, more than ten an hour are accepted', async () => {
  const ends = await withBug((writes) => writes.map(unconditional), changesAtOnce);
  expect(ends.filter((end) => end === 'done').length).toBeGreaterThan(limits.targetUrlChangesPerHour);
});

test('After ten changes of targetUrl in an hour, the error shows when the next one is possible', async () => {
  const { key, id } = await webhookWith();
  for (let i = 0; i < limits.targetUrlChangesPerHour; i++) await updateWebhook(key, { id }, { targetUrl: slowUrl });
  // The second one is not even looked at, and so causes no DNS query.
  for (const targetUrl of [slowUrl, 'https://10.0.0.1/']) {
    await expect(updateWebhook(key, { id }, { targetUrl })).rejects.toMatchObject({
      code: 'invalid_state',
      extras: { retryAfter: 3_600 },
    });
  }
  expect(await updateWebhook(key, { id }, { description: 'Still mine' })).toMatchObject({ description: 'Still mine' });
  setRuntime({ now: () => testNow + 3_600_000 });
  expect(await code(updateWebhook(key, { id }, { targetUrl: slowUrl }))).toBe('done');
});

test('The hourly limit of changes of targetUrl is not exceeded when the clocks of two machines show different hours', async () => {
  const { key, id } = await webhookWith();
  const next = (Math.floor(testNow / 3_600_000) + 1) * 3_600_000;
  for (let i = 0; i < limits.targetUrlChangesPerHour; i++) {
    setRuntime({ now: () => next - (i % 2) });
    await updateWebhook(key, { id }, { targetUrl: slowUrl });
  }
  for (const clock of [next, next - 1]) {
    setRuntime({ now: () => clock });
    expect(await code(updateWebhook(key, { id }, { targetUrl: slowUrl }))).toBe('invalid_state');
  }
});

const reserved = {
  sends: [29_000_000, 2_000],
  hostSends: { 'host.example': [29_000_000, 60] },
  reservations: 7,
} as const;

/** A business whose first webhook has reservations, and that has a second webhook. */
async function withReservations(): Promise<{ key: TestKey; first: WebhookItem; second: WebhookItem }> {
  const { key } = await fixture.tenant();
  const first = await newWebhook(key.tenantId, key.id, reserved);
  const second = await newWebhook(key.tenantId, key.id);
  return { key, first, second };
}

test('After a webhook is deleted, the message counters of its business are kept, but only for eight days if no webhook is left', async () => {
  const { key, first, second } = await withReservations();
  await deleteWebhook(key, { id: first.id });
  const { sends, hostSends } = reserved;
  expect(await loadWebhook(key, second.id)).toMatchObject({ sends, hostSends, reservations: 1 });
  await deleteWebhook(key, { id: second.id });
  expect(await getItem('deliveries', deliveries.budget(key.tenantId))).toMatchObject({
    sends,
    hostSends,
    expiresAtSeconds: testNow / 1_000 + 8 * 86_400,
  });
});

test('The first webhook of the oldest API key of a business takes over the message counters for the sending limit', async () => {
  const { key, first } = await withReservations();
  const earlier = keyPrincipal(key.tenantId, 1);
  const { id } = await createWebhook(earlier, wanted);
  const { sends, hostSends } = reserved;
  expect(await loadWebhook(earlier, id)).toMatchObject({ sends, hostSends, reservations: 8 });
  expect(await loadWebhook(key, first.id)).toMatchObject({ reservations: 8 });
  // The former first webhook has outdated values, which nothing may copy.
  await newWebhook(key.tenantId, key.id);
  await deleteWebhook(key, { id: first.id });
  expect(await loadWebhook(earlier, id)).toMatchObject({ sends, hostSends, reservations: 8 });
});

test('The message counters of a business do not change when a webhook that does not store them is created or deleted', async () => {
  const { key, first } = await withReservations();
  const { id } = await createWebhook(key, wanted);
  expect(await loadWebhook(key, id)).not.toHaveProperty('sends');
  await deleteWebhook(key, { id });
  // The extra reservation lets the deletion of the first webhook detect the other.
  expect(await loadWebhook(key, first.id)).toMatchObject({ ...reserved, reservations: 8 });
});

const sendsWithOneMore = [29_000_000, 2_001];
const reserveOneMore = (first: WebhookItem) => writeEach([reserve(first, { sends: sendsWithOneMore })]);

/** A change of the first webhook, and what another request does before it is committed. */
interface Race {
  readonly race: string;
  readonly change: (key: TestKey, first: WebhookItem) => Promise<unknown>;
  readonly other: (key: TestKey, first: WebhookItem, second: WebhookItem) => Promise<unknown>;
  readonly sends: readonly number[];
}

const races: readonly Race[] = [
  {
    race: 'a new webhook becomes the first of the business while a delivery is created',
    change: ({ tenantId }) => createWebhook(keyPrincipal(tenantId, 1), wanted),
    other: (_, first) => reserveOneMore(first),
    sends: sendsWithOneMore,
  },
  {
    race: 'the first webhook of the business is deleted while a delivery is created',
    change: deleteWebhook,
    other: (_, first) => reserveOneMore(first),
    sends: sendsWithOneMore,
  },
  {
    race: 'the two webhooks of the business are deleted at the same time',
    change: deleteWebhook,
    other: (key, _, second) => deleteWebhook(key, second),
    sends: reserved.sends,
  },
];

/** The used sending budget after a race. */
async function sendsAfter({ change, other }: Race, instead?: typeof withoutConditions) {
  const { key, first, second } = await withReservations();
  const interference = { when: () => true, first: () => other(key, first, second), instead };
  await interfering(interference, () => change(key, first));
  const [now] = await webhooksOfBusiness(key.tenantId);
  // Without conditions, a deleted webhook is written again, with few fields.
  const holder = now?.createdAt ? now : await getItem<WebhookItem>('deliveries', deliveries.budget(key.tenantId));
  return holder?.sends;
}

test.each(races)('The sending limit counts every message while webhooks are being changed ($race)', async (race) => {
  expect(await sendsAfter(race)).toEqual(race.sends);
});

test.each(races)('Negative control: unconditional changes of webhooks miscount messages ($race)', async (race) => {
  expect(await sendsAfter(race, withoutConditions)).not.toEqual(race.sends);
});

/**
 * The number of the last delivery to the former host, if a delivery is planned while the webhook moves to another host.
 */
async function movedAfterRace(instead?: typeof withoutConditions): Promise<number | undefined> {
  const { key } = await fixture.tenant();
  const webhook = await newWebhook(key.tenantId, key.id, { targetUrl: slowUrl });
  const first = () => put('deliveries', { ...webhook, lastNumber: 1 });
  const move = () => updateWebhook(key, webhook, { targetUrl: 'http://localhost:9000/hooks' });
  await interfering({ when: () => true, first, instead }, move);
  return (await loadWebhook(key, webhook.id)).movedAfter;
}

test('A delivery scheduled while its webhook moves to another host counts towards the sending limit of the former host', async () => {
  expect(await movedAfterRace()).toBe(1);
  // Negative control: without conditional writes, it is counted for the new host.
  expect(await movedAfterRace(withoutConditions)).toBe(0);
});

import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../contract/system/needs.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import { setRuntime } from '../../core/clock.ts';
import { deliveries, records } from '../../core/table-keys.ts';
import { putAll } from '../../local/admin.ts';
import { firstFreeStart } from '../../local/first-free-start.ts';
import { seedDemo } from '../../local/seed-demo.ts';
import { useAdmin } from '../support/local-admin.ts';
import { keyPrincipal } from '../support/principals.ts';
import { temporaryFolder } from '../support/synthesised.ts';

/** A Saturday noon in Riga. */
const now = Date.UTC(2026, 10, 21, 10);

const admin = useAdmin();
let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder('demo');
});
afterEach(async () => {
  setRuntime();
  for (const store of ['keys', 'records', 'deliveries'] as const) {
    for (const { pk, sk } of await contents(store)) {
      const Key = store === 'keys' ? { pk } : { pk, sk };
      await admin.db.send(new DeleteCommand({ TableName: admin.table(store), Key }));
    }
  }
});

async function contents(store: Store) {
  const { Items } = await admin.db.send(new ScanCommand({ TableName: admin.table(store), ConsistentRead: true }));
  return Items ?? [];
}

test('A second start of the local demo changes no data and shows the API keys of the first start', async () => {
  const first = await seedDemo(admin, dataDir, now);
  const before = [await contents('keys'), await contents('records')];
  const second = await seedDemo(admin, dataDir, now + 86_400_000);
  expect([second.apiKey, second.testKey]).toEqual([first.apiKey, first.testKey]);
  expect([await contents('keys'), await contents('records')]).toEqual(before);
});

test('If `npm start` is interrupted while it writes the demo data, the next start writes complete demo data', async () => {
  const { tenant } = await seedDemo(admin, dataDir, now);
  const { id } = tenant.business;
  const business = { TableName: admin.table('records'), Key: records.business(id) };
  const names = async () => (await contents('records')).map(({ pk, sk }) => `${pk} ${sk}`).toSorted();
  const complete = await names();

  await admin.db.send(new DeleteCommand(business));
  await putAll(admin, 'records', [records.client(id, 7), records.review(id, 8)]);
  await putAll(admin, 'deliveries', [deliveries.webhook(id, 9, 10), { ...deliveries.record(10, 1), tenantId: id }]);
  const others = records.client(id * 10, 7);
  await putAll(admin, 'records', [others]);
  await seedDemo(admin, dataDir, now);
  expect(await names()).toEqual([...complete, `${others.pk} ${others.sk}`].toSorted());
  expect(await contents('deliveries')).toEqual([]);
  expect(await contents('keys')).toHaveLength(2);
});

test('The API key of the demo is kept in a file that only the user who started the demo can read', async () => {
  const file = join(dataDir, 'demo-key.json');
  await writeFile(file, 'left over', { mode: 0o644 });
  const { apiKey, testKey } = await seedDemo(admin, dataDir, now);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ key: apiKey, testKey });
});

test("If the file with the demo's API key is lost, the next start replaces the demo's API keys", async () => {
  const first = await seedDemo(admin, dataDir, now);
  await rm(join(dataDir, 'demo-key.json'));
  const second = await seedDemo(admin, dataDir, now);
  expect(second.apiKey).not.toBe(first.apiKey);
  expect(await contents('keys')).toHaveLength(2);
});

test("If the demo's API key was regenerated, the next start creates another key and does not restore the old value", async () => {
  const first = await seedDemo(admin, dataDir, now);
  await admin.db.send(
    new UpdateCommand({
      TableName: admin.table('records'),
      Key: records.key(first.tenant.business.id, 1_000),
      UpdateExpression: 'SET #hash = :other',
      ExpressionAttributeNames: { '#hash': 'hash' },
      ExpressionAttributeValues: { ':other': 'f'.repeat(64) },
    }),
  );
  const second = await seedDemo(admin, dataDir, now);
  expect(second.apiKey).not.toBe(first.apiKey);
});

test('The demo has a live key and a test key even without a data folder', async () => {
  const { apiKey, testKey } = await seedDemo(admin, undefined, now);
  expect([apiKey, testKey]).toEqual([expect.stringMatching(/^bk_live_/), expect.stringMatching(/^bk_test_/)]);
});

test('The demo suggests a start time that can be booked, and a later start time as soon as the first is taken', async () => {
  setRuntime({ now: () => now });
  const { tenant } = await seedDemo(admin, undefined, now);
  const tenantId = tenant.business.id;
  const key = keyPrincipal(tenantId, 1_000);
  const offered: (string | undefined)[] = [];
  const bookedStaff: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { free } = await seedDemo(admin, undefined, now);
    offered.push(free?.startTime);
    const client = { name: 'Jane Doe', email: 'jane@example.com' };
    const booking = await createBooking(key, { serviceId: 0, startTime: '', ...free, client });
    bookedStaff.push(booking.staffName);
  }
  expect(offered).toEqual(['2026-11-23T09:00:00+02:00', '2026-11-23T09:00:00+02:00', '2026-11-23T09:45:00+02:00']);
  expect(bookedStaff.slice(0, 2).toSorted()).toEqual(['Anna', 'Jānis']);

  const everybody = tenant.staff.map(({ id }) => ({
    taken: [{ calendar: `${id}`, start: 0, end: Number.MAX_SAFE_INTEGER }],
  }));
  const booked = (status: 'confirmed' | 'cancelled') => everybody.map((each) => ({ ...each, status }));
  const serviceId = tenant.services[0]?.id ?? 0;
  expect(firstFreeStart(tenant, serviceId, booked('cancelled'), now)).toBe('2026-11-23T09:00:00+02:00');
  expect(firstFreeStart(tenant, serviceId, booked('confirmed'), now)).toBeUndefined();
});

test.each([
  ['shortly before midnight in Riga', Date.UTC(2026, 10, 23, 21, 59), '2026-11-24T09:00:00+02:00'],
  ['shortly after midnight in Riga but not in UTC', Date.UTC(2026, 10, 23, 22, 1), '2026-11-25T09:00:00+02:00'],
  ['on the day before the clocks change', Date.UTC(2027, 2, 27, 12), '2027-03-29T09:00:00+03:00'],
])('A demo that starts %s suggests a free time on the next working day', async (_when, at, startTime) => {
  expect((await seedDemo(admin, undefined, at)).free?.startTime).toBe(startTime);
});

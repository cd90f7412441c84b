/** Records of 1.0.0, which wrote neither entries for names nor the places of payments by time. */
import { beforeEach, expect, test } from 'vitest';
import { createClient, listClients, updateClient } from '../../../core/bookings/client-book.ts';
import { entriesOf } from '../../../core/bookings/client-names.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { laterIndexes } from '../../../core/catalog/items.ts';
import { newId } from '../../../core/clock.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { getPaymentTotals } from '../../../core/payments/totals.ts';
import { backfill } from '../../../core/setup/backfill.ts';
import type { Key } from '../../../core/store/key.ts';
import { getItem } from '../../../core/store/read.ts';
import { firstPut } from '../../../core/store/revised.ts';
import { transact } from '../../../core/store/transact.ts';
import { gone, remove, set, writeOne } from '../../../core/store/write.ts';
import { records } from '../../../core/table-keys.ts';
import { interfering } from '../../support/interfere.ts';
import { overtaken } from '../../support/overtaken.ts';
import { useBench } from '../../support/tenant.ts';

const bench = useBench();
// What another test left unfilled is not counted.
beforeEach(() => backfill());
const name = 'Jānis Bērziņš';
const nothing = { clients: 0, contacts: 0, payments: 0, bookings: 0, businesses: 0 };

async function salon() {
  const { tenant } = await bench.tenant();
  const owner = { tenantId: tenant.business.id, subject: 'owner' };
  const client = await createClient(owner, { name, email: 'janis@example.com' });
  const { value: payment } = await recordPayment(owner, { amount: 4_500, method: 'card' });
  const found = async (search: string) => (await listClients(owner, { search })).data.map((one) => one.name);
  const counted = async () => (await getPaymentTotals(owner, {})).count;
  return { owner, client, payment, found, counted };
}

const unnamed = (...entry: Parameters<typeof records.clientName>) => remove('records', records.clientName(...entry));

/** A client and a payment as they were written then, beside a business as it is written now. */
async function oldAndNew() {
  await salon();
  const old = await salon();
  const { tenantId } = old.owner;
  await transact(entriesOf(name).map((entry) => unnamed(tenantId, entry, old.client.id)));
  const absent = { byStartPk: gone, byStartSk: gone };
  await writeOne(set('records', records.payment(tenantId, old.payment.id), absent));
  return old;
}

test('clients of before are found and payments of before are counted, and a second run has nothing to do', async () => {
  const { found, counted } = await oldAndNew();
  expect([await found('berz'), await counted()]).toEqual([[], 0]);
  expect(await backfill()).toEqual({ ...nothing, clients: 1, payments: 1 });
  expect([await found('berz'), await found('jan'), await counted()]).toEqual([[name], [name], 1]);
  const before = await bench.items('records');
  const sent: string[] = [];
  const isScanned = (command: string, { ConsistentRead }: { readonly ConsistentRead?: boolean }) => {
    sent.push(command);
    if (command === 'ScanCommand') expect(ConsistentRead).toBe(true);
    return false;
  };
  expect(await overtaken({ before: isScanned, next: async () => undefined }, backfill)).toEqual(nothing);
  expect(new Set(sent)).toEqual(new Set(['ScanCommand', 'GetItemCommand']));
  expect(await bench.items('records')).toEqual(before);
});

test('a client who lacks one entry of two gets the other, and nobody who was erased gets any', async () => {
  const { owner, client, found } = await salon();
  const [first = ''] = entriesOf(name);
  await transact([unnamed(owner.tenantId, first, client.id)]);
  expect(await backfill()).toEqual({ ...nothing, clients: 1 });
  expect(await found('jan')).toEqual([name]);
  const erased = await oldAndNew();
  const place = records.client(erased.owner.tenantId, erased.client.id);
  await writeOne(set('records', place, { erasedAt: '2026-12-01T05:00:00.000Z' }));
  expect(await backfill()).toEqual({ ...nothing, payments: 1 });
  expect(await erased.found('jan')).toEqual([]);
});

test('a business is marked as indexed once, whatever else it has', async () => {
  const { owner } = await salon();
  const place: Key = records.business(owner.tenantId);
  const before = await getItem<object>('records', place);
  for (const indexed of [gone, []]) {
    await writeOne(set('records', place, { indexed }));
    expect(await backfill()).toEqual({ ...nothing, businesses: 1 });
    expect(await getItem('records', place)).toEqual({ ...before, indexed: laterIndexes, revision: expect.any(Number) });
    expect(await backfill()).toEqual(nothing);
  }
});

test('a client who is renamed meanwhile is found by the new name alone', async () => {
  const { owner, client, found } = await oldAndNew();
  const isEntry = (sk: unknown) => String(sk).startsWith('NAME#');
  await interfering(
    {
      when: (writes) => writes.some(({ Put }) => isEntry(Put?.Item?.sk)),
      first: () => updateClient(owner, client, { name: 'Anna Ozola' }),
    },
    backfill,
  );
  expect([await found('berz'), await found('ozol')]).toEqual([[], ['Anna Ozola']]);
  const left = (await bench.items('records')).filter(({ pk, sk }) => pk === `T#${owner.tenantId}` && isEntry(sk));
  expect(left.map(({ sk }) => String(sk)).filter((sk) => sk.includes('berz'))).toEqual([]);
});

test('a booking that is moved meanwhile is found where it went', async () => {
  const { tenant, key } = await bench.tenant();
  const { value } = await createBooking(key, {
    serviceId: tenant.services[0]?.id ?? 0,
    startTime: '2026-12-01T10:00:00+02:00',
    client: { name, email: 'janis@example.com' },
  });
  const { id, clientId, startTime: from, endTime: to } = value;
  await writeOne(set('records', records.booking(key.tenantId, id), { byClientPk: gone, byClientSk: gone }));
  const move = { startTime: '2026-12-01T15:00:00+02:00', by: 'staff' } as const;
  const fills = (command: string, { Key }: { readonly Key?: Key }) =>
    command === 'UpdateItemCommand' && Key?.sk === records.booking(0, id).sk;
  const filled = await overtaken({ before: fills, next: () => rescheduleBooking(key, id, move) }, backfill);
  expect(filled).toEqual(nothing);
  expect(await listBookings(key, { clientId, from, to })).toMatchObject({ data: [] });
  expect(await listBookings(key, { clientId, from: move.startTime })).toMatchObject({ data: [{ id }] });
});

test('a business that has nothing yet is marked as well', async () => {
  const tenantId = newId();
  const place: Key = records.business(tenantId);
  await transact([firstPut(place, { id: tenantId, name: 'New' })]);
  expect(await backfill()).toEqual({ ...nothing, businesses: 1 });
  expect(await getItem('records', place)).toMatchObject({ name: 'New', indexed: laterIndexes });
});

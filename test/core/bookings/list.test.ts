import { expect, test } from 'vitest';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { type BookingsQuery, listBookings } from '../../../core/bookings/list.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { setRuntime } from '../../../core/clock.ts';
import { writeCursor } from '../../../core/cursor.ts';
import type { KeyActor, Principal } from '../../../core/principal.ts';
import { pagesOf } from '../../support/pages.ts';
import { at, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const clocks = ['15:00', '09:00', '13:00', '10:30', '16:00', '11:15'];

/** Six bookings of one day, created in random order. */
async function testBusiness() {
  const { key, services, staff, book } = await fixture.tenant();
  const ids = new Map<string, number>();
  for (const clock of clocks) {
    const client = { name: clock, email: `${clock.replace(':', '')}@example.com` };
    ids.set(clock, (await book(at(clock), { client })).id);
  }
  return { key, services, staff, id: (clock: string) => ids.get(clock) ?? 0 };
}

async function pages(key: Principal<KeyActor>, query: BookingsQuery): Promise<string[][]> {
  const all = await pagesOf((cursor) => listBookings(key, { ...query, cursor }));
  return all.map(({ data }) => data.map(({ startTime }) => startTime.slice(11, 16)));
}

const sorted = clocks.toSorted();

test('The list of bookings is sorted by start time, and `nextCursor` is null only on the last page', async () => {
  const { key } = await testBusiness();
  expect(await pages(key, {})).toEqual([sorted]);
  expect(await pages(key, { limit: 6 })).toEqual([sorted]);
  expect(await pages(key, { limit: 3 })).toEqual([sorted.slice(0, 3), sorted.slice(3)]);
  expect(await pages(key, { limit: 4 })).toEqual([sorted.slice(0, 4), sorted.slice(4)]);
  expect(await pages(key, { limit: 1 })).toEqual(sorted.map((clock) => [clock]));
});

test('The list of bookings can be limited to a period, given with any UTC offset', async () => {
  const { key } = await testBusiness();
  expect(await pages(key, { from: at('10:30'), to: at('15:00') })).toEqual([['10:30', '11:15', '13:00']]);
  expect(await pages(key, { from: '2026-12-01T08:30:00Z', to: '2026-12-01T22:00:00+09:00' })).toEqual([
    ['10:30', '11:15', '13:00'],
  ]);
  expect(await pages(key, { from: at('10:31'), to: at('15:01'), limit: 2 })).toEqual([['11:15', '13:00'], ['15:00']]);
  expect(await pages(key, { from: at('10:30'), to: at('10:30') })).toEqual([[]]);
  expect(await pages(key, { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).toEqual([sorted]);
});

test('The list of bookings can be filtered by status, staff, service, client and time of change', async () => {
  const { key, staff, id, services } = await testBusiness();
  setRuntime({ now: () => testNow + 60_000 });
  await cancelBooking(key, { id: id('13:00') }, {});
  const move = { startTime: at('12:30'), staffId: staff[2].id };
  const { clientId } = await rescheduleBooking(key, { id: id('15:00') }, move);
  expect(await pages(key, { status: 'cancelled' })).toEqual([['13:00']]);
  expect(await pages(key, { staffId: staff[2].id })).toEqual([['12:30']]);
  expect(await pages(key, { clientId })).toEqual([['12:30']]);
  expect(await pages(key, { serviceId: services[1].id })).toEqual([[]]);
  expect((await pages(key, { serviceId: services[0].id })).flat()).toHaveLength(clocks.length);
  expect(await pages(key, { updatedFrom: new Date(testNow + 60_000).toISOString() })).toEqual([['12:30', '13:00']]);
  expect(await pages(key, { status: 'confirmed', staffId: staff[0].id, limit: 2 })).toEqual([
    ['09:00', '10:30'],
    ['11:15', '16:00'],
  ]);
});

test('A list of bookings with a reversed period, or with a cursor from another period, is refused', async () => {
  const { key } = await testBusiness();
  const refused = { code: 'validation_failed' };
  const details = [{ path: 'to', message: 'must not be before from' }];
  const early = listBookings(key, { from: at('11:00'), to: at('10:00') });
  await expect(early).rejects.toMatchObject({ ...refused, extras: { details } });
  const { nextCursor } = await listBookings(key, { from: at('10:00'), limit: 2 });
  const cursor = nextCursor ?? '';
  await expect(listBookings(key, { from: at('09:00'), cursor })).rejects.toMatchObject(refused);
  await expect(listBookings(key, { from: at('10:00'), cursor, limit: 5 })).resolves.toMatchObject({ nextCursor: null });
});

test('A forged cursor of the list of bookings shows no bookings of another business', async () => {
  const [{ key }, other] = [await testBusiness(), await testBusiness()];
  const own = (await listBookings(key, {})).data.map(({ id }) => id);
  // The position of a booking of the other business.
  const foreign = `${Date.parse(at('10:30')) / 60_000}.${other.id('10:30')}`;
  const scope = { tenantId: key.tenantId, list: 'bookings', from: at('10:00') };
  const odd = ['', 'x', '-5.2', '9999999999999999.9999999999999999', '1e300.NaN', '1'.repeat(400)];
  const shown: number[] = [];
  for (const position of [foreign, '1.1', ...odd]) {
    const list = listBookings(key, { from: at('10:00'), cursor: writeCursor(scope, position) });
    const { data } = await list.catch((error) => {
      expect(error).toMatchObject({ code: 'validation_failed' });
      return { data: [] };
    });
    shown.push(...data.map(({ id }) => id));
  }
  // The first position is a valid one, after which the list continues with its own bookings.
  expect(shown).toEqual(own.slice(2));
});

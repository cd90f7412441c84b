/** Lists in order of change, for mirrors (docs/rules.md#changes). */
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { createClient, listClients, updateClient } from '../../../core/bookings/client-book.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { setRuntime } from '../../../core/clock.ts';
import { writeCursor } from '../../../core/cursor.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import { lambdaContext } from '../../support/http.ts';
import { interceptErasures } from '../../support/queue-and-bus.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, jane as client, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const settleMs = limits.changesSettleSeconds * 1_000;

let clock = testNow;

async function source() {
  clock = testNow;
  setRuntime({ now: () => clock });
  return fixture.business({ times: {} });
}

test('The list of changed bookings shows a change after a short delay, and its cursor never expires', async () => {
  const { owner, serviceId } = await source();
  const book = async (clockTime: string) =>
    await createBooking(owner, { serviceId, startTime: at(clockTime, 3), client });
  const read = async (cursor?: string | null) =>
    await listBookings(owner, { sort: 'updatedAt', limit: 2, cursor: cursor ?? undefined });
  const one = await book('10:00');
  const early = await read();
  expect(early).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
  clock += settleMs + 1;
  const first = await read(early.nextCursor);
  expect(first).toEqual({ data: [one], nextCursor: expect.any(String), hasMore: false });
  clock += 365 * 86_400_000;
  expect(await read(first.nextCursor)).toEqual({ data: [], nextCursor: first.nextCursor, hasMore: false });
  clock = testNow + settleMs + 2;
  const [two, three] = [await book('11:00'), await book('12:00')];
  const moved = await rescheduleBooking(owner, two, { startTime: at('15:00', 3) });
  clock += settleMs + 1;
  const second = await read(first.nextCursor);
  // The first entry of the moved booking is an older revision; the newest is listed by its own time.
  const third = await read(second.nextCursor);
  expect([second.data, third.data]).toEqual([[moved], [three]]);
  expect([second.hasMore, third.hasMore]).toEqual([true, false]);
  // A full page that is the last one.
  expect(await listBookings(owner, { sort: 'updatedAt', limit: 1, cursor: second.nextCursor ?? '' })).toEqual(third);
  await expect(
    listBookings(owner, { sort: 'updatedAt', status: 'confirmed', cursor: first.nextCursor ?? '' }),
  ).rejects.toMatchObject({ code: 'validation_failed' });
  const scope = { tenantId: owner.tenantId, list: 'BOOKING changes' };
  await expect(read(writeCursor(scope, 'T#1'))).rejects.toMatchObject({ code: 'validation_failed' });
  const [from, to] = [at('12:00', 3), at('15:00', 3)];
  expect((await listBookings(owner, { sort: 'updatedAt', from, to })).data).toEqual([three]);
  const since = (ms: number) => listBookings(owner, { sort: 'updatedAt', updatedFrom: new Date(ms).toISOString() });
  expect((await since(testNow + 1)).data.map(({ id }) => id).sort()).toEqual([two.id, three.id].sort());
  // Changes of the last moments, and of a time to come, are not listed yet.
  expect([(await since(clock)).data, (await since(clock + settleMs)).data]).toEqual([[], []]);
});

test('A request for the next page of changed bookings needs only the cursor, and no `updatedFrom`', async () => {
  const { owner, book } = await source();
  for (const clockTime of ['10:00', '11:00', '12:00']) {
    clock += 1_000;
    await book(at(clockTime, 3));
  }
  const from = { updatedFrom: new Date(clock - 1_000).toISOString() };
  clock += settleMs + 1;
  const first = await listBookings(owner, { sort: 'updatedAt', limit: 1, ...from });
  const cursor = first.nextCursor ?? '';
  const second = await listBookings(owner, { sort: 'updatedAt', limit: 1, cursor });
  const starts = [first, second].flatMap(({ data }) => data.map(({ startTime }) => startTime));
  expect(starts).toEqual([at('11:00', 3), at('12:00', 3)]);
  expect(await listBookings(owner, { sort: 'updatedAt', limit: 1, cursor, ...from })).toEqual(second);
});

test('If nothing has changed, polling for changed bookings costs the same with four bookings as with forty', async () => {
  const { owner, serviceId } = await source();
  const costs: number[] = [];
  for (const count of [4, 36]) {
    for (let i = 0; i < count; i++) {
      const startTime = at(`${10 + (i % 6)}:00`, 2 + Math.floor(i / 6) + costs.length * 10);
      await createBooking(owner, { serviceId, startTime, client: { name: 'Jane', phone: `1000${i}` } });
    }
    clock += settleMs + 1;
    const { nextCursor } = await listBookings(owner, { sort: 'updatedAt', limit: 100 });
    using script = scriptDynamo([], { units: true });
    await listBookings(owner, { sort: 'updatedAt', cursor: nextCursor ?? '' });
    expect(script.operations).toEqual(['Query']);
    costs.push(script.units());
  }
  expect(costs[1]).toBe(costs[0]);
});

test('The erasure of a client appears in the lists of changed clients and changed bookings', async () => {
  const { owner, serviceId } = await source();
  const messages: unknown[] = [];
  onTestFinished(interceptErasures(({ MessageBody = '' }) => messages.push(JSON.parse(MessageBody))));
  const body = { serviceId, startTime: at('10:00', 3), client, comment: 'Note' };
  const booking = await createBooking(owner, body);
  const { id: other } = await createClient(owner, { name: 'Bob', phone: '112233' });
  await updateClient(owner, { id: other }, { name: 'Rob' });
  clock += settleMs + 1;
  const [bookings, clients] = [
    await listBookings(owner, { sort: 'updatedAt' }),
    await listClients(owner, { sort: 'updatedAt' }),
  ];
  expect(clients.data.map(({ name, revision, erased }) => [name, revision, erased])).toEqual([
    ['Jane', 1, false],
    ['Rob', 2, false],
  ]);
  await eraseClient(owner, { id: booking.clientId });
  await Promise.all(erase([messages[0] as never], lambdaContext));
  clock += settleMs + 1;
  const read = { sort: 'updatedAt' } as const;
  const [after] = (await listBookings(owner, { ...read, cursor: bookings.nextCursor ?? '' })).data;
  expect(after).toMatchObject({ id: booking.id, revision: 2, comment: null, client: { name: '', email: null } });
  expect(after?.updatedAt).not.toBe(booking.updatedAt);
  const [erased] = (await listClients(owner, { ...read, cursor: clients.nextCursor ?? '' })).data;
  expect(erased).toMatchObject({ id: booking.clientId, revision: 2, erased: true, name: '' });
});

test('The list of changed clients refuses a search text, and a cursor that belongs to the list of changed bookings', async () => {
  const { owner } = await source();
  const { nextCursor } = await listBookings(owner, { sort: 'updatedAt' });
  for (const more of [{ search: 'x' }, { cursor: nextCursor ?? '' }]) {
    const list = listClients(owner, { sort: 'updatedAt', ...more });
    await expect(list).rejects.toMatchObject({ code: 'validation_failed' });
  }
});

/** Several services in one booking (docs/rules.md#visits). */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as routes from '../../../contract/integration/routes.ts';
import { explainSlot } from '../../../core/availability/explain.ts';
import { createHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { newId } from '../../../core/clock.ts';
import type { Write } from '../../../core/store/write.ts';
import { passesFilter } from '../../../core/webhooks/registry/webhook.ts';
import { interfering } from '../../support/interfere.ts';
import { atOnce, outcomes } from '../../support/outcomes.ts';
import { at, jane, newClient, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const day = { from: '2026-12-03', to: '2026-12-03' };
const unavailable = { code: 'slot_unavailable' };

/**
 * Haircut (45 minutes; Anna, Marta, Janis) and colour (120 minutes and 15 after; Anna, Marta). Anna and Janis work
 * 09:00–12:00 and 12:30–17:00, Marta 11:00–15:00 and 15:30–19:00.
 */
async function salon() {
  const business = await fixture.business();
  const { key, services, staff } = business;
  const [cut, colour] = services;
  const [anna, marta] = staff;
  const serviceIds = [cut.id, colour.id];
  const visit = (startTime: string, ...staffIds: (number | undefined)[]) => ({
    services: [
      { serviceId: cut.id, staffId: staffIds[0] },
      { serviceId: colour.id, staffId: staffIds[1] },
    ],
    startTime,
  });
  const book = (startTime: string, ...staffIds: (number | undefined)[]) =>
    createBooking(key, { ...visit(startTime, ...staffIds), client: jane });
  const slots = async () => (await listSlots(key, { serviceIds, ...day })).data;
  return { ...business, cut, colour, anna, marta, serviceIds, visit, book, slots };
}

test('A visit of several services is one booking with a segment for each service, and costs the sum of the service prices', async () => {
  const { cut, colour, anna, book, events, state } = await salon();
  const booking = await book(at('09:00', 3));
  expect(booking).toMatchObject({
    serviceId: cut.id,
    staffId: anna.id,
    startTime: at('09:00', 3),
    endTime: at('11:45', 3),
    price: { amount: 14_300, currency: 'EUR' },
    segments: [
      { serviceId: cut.id, staffId: anna.id, startTime: at('09:00', 3), endTime: at('09:45', 3), price: cut.price },
      { serviceId: colour.id, staffName: 'Anna', startTime: at('09:45', 3), endTime: at('11:45', 3), resourceId: null },
    ],
  });
  const [created] = await events('booking.created');
  const segments = booking.segments.map(({ price: _, ...segment }) => segment);
  expect(created?.data).toMatchObject({ places: 1, segments });
  expect((await state()).live[0]?.taken).toHaveLength(1);
});

test('If staff members are equally busy, a visit of several services changes from one staff member to another as rarely as possible', async () => {
  const { key, account, services, staff } = await fixture.business({
    times: { durationMinutes: 15, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    services: [{ durationMinutes: 45 }, { bufferBeforeMinutes: 30 }],
  });
  const [[cut, colour, beard], [anna, marta, janis]] = [services, staff];
  for (const [{ id }, ...able] of [
    [cut, anna],
    [colour, marta, janis],
    [beard, anna, marta],
  ] as const)
    await account('updateService', { params: { id: `${id}` }, body: { staffIds: able.map((one) => one.id) } });
  const visit = [cut, beard, colour, beard].map(({ id }) => ({ serviceId: id }));
  // Until 11:00, Marta's time is held, so that there is no time for the buffer if she begins with the colour at 11:15.
  await createHold(key, { serviceId: beard.id, staffId: marta.id, startTime: at('10:45', 3) });
  const booking = await createBooking(key, { services: visit, startTime: at('10:15', 3), client: jane });
  expect(booking.segments.map(({ staffName }) => staffName)).toEqual(['Anna', 'Marta', 'Marta', 'Marta']);
});

test('Consecutive services of one booking by one staff member have buffers before and after them, and none between them', async () => {
  const { key, anna, cut, colour, state, book } = await salon();
  // Colour has 15 minutes after it.
  const services = [colour, cut].map(({ id }) => ({ serviceId: id, staffId: anna.id }));
  const booking = await createBooking(key, { services, startTime: at('09:00', 3), client: jane });
  expect(booking.endTime).toBe(at('11:45', 3));
  const start = Date.parse(at('09:00', 3)) / 60_000;
  expect((await state()).live[0]?.taken).toEqual([{ calendar: `${anna.id}`, start, end: start + 165 }]);
  await expect(book(at('09:00', 3), anna.id)).rejects.toMatchObject(unavailable);
});

test('If one person performs the first and the last of three services, both buffers must fit into the time between them', async () => {
  const { key, account, services, staff } = await fixture.business({
    services: [{ bufferBeforeMinutes: 20, bufferAfterMinutes: 20 }],
  });
  const [[cut, , beard], [anna, , janis]] = [services, staff];
  // The beard takes 30 minutes, which is less than Anna's two buffers.
  const query = { serviceIds: [cut.id, beard.id, cut.id], staffIds: [anna.id, janis.id, anna.id] };
  const explain = () => explainSlot(key, { ...query, startTime: at('12:30', 3) });
  const { free, staff: explained } = await explain();
  expect([free, ...explained.map(({ reasons }) => reasons)]).toEqual([false, ['buffer'], ['buffer'], ['buffer']]);
  await account('updateService', { params: { id: `${cut.id}` }, body: { bufferAfterMinutes: 10 } });
  expect(await explain()).toMatchObject({ free: true });
});

test('A service whose buffer after it is not free can still be booked as the first of several services', async () => {
  const business = await fixture.business({ services: [{ bufferAfterMinutes: 180 }], allPerformAll: true });
  const {
    key,
    services: [cut, colour, beard],
    staff: [{ id: staffId }, , janis],
  } = business;
  await createBooking(key, { serviceId: colour.id, staffId, startTime: at('12:30', 3), client: jane });
  const startTime = at('09:00', 3);
  const alone = await explainSlot(key, { serviceId: cut.id, staffId, startTime });
  expect(alone.staff).toMatchObject([{ free: false, reasons: ['buffer'] }]);
  const isFree = { free: true, reasons: [] };
  const query = { serviceIds: [cut.id, colour.id], staffIds: [staffId, staffId], startTime };
  expect(await explainSlot(key, query)).toMatchObject({ free: true, staff: [isFree, isFree] });
  const serviceIds = [cut.id, beard.id, beard.id, beard.id];
  const apart = { serviceIds, staffIds: [staffId, staffId, janis.id, staffId], startTime: at('13:00', 4) };
  expect(await explainSlot(key, apart)).toMatchObject({ free: true });
});

test('A visit across midnight and a clock change reserves the time of all its staff members until it is cancelled', async () => {
  const { key, services, state, book } = await fixture.business({
    times: { durationMinutes: 90, bufferBeforeMinutes: 10, bufferAfterMinutes: 20 },
    rules: { maxAdvanceDays: 365 },
  });
  const [a, , b] = services;
  const body = { services: [a, b, a].map(({ id }) => ({ serviceId: id })), startTime: '2027-03-28T00:00:00+02:00' };
  const booking = await createBooking(key, { ...body, client: jane });
  // Clocks in Riga change from 03:00 to 04:00.
  expect(booking.segments.map(({ endTime }) => endTime.slice(11))).toEqual([
    '01:30:00+02:00',
    '04:00:00+03:00',
    '05:30:00+03:00',
  ]);
  expect((await state()).live).toHaveLength(1);
  await cancelBooking(key, booking, {});
  expect((await state()).live).toEqual([]);
  // On the next UTC day, a booking takes the time of the last service.
  const next = await book('2027-03-28T04:00:00+03:00', { staffId: booking.staffId });
  const withOne = body.services.map((one) => ({ ...one, staffId: booking.staffId }));
  await expect(createBooking(key, { ...body, services: withOne, client: jane })).rejects.toMatchObject(unavailable);
  await cancelBooking(key, next, {});
  // This booking ends, with its buffer, before midnight UTC.
  const { staffId } = booking;
  await book(body.startTime, { staffId });
  const again = { ...body, services: body.services.map((one, i) => (i === 0 ? { ...one, staffId } : one)) };
  await expect(createBooking(key, { ...again, client: jane })).rejects.toMatchObject(unavailable);
});

test('A visit of several services is moved and cancelled as a whole, and can be moved to a time that overlaps its current time', async () => {
  const { key, cut, colour, anna, marta, book, visit, state, events } = await salon();
  const { id } = await book(at('11:00', 3), anna.id, marta.id);
  const moved = await rescheduleBooking(key, { id }, { startTime: at('11:15', 3) });
  expect(moved.segments).toMatchObject([
    { staffId: anna.id, startTime: at('11:15', 3), price: cut.price },
    { staffId: marta.id, startTime: at('12:00', 3), endTime: at('14:00', 3), price: colour.price },
  ]);
  expect((await state()).live).toHaveLength(1);
  const together = await rescheduleBooking(key, { id }, { startTime: at('14:00', 3), staffId: anna.id });
  expect(together.segments.map(({ staffId }) => staffId)).toEqual([anna.id, anna.id]);
  const moves = await events('booking.rescheduled');
  // A webhook that filters by Marta also gets the move to Anna.
  expect(moves.map(({ data }) => passesFilter({ filter: { staffIds: [marta.id] } }, data))).toEqual([true, true]);
  await cancelBooking(key, { id }, {});
  expect((await state()).live).toEqual([]);
  await createBooking(key, { ...visit(at('14:00', 3), anna.id, anna.id), client: jane });
  const shared = await book(at('12:30', 4), marta.id, anna.id);
  const joint = await rescheduleBooking(key, shared, { startTime: shared.startTime, staffId: anna.id });
  expect(joint.segments.map(({ staffId }) => staffId)).toEqual([anna.id, anna.id]);
});

test('A visit of several services with requested staff members can be booked at exactly the listed start times', async () => {
  const { key, anna, marta, serviceIds, visit, slots, book } = await salon();
  const staffIds = [anna.id, marta.id];
  // The visit to be moved makes its staff members busier than others.
  await book(at('11:00', 3), ...staffIds);
  const { data } = await listSlots(key, { serviceIds, staffIds, ...day });
  const membersOf = (slot: (typeof data)[number]) => slot.segments?.map(({ staffId }) => staffId);
  expect(data.map(membersOf)).toEqual(data.map(() => staffIds));
  const hours = ['09', '10', '11', '12', '13', '14', '15', '16', '17', '18'];
  const times = hours.flatMap((hour) => ['00', '15', '30', '45'].map((minute) => at(`${hour}:${minute}`, 3)));
  const { won } = await outcomes(
    times.map((startTime) => createBooking(key, { ...visit(startTime, ...staffIds), client: jane, dryRun: true })),
  );
  const bookable = won.map(({ startTime }) => startTime);
  expect(data.map(({ startTime }) => startTime)).toEqual(bookable);
  const explained = await Promise.all(times.map((startTime) => explainSlot(key, { serviceIds, staffIds, startTime })));
  expect(times.filter((_, i) => explained[i]?.free)).toEqual(bookable);
  expect(data.length).toBeGreaterThan(5);
  // Negative control: without their names the list shows less busy staff members at these starts.
  expect((await slots()).filter((slot) => String(membersOf(slot)) === String(staffIds)).length).toBeLessThan(
    data.length,
  );
});

test.each([
  ['fewer staff members than services', { serviceIds: '1,2', staffIds: '3' }],
  ['more staff members than services', { serviceIds: '1,2', staffIds: '3,4,5' }],
  ['only one service', { serviceId: '1', staffIds: '3,4' }],
  ['`staffId` in addition to `staffIds`', { serviceIds: '1,2', staffIds: '3,4', staffId: '3' }],
])('A request for slots of several services, each with its own staff member, is refused if it names %s', (_, query) => {
  expect(z.safeParse(routes.listSlots.query, { ...query, ...day }).error?.issues[0]?.path).toEqual(['staffIds']);
  expect(z.safeParse(routes.listSlots.query, { serviceIds: '1,2', staffIds: '3,4', ...day }).success).toBe(true);
});

test('A slot hold of several services reserves the time of all staff members, and a booking with it gets these people', async () => {
  const { key, cut, visit, marta, slots, state } = await salon();
  const before = await slots();
  const held = await createHold(key, visit(at('11:00', 3), undefined, marta.id));
  const names = { serviceName: cut.name, staffName: marta.name };
  expect(held).toMatchObject({ ...names, price: { amount: 14_300 }, endTime: at('13:45', 3) });
  expect((await slots()).length).toBeLessThan(before.length);
  const body = { ...visit(at('11:00', 3)), holdId: held.holdId, client: jane };
  const booking = await createBooking(key, body);
  expect(booking.segments).toMatchObject(held.segments);
  expect((await state()).holds).toEqual([]);
});

test('A booking with a slot hold is refused if its services are not the services of the hold', async () => {
  const { key, cut, visit } = await salon();
  const startTime = at('11:00', 3);
  const one = { serviceId: cut.id, startTime };
  const twice = { services: [{ serviceId: cut.id }, { serviceId: cut.id }], startTime };
  const refused = { code: 'validation_failed', extras: { details: [{ path: 'holdId' }] } };
  const ofVisit = await createHold(key, visit(startTime));
  for (const other of [one, twice]) {
    const booked = createBooking(key, { ...other, holdId: ofVisit.holdId, client: jane });
    await expect(booked).rejects.toMatchObject(refused);
  }
  const ofOne = await createHold(key, one);
  const bookVisit = createBooking(key, { ...visit(startTime), holdId: ofOne.holdId, client: jane });
  await expect(bookVisit).rejects.toMatchObject(refused);
});

test('If only one service of a visit cannot be booked, the explanation of the start time names a reason only for this service', async () => {
  const { key, book, services, staff } = await fixture.business({ times: {}, allPerformAll: true });
  const [cut, colour] = services;
  const query = { serviceIds: [cut.id, colour.id, cut.id], staffIds: staff.map(({ id }) => id) };
  // The visit would reach the second haircut at 12:00.
  await book(at('12:00', 3), { staffId: staff[2].id });
  const { free, staff: explained } = await explainSlot(key, { ...query, startTime: at('09:15', 3) });
  expect([free, ...explained.map(({ reasons }) => reasons)]).toEqual([false, [], [], ['booked']]);
});

test("The explanation of a visit's start time shows, for each service, who is free and why the others are not", async () => {
  const { key, colour, serviceIds, anna, marta, book } = await salon();
  await book(at('12:30', 3), anna.id, anna.id);
  const { free, staff } = await explainSlot(key, { serviceIds, startTime: at('11:00', 3) });
  expect(free).toBe(true);
  expect(staff.filter(({ serviceId }) => serviceId === colour.id)).toEqual([
    { serviceId: colour.id, staffId: anna.id, free: false, reasons: ['break', 'booked'] },
    { serviceId: colour.id, staffId: marta.id, free: true, reasons: [] },
  ]);
});

test('A visit of several services cannot contain a class, and cannot be requested for several places', async () => {
  const { key, account, cut, serviceIds, book, visit } = await salon();
  const booking = await book(at('09:00', 3));
  await account('updateService', { params: { id: String(cut.id) }, body: { capacity: 5 } });
  const refused = (path: string) => ({ code: 'validation_failed', extras: { details: [{ path }] } });
  for (const [operation, period] of [
    ['listSlots', 'from=2026-12-03&to=2026-12-03'],
    ['explainSlot', 'startTime=2026-12-03T09:00:00Z'],
  ] as const) {
    const { json } = await account(operation, { query: `serviceIds=${serviceIds.join()}&places=2&${period}` });
    expect(json).toMatchObject({ details: [{ path: 'places', message: 'cannot be combined with serviceIds' }] });
  }
  await expect(listSlots(key, { serviceIds, ...day })).rejects.toMatchObject(refused('serviceIds.0'));
  const explained = explainSlot(key, { serviceIds, startTime: at('11:00', 3) });
  await expect(explained).rejects.toMatchObject(refused('serviceIds.0'));
  await expect(createHold(key, visit(at('13:00', 3)))).rejects.toMatchObject(refused('services.0'));
  const move = rescheduleBooking(key, booking, { startTime: at('13:00', 3) });
  await expect(move).rejects.toMatchObject({ code: 'invalid_state' });
});

const renewed = <T>(one: T) => ({ ...one, id: newId() });

/** Concurrent visits of three services, for five staff members who perform all of them. */
async function rush(count: number) {
  const business = await fixture.business({
    times: { durationMinutes: 30, bufferBeforeMinutes: 0, bufferAfterMinutes: 5 },
    change: ({ staff, ...rest }) => ({ ...rest, staff: [...staff, ...staff.slice(1).map(renewed)] }),
    allPerformAll: true,
  });
  const services = business.services.map(({ id }) => ({ serviceId: id }));
  const result = await atOnce(count, () =>
    createBooking(business.key, { services, startTime: at('10:00', 3), client: newClient() }),
  );
  return { ...business, ...result };
}

test('Of 200 concurrent visits of three services with five staff members, exactly five succeed, each with all services', async () => {
  const { won, codes, state } = await rush(200);
  expect(won).toHaveLength(5);
  expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
  const { live } = await state();
  expect(live.map(({ segments }) => segments.length)).toEqual([3, 3, 3, 3, 3]);
});

/** A visit whose second staff member is booked by another request before it commits. */
async function overtakenVisit(isWritten: (write: Write, secondStaffId: number) => boolean = () => true) {
  const one = await salon();
  const { anna, marta, book, bookAsOwner } = one;
  const first = () => bookAsOwner(at('12:00', 3), { staffId: marta.id, client: newClient() });
  const instead = (writes: readonly Write[]) => writes.filter((write) => isWritten(write, marta.id));
  const visit = interfering({ when: () => true, first, instead }, () => book(at('11:00', 3), anna.id, marta.id));
  return { ...one, outcome: await outcomes([visit]) };
}

test('A visit of several services is not booked at all if one of its staff members is booked concurrently', async () => {
  const { outcome, state } = await overtakenVisit();
  expect(outcome.codes).toEqual(['slot_unavailable']);
  expect((await state()).live).toHaveLength(1);
});

test('Negative control: if the services of a visit are written in two transactions, only some of the services stay booked', async () => {
  // The second transaction, with the day of the second staff member, is refused; the first one remains.
  const { outcome, state } = await overtakenVisit(({ Put }, staffId) => !String(Put?.Item?.sk).endsWith(`#${staffId}`));
  expect(outcome.won).toHaveLength(1);
  await expect(state()).rejects.toThrow();
});

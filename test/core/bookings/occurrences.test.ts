/** Bookings that share a start: places of a class (docs/rules.md#occurrences). */
import { expect, test } from 'vitest';
import { explainSlot } from '../../../core/availability/explain.ts';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { listSlotDays } from '../../../core/availability/list-slot-days.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { completeBooking, confirmBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { countUnfinishedBookings } from '../../../core/bookings/unfinished-bookings.ts';
import { setRuntime } from '../../../core/clock.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import { getStatistics } from '../../../core/statistics/business-statistics.ts';
import type { Write } from '../../../core/store/write.ts';
import { withBug } from '../../support/faults.ts';
import { unconditional } from '../../support/interfere.ts';
import { atOnce } from '../../support/outcomes.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { type Row, scripted } from '../../support/scripted-dynamo.ts';
import { at, newClient, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const day = { from: '2026-12-03', to: '2026-12-03' };

/** A class of an hour with Anna and Marta, whose haircuts are in the same calendars; both always work. */
async function yoga(capacity: number, buffers = {}, rules = {}) {
  const one = await fixture.business({
    rules,
    times: { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0, ...buffers },
    services: [{}, { capacity }],
  });
  const { key, services, staff } = one;
  const [cut, lesson] = services;
  const [anna, marta] = staff;
  const book = (clock: string, more: Parameters<typeof one.book>[1] = {}) =>
    one.book(at(clock, 3), { serviceId: lesson.id, client: newClient(), ...more });
  const offered = { serviceId: lesson.id, staffId: anna.id };
  const lessonAt = (clock: string) => ({ ...offered, startTime: at(clock, 3) });
  const slot = async (clock: string, places?: number) =>
    (await listSlots(key, { ...offered, ...day, places })).data.find(({ startTime }) => startTime === at(clock, 3));
  const remaining = async (clock: string) => (await slot(clock))?.remaining;
  const reasons = async (clock: string, places?: number) =>
    (await explainSlot(key, { ...lessonAt(clock), places })).staff[0]?.reasons;
  return { ...one, cut, lesson, anna, marta, offered, lessonAt, book, slot, remaining, reasons };
}

const unavailable = { code: 'slot_unavailable' };

test('The slot of a class shows how many places are left, and is not listed if a request needs more places', async () => {
  const { key, offered, book, slot, remaining, reasons, state } = await yoga(4);
  expect(await slot('10:00')).toMatchObject({ capacity: 4, remaining: 4 });
  const first = await book('10:00');
  expect(first.places).toBe(1);
  // The first booking does not close it, but overlapping times are taken.
  expect([await remaining('10:00'), await remaining('10:15'), await remaining('11:00')]).toEqual([3, undefined, 4]);
  const pair = await book('10:00', { places: 2 });
  expect(pair).toMatchObject({ places: 2, price: { amount: 2 * first.price.amount } });
  // Of a started class with one place left, and of a new one with four.
  expect([await reasons('10:00', 1), await reasons('10:00', 2)]).toEqual([[], ['full']]);
  expect([await reasons('11:00', 4), await reasons('11:00', 5)]).toEqual([[], ['full']]);
  expect([await slot('10:00', 1), await slot('10:00', 2)]).toMatchObject([{ remaining: 1 }, undefined]);
  const count = async (places: number) => (await listSlotDays(key, { ...offered, ...day, places })).data[0]?.count ?? 0;
  expect([await count(2), await count(5)]).toEqual([(await count(1)) - 1, 0]);
  const nextAvailable = expect.not.arrayContaining([at('10:00', 3)]);
  await expect(book('10:00', { places: 2 })).rejects.toMatchObject({ extras: { details: { nextAvailable } } });
  await book('10:00');
  expect([await slot('10:00'), await reasons('10:00')]).toEqual([undefined, ['full']]);
  await expect(book('10:00')).rejects.toMatchObject(unavailable);
  expect((await state()).live).toHaveLength(3);
});

test('A calendar day of a staff member has at most 300 slot holds, and a class with 300 holds can still be booked', async () => {
  const { key, lessonAt, book } = await yoga(500);
  const hold = (holder: number) => createHold(keyPrincipal(key.tenantId, key.id + holder), lessonAt('10:00'));
  for (let i = 0; i < 300; i++) await hold(Math.floor(i / 10));
  const refusal = {
    code: 'hold_limit_reached',
    message: 'A staff member or resource can have at most 300 slot holds on one day.',
  };
  await expect(hold(30)).rejects.toMatchObject(refusal);
  await expect(book('10:00')).resolves.toMatchObject({ status: 'confirmed' });
  setRuntime({ now: () => testNow + 5 * 60_000 });
  await expect(hold(30)).resolves.toBeDefined();
});

test('Slots of a service with capacity one have no fields about places, and a booking of two places of that service is refused', async () => {
  const { cut, anna, key, book } = await yoga(4);
  const [first] = (await listSlots(key, { serviceId: cut.id, staffId: anna.id, ...day })).data;
  expect(Object.keys(first ?? {})).toEqual(['startTime', 'endTime', 'staffId', 'serviceId']);
  await expect(book('10:00', { serviceId: cut.id, places: 2 })).rejects.toMatchObject(unavailable);
  // A class and a haircut of one staff member exclude each other in both orders.
  await book('10:00');
  await expect(book('10:30', { serviceId: cut.id })).rejects.toMatchObject(unavailable);
  await book('12:00', { serviceId: cut.id });
  await expect(book('12:00')).rejects.toMatchObject(unavailable);
});

test('Cancelling the last booking of a class frees its time and buffers, even if the buffers of the service have changed since', async () => {
  const { key, book, remaining, cut, lesson, owner, state } = await yoga(3, { bufferAfterMinutes: 15 });
  // When the last attendee leaves, the time is free again.
  const [one, two] = [await book('10:00'), await book('10:00', { places: 2 })];
  await updateService(owner, lesson, { bufferAfterMinutes: 45 });
  await cancelBooking(key, one, {});
  expect(await remaining('10:00')).toBe(1);
  await expect(book('10:30', { serviceId: cut.id })).rejects.toMatchObject(unavailable);
  await state();
  await cancelBooking(key, two, {});
  expect((await state()).live).toEqual([]);
  await book('10:30', { serviceId: cut.id });
});

test('Moving one booking out of a class or into a class changes no other booking of the class', async () => {
  const { key, book, remaining, marta, state } = await yoga(3);
  const [one, two, three] = [await book('10:00', { places: 2 }), await book('10:00'), await book('12:00')];
  const moved = await rescheduleBooking(key, one, { startTime: at('12:00', 3) });
  expect(moved).toMatchObject({ id: one.id, startTime: at('12:00', 3), places: 2 });
  expect([await remaining('10:00'), await remaining('12:00')]).toEqual([2, undefined]);
  await rescheduleBooking(key, three, { startTime: at('12:00', 3), staffId: marta.id });
  // The last of ten moves by half an hour, which its own time does not prevent.
  await rescheduleBooking(key, two, { startTime: at('10:30', 3) });
  expect([await remaining('10:00'), await remaining('10:30'), await remaining('12:00')]).toEqual([undefined, 2, 1]);
  await state();
});

test('A booking without a requested staff member joins a class with free places before another class is opened', async () => {
  const { book, anna, marta, cut } = await yoga(2);
  // Marta is less busy, but Anna's class is filled first.
  await book('15:00', { serviceId: cut.id });
  await book('10:00');
  const chosen = [];
  for (let n = 0; n < 3; n++) chosen.push((await book('10:00', { staffId: undefined })).staffId);
  expect(chosen).toEqual([anna.id, marta.id, marta.id]);
  await expect(book('10:00', { staffId: undefined })).rejects.toMatchObject(unavailable);
});

test('A class with a booking keeps its capacity when the capacity of the service changes', async () => {
  const { owner, lesson, book, remaining, state } = await yoga(2);
  await book('10:00');
  await updateService(owner, lesson, { capacity: 5 });
  expect([await remaining('10:00'), await remaining('14:00')]).toEqual([1, 5]);
  await updateService(owner, lesson, { capacity: 1 });
  expect(await remaining('10:00')).toBe(1);
  await book('10:00');
  await expect(book('10:00')).rejects.toMatchObject(unavailable);
  await state();
});

// As in medplum #9998.
test('A booking of a service with a single place does not become a class when the service gets more places', async () => {
  const { owner, cut, book } = await yoga(2);
  await book('12:00', { serviceId: cut.id });
  await updateService(owner, cut, { capacity: 9 });
  await expect(book('12:00', { serviceId: cut.id })).rejects.toMatchObject(unavailable);
});

test('A class with a booking accepts no further bookings after the duration of its service has changed', async () => {
  const { owner, lesson, book, remaining, reasons } = await yoga(3);
  await book('16:00');
  await updateService(owner, lesson, { durationMinutes: 90 });
  expect([await remaining('16:00'), await reasons('16:00')]).toEqual([undefined, ['booked']]);
});

test('A class across midnight UTC can be booked up to its capacity, and cancelling its last booking frees its time on both days', async () => {
  const { key, lesson, book, state } = await yoga(3);
  const held = await createHold(key, { serviceId: lesson.id, startTime: at('01:30', 3) });
  const [one, two] = [await book('01:30'), await book('01:30')];
  await releaseHold(key, held);
  await cancelBooking(key, one, {});
  await state();
  await cancelBooking(key, two, {});
  expect((await state()).live).toEqual([]);
});

test('A slot hold of a class can be used after the buffer before the class is removed, even a buffer on the previous day', async () => {
  const { key, owner, lesson, anna, lessonAt, book, state } = await yoga(6, { bufferBeforeMinutes: 60 });
  const held = lessonAt('02:30');
  const other = await book('10:00', { staffId: anna.id });
  const { holdId } = await createHold(key, held);
  await updateService(owner, lesson, { bufferBeforeMinutes: 0 });
  await createHold(key, held);
  const moved = await rescheduleBooking(key, other, held);
  await cancelBooking(key, await book('02:30', held), {});
  await cancelBooking(key, moved, {});
  expect((await book('02:30', { ...held, holdId })).startTime).toBe(held.startTime);
  expect((await state()).live).toHaveLength(1);
});

test('While a class has a booking, no overlapping class of another service can be booked or held with the same staff member', async () => {
  const { key, owner, services, anna, book } = await yoga(3);
  const other = services[2];
  await updateService(owner, other, { capacity: 3, staffIds: [anna.id] });
  await book('10:00');
  for (const clock of ['09:45', '10:00']) {
    const query = { serviceId: other.id, staffId: anna.id, startTime: at(clock, 3) };
    expect((await explainSlot(key, query)).staff).toMatchObject([{ free: false, reasons: ['booked'] }]);
    await expect(book(clock, query)).rejects.toMatchObject(unavailable);
    await expect(createHold(key, query)).rejects.toMatchObject(unavailable);
  }
});

/** Owners confirm concurrent requests of visitors several times; returns the bookings at one start, and its events. */
async function confirmedAtOnce() {
  const { key, owner, cut, book, events } = await yoga(2, {}, { confirmation: 'manual' });
  const { won } = await atOnce(2, () => book('10:00', { serviceId: cut.id }));
  await Promise.all([
    ...won.map(({ id }) => atOnce(5, () => confirmBooking(owner, { id }))),
    atOnce(5, () => book('10:00', { serviceId: cut.id })),
    atOnce(5, () => book('10:30')),
  ]);
  const { data } = await listBookings(key, {});
  return { standing: data.map(({ status }) => status), confirmed: (await events('booking.confirmed')).length };
}

test('A booking that waits for confirmation already reserves its time, so that no concurrent booking takes this time', async () => {
  expect(await confirmedAtOnce()).toEqual({ standing: ['confirmed'], confirmed: 1 });
});

test('Negative control: if an unconfirmed booking does not reserve its time, several bookings get one start time', async () => {
  const withoutDays = (writes: Write[]) => writes.filter(({ Put }) => !String(Put?.Item?.pk).endsWith('#DAYS'));
  expect((await withBug(withoutDays, confirmedAtOnce)).standing.length).toBeGreaterThan(1);
});

test('A slot hold of a class reserves only the requested number of places, whether or not the class has a booking', async () => {
  const { key, lesson, lessonAt, book, remaining, cut, state } = await yoga(4);
  const { holdId, price } = await createHold(key, { ...lessonAt('10:00'), places: 2 });
  expect(price).toEqual({ ...lesson.price, amount: 2 * lesson.price.amount });
  expect(await remaining('10:00')).toBe(2);
  await expect(book('10:00', { places: 3 })).rejects.toMatchObject(unavailable);
  await expect(book('10:30', { serviceId: cut.id })).rejects.toMatchObject(unavailable);
  await book('10:00');
  const { holdId: second } = await createHold(key, lessonAt('10:00'));
  expect(await remaining('10:00')).toBeUndefined();
  await state();
  await expect(book('10:00', { holdId: second, places: 2 })).rejects.toMatchObject({ code: 'validation_failed' });
  await book('10:00', { holdId, places: 2 });
  await releaseHold(key, { holdId: second });
  expect(await remaining('10:00')).toBe(1);
  expect((await state()).live).toHaveLength(2);
});

test('After the last booking of a class is cancelled, a slot hold still reserves the time of the class until the hold expires', async () => {
  const { key, lessonAt, book, remaining, cut, state } = await yoga(2);
  const booking = await book('10:00');
  await createHold(key, { ...lessonAt('10:00'), minutes: 1 });
  await cancelBooking(key, booking, {});
  await state();
  expect(await remaining('10:00')).toBe(1);
  await expect(book('10:30', { serviceId: cut.id })).rejects.toMatchObject(unavailable);
  setRuntime({ now: () => testNow + 61_000 });
  expect(await remaining('10:00')).toBe(2);
  await book('10:30', { serviceId: cut.id });
});

test('A class counts as unfinished until all its bookings are finished, and its minutes count only once in the statistics', async () => {
  const { owner, tenantId, anna, book } = await yoga(5);
  const [one, two] = [await book('10:00'), await book('10:00', { places: 2 })];
  await cancelBooking(owner, await book('10:00'), {});
  await confirmBooking(owner, one);
  await completeBooking(owner, one);
  expect(await countUnfinishedBookings(tenantId, testNow, `${anna.id}`)).toBe(1);
  // The index by start does not contain the other booking yet.
  const lagging: Row = {
    when: ({ input }) => input.IndexName === 'byStart',
    answer: async (_, send) => ({ Items: (await send()).Items?.filter(({ id }) => id !== two.id) ?? [] }),
  };
  expect(await scripted([lagging], () => countUnfinishedBookings(tenantId, testNow, `${anna.id}`))).toBe(1);
  const { summary } = await getStatistics(owner, day);
  expect(summary.occupancy).toMatchObject({ bookedMinutes: 60, bookedPlaces: 3, classPlaces: 5 });
  await completeBooking(owner, two);
  expect(await countUnfinishedBookings(tenantId, testNow, `${anna.id}`)).toBe(0);
});

test('A class that began before midnight UTC counts as unfinished until all its bookings are finished', async () => {
  const { owner, tenantId, anna, book } = await yoga(5);
  const [one, two] = [await book('01:30'), await book('01:30')];
  // The bookings of another class do not count.
  for (const done of [one, await book('10:00')]) await completeBooking(owner, done);
  const duringClass = Date.parse(at('02:10', 3));
  expect(await countUnfinishedBookings(tenantId, duringClass, `${anna.id}`)).toBe(1);
  await completeBooking(owner, two);
  expect(await countUnfinishedBookings(tenantId, duringClass, `${anna.id}`)).toBe(0);
});

/** Sends this many concurrent requests for a class of twenty. */
async function rush(crowd: number) {
  const one = await yoga(20);
  return { ...one, ...(await atOnce(crowd, () => one.book('10:00'))) };
}

test('Of a hundred concurrent bookings of a class of twenty, exactly twenty succeed; the others get the next free start times', async () => {
  const { won, lost, codes, state, remaining } = await rush(100);
  expect(lost).toHaveLength(80);
  expect(won).toHaveLength(20);
  expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
  for (const { extras } of lost) {
    expect(extras.details).toEqual({ nextAvailable: [at('11:00', 3), at('11:15', 3), at('11:30', 3)] });
  }
  expect(await remaining('10:00')).toBeUndefined();
  expect((await state()).live).toHaveLength(20);
});

test('Negative control: if the free places of a class are checked only before the transaction, too many bookings succeed', async () => {
  const isDay = ({ Put }: Write) => String(Put?.Item?.pk).endsWith('#DAYS');
  const unchecked = (writes: Write[]) => writes.map((write) => (isDay(write) ? unconditional(write) : write));
  const { won, state } = await withBug(unchecked, () => rush(60));
  expect(won.length).toBeGreaterThan(20);
  await expect(state()).rejects.toThrow();
});

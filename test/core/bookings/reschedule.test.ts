/** The times that a move frees and takes, and the events that it raises (docs/rules.md#bookings). */
import { expect, test } from 'vitest';
import { bookingData } from '../../../core/bookings/booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { records } from '../../../core/table-keys.ts';
import { type Call, scripted } from '../../support/scripted-dynamo.ts';
import { at as timeOf, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const at = (clock: string) => timeOf(clock, 3);

async function testBusiness() {
  const business = await fixture.business({ times: {} });
  const { key, staff, events } = business;
  const [one, two] = staff;
  const book = (clock: string, staffId: number) => business.book(at(clock), { staffId });
  const move = (id: number, clock: string, staffId?: number) =>
    rescheduleBooking(key, { id }, { startTime: at(clock), staffId });
  return { key, one, two, book, move, emitted: events, consistent: business.state };
}

test('The event booking.rescheduled contains the old time, the new time, and who moved the booking', async () => {
  const { one, two, book, move, emitted } = await testBusiness();
  const before = await book('10:00', one.id);
  const after = await move(before.id, '12:00', two.id);
  const moved = { staffId: two.id, staffName: two.name, startTime: at('12:00'), endTime: at('12:45') };
  expect(after).toEqual({ ...before, ...moved, segments: [{ ...before.segments[0], ...moved }], revision: 2 });
  expect((await emitted('booking.rescheduled')).map(({ data }) => data)).toEqual([
    {
      ...bookingData(after),
      previousStartTime: before.startTime,
      previousEndTime: before.endTime,
      previousStaffId: one.id,
      previousStaffIds: [one.id],
      rescheduledBy: 'integration',
    },
  ]);
});

test('A booking can be moved to another staff member without a change of its time', async () => {
  const { one, two, book, move, consistent } = await testBusiness();
  const [{ id }] = [await book('10:00', one.id), await book('14:00', one.id), await book('14:00', two.id)];
  expect(await move(id, '10:00', two.id)).toMatchObject({ staffId: two.id, startTime: at('10:00') });
  expect((await consistent()).live).toHaveLength(3);
  // The old time is free, the new one is taken.
  await book('10:00', one.id);
  await expect(book('10:00', two.id)).rejects.toMatchObject({ code: 'slot_unavailable' });
});

test('A move of a booking to its current time and staff member changes nothing and raises no event', async () => {
  const { one, book, move, emitted } = await testBusiness();
  const before = await book('10:00', one.id);
  expect(await move(before.id, '10:00', one.id)).toEqual(before);
  expect(await emitted('booking.rescheduled')).toEqual([]);
});

test('A booking can be moved to a time that overlaps its current time, but not to the time of another booking', async () => {
  const { one, two, book, move, consistent } = await testBusiness();
  const { id } = await book('10:00', one.id);
  expect(await move(id, '10:15')).toMatchObject({ startTime: at('10:15') });
  await book('12:00', one.id);
  await book('13:00', two.id);
  await expect(move(id, '12:00', one.id)).rejects.toMatchObject({ code: 'slot_unavailable' });
  await expect(move(id, '13:00', two.id)).rejects.toMatchObject({ code: 'slot_unavailable' });
  expect((await consistent()).live).toHaveLength(3);
  // The next starts that a refusal lists may overlap the booking's own time, too.
  await book('09:00', one.id);
  const details = { nextAvailable: [at('09:45'), at('10:00'), at('10:15')] };
  await expect(move(id, '09:15')).rejects.toMatchObject({ extras: { details } });
  expect(await move(id, '09:45')).toMatchObject({ startTime: at('09:45') });
});

test('After two concurrent moves of a booking, the second event contains the new time of the first as its old time', async () => {
  const { key, one, book, move, emitted, consistent } = await testBusiness();
  const { id } = await book('10:00', one.id);
  const when = ({ input }: Call) => input.Key?.sk === records.booking(key.tenantId, id).sk;
  const moved = await scripted([{ when, nth: 1, after: () => move(id, '12:00') }], () => move(id, '15:00'));
  expect(moved).toMatchObject({ startTime: at('15:00') });
  const steps = (await emitted('booking.rescheduled')).map(({ data }) =>
    'previousStartTime' in data ? [data.previousStartTime, data.startTime] : [],
  );
  expect(steps.sort()).toEqual([
    [at('10:00'), at('12:00')],
    [at('12:00'), at('15:00')],
  ]);
  expect((await consistent()).live).toHaveLength(1);
});

test('Two equal concurrent moves of a booking move it once, and both requests get the same response', async () => {
  const { key, one, two, book, emitted, consistent } = await testBusiness();
  const { id } = await book('10:00', one.id);
  const startTime = timeOf('12:00', 4);
  const again = () => rescheduleBooking(key, { id }, { startTime, staffId: two.id });
  // The calendar of the old day is read before the other move, that of the new day after it.
  const moved = await scripted([{ when: 'Query', nth: 1, before: again }], again);
  expect(moved).toMatchObject({ startTime, staffId: two.id });
  expect(await emitted('booking.rescheduled')).toHaveLength(1);
  expect((await consistent()).live).toHaveLength(1);
});

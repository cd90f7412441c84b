/** Explains why a start is not free, and lists free days (docs/rules.md#slots). `oracle.test.ts` compares both. */
import { expect, test } from 'vitest';
import { explainSlot } from '../../../core/availability/explain.ts';
import { createHold } from '../../../core/availability/holds.ts';
import { listSlotDays } from '../../../core/availability/list-slot-days.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { setRuntime } from '../../../core/clock.ts';
import { hoursOf } from '../../support/always-open.ts';
import { at, type BusinessOptions, jane as client, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

/** Anna works 09:00–12:00 and 12:30–17:00 on weekdays; haircuts take 45 minutes on a grid of 15. */
async function testBusiness(options?: BusinessOptions) {
  const business = await fixture.business(options);
  const { key, serviceId, staff } = business;
  const reasons = async (startTime: string, places?: number) => {
    const { staffId } = business;
    const { free, staff: members } = await explainSlot(key, { serviceId, startTime, staffId, places });
    expect(members).toEqual([{ serviceId, staffId, free, reasons: expect.any(Array) }]);
    return members[0]?.reasons;
  };
  return { ...business, service: business.services[0], anna: staff[0], reasons };
}

test.each([
  ['before the working hours', at('08:00', 2), ['outside_hours']],
  ['in the break', at('12:15', 2), ['break']],
  ['too close to the break', at('11:30', 2), ['break']],
  ['too close to closing time', at('16:30', 2), ['outside_hours']],
  ['between two steps of the slot grid', at('09:50', 2), ['off_grid']],
  ['in the past', at('06:00', 1), ['too_soon', 'outside_hours']],
  ['at a time with seconds', '2026-12-02T10:00:30+02:00', ['off_grid']],
  ['on a day off', at('10:00', 6), ['day_off']],
  ['years ahead', '2029-12-05T10:00:00+02:00', ['too_far']],
])('The API explains why no appointment can start %s', async (_, startTime, expected) => {
  const { reasons } = await testBusiness();
  expect(await reasons(startTime)).toEqual(expected);
});

test('The explanation of an unavailable start time names a break only if the appointment would overlap a break', async () => {
  const { account, anna, reasons } = await testBusiness();
  const exceptions = { [at('00:00', 2).slice(0, 10)]: hoursOf('09:00-09:30 10:40-11:50 12:35-17:00') };
  await account('updateStaffSchedule', { params: { id: String(anna.id) }, body: { exceptions } });
  expect(await reasons(at('09:00', 2))).toEqual(['break']);
  expect(await reasons(at('12:00', 2))).toEqual(['break']);
  // This appointment would end when the break begins.
  expect(await reasons(at('11:05', 2))).toEqual(['off_grid']);
});

test('An earlier start than the booking rules allow is explained as too_soon, a later one as too_far', async () => {
  const { book, reasons } = await testBusiness({ rules: { minNoticeMinutes: 60, maxAdvanceDays: 1 } });
  setRuntime({ now: () => Date.parse(at('09:00')) });
  const [first, last] = [at('10:00'), at('09:00', 2)];
  for (const start of [first, last]) {
    expect(await reasons(start)).toEqual([]);
    await book(start);
    expect(await reasons(start)).toEqual(['booked']);
  }
  expect(await reasons(at('09:15'))).toEqual(['too_soon']);
  expect(await reasons(at('09:45', 2))).toEqual(['too_far']);
});

test('The explanation of an unavailable start time shows whether the time is booked, held, or needed for a buffer', async () => {
  const { key, account, offered, reasons } = await testBusiness({ services: [{ bufferBeforeMinutes: 10 }] });
  await createBooking(key, { ...offered, startTime: at('10:00', 2), client });
  await createHold(key, { ...offered, startTime: at('14:00', 2) });
  expect(await reasons(at('10:15', 2))).toEqual(['booked']);
  expect(await reasons(at('10:45', 2))).toEqual(['buffer']);
  expect(await reasons(at('10:50', 2))).toEqual(['off_grid', 'buffer']);
  expect(await reasons(at('14:15', 2))).toEqual(['held']);
  expect(await reasons(at('11:00', 2))).toEqual([]);
  // Another duration makes it impossible to join a class that so far has only a hold.
  const change = (body: object) => account('updateService', { params: { id: String(offered.serviceId) }, body });
  await change({ capacity: 2 });
  await createHold(key, { ...offered, startTime: at('13:00', 2) });
  // A class with enough places is not full if an appointment takes its time.
  expect(await reasons(at('10:15', 2), 2)).toEqual(['booked']);
  expect(await reasons(at('10:15', 2), 3)).toEqual(['full', 'booked']);
  await change({ durationMinutes: 30 });
  expect(await reasons(at('13:00', 2))).toEqual(['held']);
});

test('The explanation of a start time shows who does not perform the service, and whether the service is inactive', async () => {
  const { key, services, staff, service, account, reasons } = await testBusiness();
  const [[, colour], [, , janis]] = [services, staff];
  const query = { serviceId: colour.id, staffId: janis.id, startTime: at('10:00', 2) };
  expect(await explainSlot(key, query)).toMatchObject({
    free: false,
    staff: [{ reasons: expect.arrayContaining(['not_performed']) }],
  });
  await account('updateService', { params: { id: String(service.id) }, body: { active: false } });
  expect(await reasons(at('10:00', 2))).toEqual(['inactive']);
});

test('Without a requested staff member, the explanation of a start time covers each staff member who performs the service', async () => {
  const { key, service, offered } = await testBusiness();
  await createBooking(key, { ...offered, startTime: at('10:00', 2), client });
  const { free, staff } = await explainSlot(key, { serviceId: service.id, startTime: at('10:00', 2) });
  expect(free).toBe(true);
  expect(staff.map(({ staffId }) => staffId)).toEqual(service.staffIds);
  // Marta does not work yet.
  expect(staff.map((one) => one.free)).toEqual([false, false, true]);
});

test('The number of free slots that the API returns for each day includes the slots of all staff members', async () => {
  const { key, offered, service } = await testBusiness();
  await createBooking(key, { ...offered, startTime: at('10:00', 2), client });
  const range = { serviceId: service.id, from: '2026-12-02', to: '2026-12-08' };
  const { data: slots } = await listSlots(key, range);
  expect(new Set(slots.map(({ staffId }) => staffId)).size).toBeGreaterThan(1);
  for (const { date, count, first } of (await listSlotDays(key, range)).data) {
    const listed = slots.map(({ startTime }) => startTime).filter((startTime) => startTime.startsWith(date));
    expect([date, count, first]).toEqual([date, listed.length, listed.sort()[0] ?? null]);
  }
});

test('The number of free slots of each day can be requested for 92 days, but not for 93', async () => {
  const { key, service } = await testBusiness();
  const ask = (to: string) => listSlotDays(key, { serviceId: service.id, from: '2026-12-01', to });
  expect((await ask('2027-03-02')).data).toHaveLength(92);
  await expect(ask('2027-03-03')).rejects.toMatchObject({
    code: 'range_too_large',
    message: 'The range from `from` to `to` is longer than 92 days.',
  });
});

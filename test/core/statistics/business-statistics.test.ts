/** Compares statistics with what happened in the business (docs/rules.md#statistics). */
import { expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { BusinessStatistics } from '../../../contract/statistics.ts';
import { setRuntime } from '../../../core/clock.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { getStatistics } from '../../../core/statistics/business-statistics.ts';
import { at, ownerOf } from '../../support/account.ts';
import { alwaysOpen, everyDay, hoursOf } from '../../support/always-open.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { type BusinessOptions, at as timeOf, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

const money = (amount: number) => ({ amount, currency: 'EUR' });
const nothing = { pending: 0, confirmed: 0, completed: 0, no_show: 0, cancelled: 0 };

async function business(options?: BusinessOptions) {
  const business = await fixture.business(options);
  const { account, services, staff, bookAsOwner } = business;
  const done = async (operation: Parameters<typeof account>[0], sent: Parameters<typeof account>[1] = {}) => {
    const { status, json } = await account(operation, sent);
    expect(status, JSON.stringify(json)).toBeLessThan(300);
    return json as { id: number };
  };
  const [first, second, third] = staff;
  const book = (staffId: number, startTime: string) => bookAsOwner(startTime, { staffId });
  const statistics = async (query = '') =>
    (await account('getStatistics', { query })).json as unknown as BusinessStatistics;
  return { ...business, done, service: services[0], first, second, third, book, statistics };
}

test('Daily statistics show bookings by status, revenue and the booked share of working time', async () => {
  const { done, service, first, second, book, statistics } = await business();
  const minutes = service.durationMinutes;
  const visit = await book(first.id, timeOf('10:00', 1));
  await done('completeBooking', at(visit.id));
  await done('markNoShow', at((await book(first.id, timeOf('15:00', 1))).id));
  await done('cancelBooking', at((await book(second.id, timeOf('16:00', 1))).id));
  await book(second.id, timeOf('16:00', 2));
  const paid = (amount: number, receivedAt: string) =>
    done('recordPayment', { body: { amount, method: 'card', receivedAt } });
  await paid(4_500, '2026-12-01T21:59:59Z');
  await done('refundPayment', { ...at((await paid(2_000, '2026-12-01T22:00:00Z')).id), body: { amount: 500 } });

  const { data, summary, staff, timeZone } = await statistics('from=2026-12-01&to=2026-12-02');
  expect(timeZone).toBe('Europe/Riga');
  expect(data.map(({ date }) => date)).toEqual(['2026-12-01', '2026-12-02']);
  expect(data.map(({ bookings }) => bookings)).toEqual([
    { ...nothing, completed: 1, no_show: 1, cancelled: 1 },
    { ...nothing, confirmed: 1 },
  ]);
  // The evening's payment counts for the first day in Riga, the one a second later for the next.
  expect(data.map(({ revenue }) => revenue)).toEqual([
    { received: money(4_500), refunded: money(0) },
    { received: money(2_000), refunded: money(500) },
  ]);
  expect(data.map(({ occupancy }) => occupancy.bookedMinutes)).toEqual([2 * minutes, minutes]);
  expect(summary.bookings).toEqual({ ...nothing, confirmed: 1, completed: 1, no_show: 1, cancelled: 1 });
  expect(summary.revenue).toEqual({ received: money(6_500), refunded: money(500) });
  expect(staff.find(({ staffId }) => staffId === first.id)).toMatchObject({ bookedMinutes: 2 * minutes });
  expect(staff.find(({ staffId }) => staffId === second.id)).toMatchObject({ bookedMinutes: minutes });
  const workingMinutes = data.reduce((all, { occupancy }) => all + occupancy.workingMinutes, 0);
  expect(workingMinutes).toBeGreaterThan(0);
  expect(summary.occupancy).toMatchObject({ bookedMinutes: 3 * minutes, workingMinutes, classPlaces: 0 });
});

test('The working time in statistics is computed from the schedules, breaks and exceptions of active staff members only', async () => {
  const { done, first, second, third, book, statistics } = await business();
  await book(third.id, timeOf('10:00'));
  await done('updateStaffMember', { ...at(third.id), body: { active: false } });
  const closed = everyDay('');
  const hours = hoursOf('09:00-12:00 13:00-17:30');
  const weekly = { ...closed, tuesday: hours, wednesday: hours };
  const exceptions = { '2026-12-02': hoursOf('10:00-11:00') };
  await done('updateStaffSchedule', { ...at(first.id), body: { weekly, exceptions } });
  // The second evening continues after the last day.
  const evening = hoursOf('22:30-24:00');
  const late = { ...closed, tuesday: evening, wednesday: evening, thursday: hoursOf('00:00-02:00') };
  await done('updateStaffSchedule', { ...at(second.id), body: { weekly: late } });
  const { data, summary, staff } = await statistics('from=2026-11-30&to=2026-12-02');
  expect(data.map(({ occupancy }) => occupancy.workingMinutes)).toEqual([0, 540, 150]);
  expect(summary).toMatchObject({ bookings: { confirmed: 1 }, occupancy: { bookedMinutes: 0, workingMinutes: 690 } });
  expect(staff).toMatchObject([
    { staffId: first.id, bookedMinutes: 0, workingMinutes: 510 },
    { staffId: second.id, bookedMinutes: 0, workingMinutes: 180 },
  ]);
});

test('Statistics show 23 or 25 hours of working time for staff who work around the clock on a day with a clock change', async () => {
  const { done, first, second, third, statistics } = await business();
  for (const { id } of [second, third]) await done('updateStaffMember', { ...at(id), body: { active: false } });
  await done('updateStaffSchedule', { ...at(first.id), body: { weekly: alwaysOpen } });
  const minutes = async (day: string) => (await statistics(`from=${day}&to=${day}`)).summary.occupancy.workingMinutes;
  expect([await minutes('2027-03-28'), await minutes('2026-10-25'), await minutes('2026-12-01')]).toEqual([
    23 * 60,
    25 * 60,
    24 * 60,
  ]);
});

test("Statistics without dates cover the last 30 days in the business's time zone; a reversed or too long range is refused", async () => {
  const { account, statistics } = await business();
  setRuntime({ now: () => Date.parse('2026-12-01T00:30:00+02:00') });
  const { data } = await statistics();
  expect([data.length, data.at(0)?.date, data.at(-1)?.date]).toEqual([30, '2026-11-02', '2026-12-01']);
  expect((await account('getStatistics', { query: 'from=2026-01-01&to=2026-04-02' })).status).toBe(200);
  const long = await account('getStatistics', { query: 'from=2026-01-01&to=2026-04-03' });
  expect(long.json).toMatchObject({ statusCode: 400, code: 'range_too_large' });
  expect(String(long.json.message)).toContain(String(limits.statisticsRangeDays));
  const early = await account('getStatistics', { query: 'from=2026-01-02&to=2026-01-01' });
  expect(early.json).toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'to', message: 'must not be before from' }],
  });
  expect((await ownerOf(999)('getStatistics')).json.code).toBe('not_found');
});

test('Business statistics count each booking once, however many weeks the requested range covers', async () => {
  const { owner, book } = await fixture.business();
  const days = Array.from({ length: 16 }, (_, i) => `2026-12-${String(i + 1).padStart(2, '0')}`);
  const open: string[] = [];
  for (const day of days) {
    const booked = await book(`${day}T10:00:00+02:00`, { staffId: undefined }).catch(() => undefined);
    if (booked) open.push(day);
  }
  expect(open.length).toBeGreaterThan(10);
  for (const length of [1, 6, 7, 8, 13, 14, 15]) {
    const within = days.slice(1, 1 + length);
    const { data } = await getStatistics(owner, { from: within[0], to: within.at(-1) });
    expect(data.map(({ bookings }) => bookings.confirmed)).toEqual(within.map((day) => Number(open.includes(day))));
  }
});

test('Statistics of a range with exactly the maximum number of bookings and payments succeed, and leave out those of other days', async () => {
  const { owner, book, first } = await business({ times: {} });
  for (const [clock, day] of [
    ['23:15', 1],
    ['00:00', 2],
    ['23:15', 2],
    ['00:00', 3],
  ] as const) {
    await book(first.id, timeOf(clock, day));
    if (day < 3) await recordPayment(owner, { amount: 100, method: 'cash', receivedAt: timeOf(clock, day) });
  }
  limitsDuringTest({ bookingsPerStatistics: 2, paymentsPerTotals: 2 });
  const { summary } = await getStatistics(owner, { from: '2026-12-02', to: '2026-12-02' });
  expect(summary).toMatchObject({ bookings: { confirmed: 2 }, revenue: { received: { amount: 200 } } });
  limitsDuringTest({ paymentsPerTotals: 3 });
  await expect(getStatistics(owner, { from: '2026-12-01', to: '2026-12-02' })).rejects.toMatchObject({
    ...{ code: 'range_too_large', message: 'The range has more than 2 bookings. Ask for fewer days.' },
  });
});

test('Statistics over 92 days of a business with three bookings cost at most 14 read units', async () => {
  const { first, book, statistics } = await business();
  for (const hour of [10, 14, 15]) await book(first.id, timeOf(`${hour}:00`));
  using script = scriptDynamo([], { units: true });
  await statistics('from=2026-11-01&to=2027-01-31');
  // Business, staff, payments, and each week's bookings cost at least half a unit each.
  expect(script.units('read')).toBeLessThanOrEqual(14);
});

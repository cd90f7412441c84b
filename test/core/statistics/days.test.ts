/** Days as they are counted, from values alone (docs/rules.md#statistics). */
import { expect, test } from 'vitest';
import type { WeeklyHours } from '../../../contract/integration/resources.ts';
import { zoneOf } from '../../../core/availability/zone.ts';
import {
  type CountedBooking,
  type CountedPayment,
  countDays,
  daysBetween,
  rangeOf,
} from '../../../core/statistics/days.ts';

const zone = zoneOf('Europe/Riga');
const minuteOf = (time: string) => Date.parse(time) / 60_000;
const first = minuteOf('2026-11-30T22:00:00Z');
const perDay = 1_440;
const days = daysBetween(zone, '2026-12-01', '2026-12-03');
const idle = { bookedMinutes: 0, workingMinutes: 0, bookedPlaces: 0, classPlaces: 0 };

type Hours = WeeklyHours[keyof WeeklyHours];
function worker(id: number, hours: Hours, exceptions: Readonly<Record<string, Hours>> = {}) {
  const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const weekly = Object.fromEntries(names.map((name) => [name, hours])) as WeeklyHours;
  return { id, schedule: { weekly, exceptions } };
}

function counted(what: Partial<Parameters<typeof countDays>[2]>) {
  return countDays(days, 'EUR', { bookings: [], payments: [], staff: [], ...what });
}

test('Days of statistics run from local midnight to local midnight', () => {
  expect(days.dates).toEqual(['2026-12-01', '2026-12-02', '2026-12-03']);
  expect(days.starts).toEqual([0, 1, 2, 3].map((day) => first + day * perDay));
  expect(rangeOf(days)).toEqual({ start: first, end: first + 3 * perDay });
});

test('Days of statistics without any record are listed with zeros', () => {
  const money = { amount: 0, currency: 'EUR' };
  const nothing = {
    bookings: { pending: 0, confirmed: 0, completed: 0, no_show: 0, cancelled: 0 },
    revenue: { received: money, refunded: money },
    occupancy: idle,
  };
  expect(counted({})).toEqual({ data: days.dates.map((date) => ({ date, ...nothing })), summary: nothing, staff: [] });
});

test('Statistics count a booking on the day of its start, and ignore bookings outside the range', () => {
  const minutes = [-1, 0, perDay - 1, perDay, 3 * perDay - 1, 3 * perDay].map((minute) => first + minute);
  const bookings = minutes.map(
    (start): CountedBooking => ({
      status: 'confirmed',
      start,
      places: 1,
      segments: [{ staffId: 1, start, end: start + 10 }],
    }),
  );
  const payments = minutes.map((at): CountedPayment => ({ at, amount: 100, refundedAmount: 1 }));
  const { data, summary } = counted({ bookings, payments, staff: [worker(1, [])] });
  expect(data.map((day) => day.bookings.confirmed)).toEqual([2, 1, 1]);
  expect(data.map((day) => day.occupancy.bookedMinutes)).toEqual([20, 10, 10]);
  expect(data.map(({ revenue }) => [revenue.received.amount, revenue.refunded.amount])).toEqual([
    [200, 2],
    [100, 1],
    [100, 1],
  ]);
  expect(summary).toMatchObject({
    bookings: { confirmed: 4 },
    occupancy: { bookedMinutes: 40 },
    revenue: { received: { amount: 400 }, refunded: { amount: 4 } },
  });
});

test('A cancelled booking is counted in statistics but takes no working time', () => {
  const by = (staffId: number) => ({ start: first, places: 1, segments: [{ staffId, start: first, end: first + 30 }] });
  const bookings: CountedBooking[] = [
    { ...by(1), status: 'cancelled' },
    { ...by(2), status: 'completed' },
    { ...by(1), status: 'no_show' },
  ];
  const { summary, staff } = counted({ bookings, staff: [worker(1, [])] });
  expect(summary.bookings).toMatchObject({ cancelled: 1, completed: 1, no_show: 1 });
  expect(summary.occupancy).toEqual({ ...idle, bookedMinutes: 30 });
  expect(staff).toEqual([{ staffId: 1, ...idle, bookedMinutes: 30 }]);
});

test('Statistics show the working time of each day, of each staff member and in total', () => {
  const always = worker(1, [{ from: '00:00', to: '24:00' }], { '2026-12-02': [] });
  const split = worker(2, [
    { from: '09:00', to: '12:00' },
    { from: '22:30', to: '24:00' },
  ]);
  const nights = worker(3, [
    { from: '00:00', to: '04:00' },
    { from: '20:00', to: '24:00' },
  ]);
  const { data, summary, staff } = counted({ staff: [always, split, nights] });
  expect(data.map(({ occupancy }) => occupancy.workingMinutes)).toEqual([2_190, 750, 2_190]);
  expect(summary.occupancy.workingMinutes).toBe(5_130);
  expect(staff.map(({ workingMinutes }) => workingMinutes)).toEqual([2_880, 810, 1_440]);
});

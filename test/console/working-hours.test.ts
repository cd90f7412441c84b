/** The hours that the calendar covers and shades. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blockedOn,
  contains,
  hoursOn,
  hoursShown,
  intervalOf,
  offHours,
  type Schedule,
  usualWeek,
  without,
} from '../../console/src/format/working-hours.ts';
import { hoursOf, weekOf } from '../support/always-open.ts';

const nine = { from: '09:00', to: '17:00' };

test.each([
  ['no opening hours and no booking', '09:00', '17:00', []],
  ['early and late staff', '05:00', '23:00', hoursOf('05:30-14:00 14:00-23:00')],
  ['a booking at 22:00', '09:00', '23:00', [nine, intervalOf('2026-11-24 22:00:00', '2026-11-24 22:45:00')]],
  ['a booking before opening', '06:00', '17:00', [nine, intervalOf('2026-11-24 06:00:00', '2026-11-24 06:30:00')]],
  ['a booking past midnight', '00:00', '24:00', [intervalOf('2026-11-24 23:30:00', '2026-11-25 00:30:00')]],
])('On a day with %s, the calendar shows the hours from %s to %s', (_, from, to, intervals) => {
  expect(hoursShown(intervals)).toEqual({ from, to });
});

test('An exception for a date replaces the weekly working hours of a staff member in the calendar', () => {
  const weekly = { ...weekOf(() => []), monday: [nine] };
  const schedule = { weekly, exceptions: { '2026-11-30': [] } } as unknown as Parameters<typeof hoursOn>[0];
  expect([hoursOn(schedule, '2026-11-23'), hoursOn(schedule, '2026-11-30')]).toEqual([[nine], []]);
});

const clock = fc.integer({ min: 0, max: 24 }).map((hour) => `${String(hour).padStart(2, '0')}:00`);
const interval = fc
  .tuple(clock, clock)
  .filter(([from, to]) => from < to)
  .map(([from, to]) => ({ from, to }));
const hours = Array.from({ length: 24 }, (_, at) => {
  const [from, to] = [at, at + 1].map((hour) => `${String(hour).padStart(2, '0')}:00`);
  return { from: from ?? '', to: to ?? '' };
});

test('The calendar shades exactly the hours that are not working hours', () => {
  fc.assert(
    fc.property(fc.array(interval), (intervals) => {
      const shown = hoursShown(intervals);
      const off = offHours(intervals, shown);
      for (const hour of hours.filter((one) => contains([shown], one))) {
        expect(contains(off, hour)).toBe(!contains(intervals, hour));
      }
    }),
  );
});

test('Blocking time in the calendar removes only the blocked time from the working hours of a day', () => {
  fc.assert(
    fc.property(interval, interval, (working, block) => {
      const left = without([working], block);
      for (const hour of hours)
        expect(contains(left, hour)).toBe(contains([working], hour) && !contains([block], hour));
    }),
  );
});

test("If an exception interrupts a day's working hours, the calendar shows the gap as blocked time", () => {
  const weekly = { ...usualWeek, monday: [nine] };
  const exceptions = { '2026-11-23': hoursOf('09:00-12:00 13:00-18:00'), '2026-11-30': [] };
  const blocked = (day: string) => blockedOn({ weekly, exceptions } as unknown as Schedule, day);
  expect(blocked('2026-11-23')).toEqual([{ from: '12:00', to: '13:00' }]);
  expect([blocked('2026-11-30'), blocked('2026-12-07')]).toEqual([[], []]);
});

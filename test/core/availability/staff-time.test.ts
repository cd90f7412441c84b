import { expect, test } from 'vitest';
import { placeBooking, releaseBooking } from '../../../core/availability/staff-day.ts';
import { changeTime, type StaffTime } from '../../../core/availability/staff-time.ts';

const midnight = 20_000 * 1_440;
const late = { start: midnight - 30, end: midnight + 30 };
const untouched: StaffTime = { businessId: 1, staffId: 2, days: new Map() };

test('a change that one of its days refuses is refused as a whole, and says why', () => {
  const placed = changeTime(untouched, late, (day, part) => placeBooking(day, part, 0));
  if (typeof placed === 'string') throw new Error(placed);
  expect([...placed.days.values()].map(({ busy }) => busy.length)).toEqual([4, 4]);
  const over = { start: midnight - 90, end: midnight - 29 };
  expect(changeTime(placed, over, (day, part) => placeBooking(day, part, 0))).toBe('overlap');
  const next = { start: midnight + 29, end: midnight + 60 };
  expect(changeTime(placed, next, (day, part) => placeBooking(day, part, 0))).toBe('overlap');
  expect(changeTime(placed, { ...late, end: midnight + 31 }, releaseBooking)).toBe('absent');
  expect(changeTime(untouched, late, releaseBooking)).toBe('absent');
});

import { expect, test } from 'vitest';
import {
  busyAt,
  emptyDay,
  insert,
  insertBooking,
  insertHold,
  release,
  withoutHold,
} from '../../../core/availability/calendar-day.ts';

function done<T>(result: T | 'overlap' | 'absent'): T {
  if (result === 'overlap' || result === 'absent') throw new Error(`refused: ${result}`);
  return result;
}

test.each([
  [-1, 5],
  [5, 5],
  [0, 1_441],
  [Number.NaN, 2],
])(
  'The minutes %d to %d cannot be stored as busy time, because they are not an interval within one day',
  (start, end) => {
    const error = new RangeError(`Not an interval of minutes of one day: ${start} to ${end}`);
    expect(() => insert(new Uint8Array(0), { start, end })).toThrow(error);
  },
);

test('Reserved time in a calendar can be freed only as exactly the interval that was reserved', () => {
  const packed = done(insert(emptyDay.busy, { start: 540, end: 600 }));
  expect(release(packed, { start: 540, end: 599 })).toBe('absent');
  expect(release(packed, { start: 541, end: 600 })).toBe('absent');
  expect(release(packed, { start: 540, end: 600 })).toHaveLength(0);
});

test('A hold blocks its time for bookings and other holds until it expires, and is deleted by the next change of that day', () => {
  const hold = { start: 600, end: 660, expiresAt: 1_300_000, id: 'h1' };
  const [held, later] = [done(insertHold(emptyDay, hold, 1_000_000)), { ...hold, expiresAt: 1_600_000, id: 'h2' }];
  const booking = { start: 630, end: 690 };
  const until = hold.expiresAt - 1;
  expect([insertBooking(held, booking, until), insertHold(held, later, until)]).toEqual(['overlap', 'overlap']);
  expect(busyAt(0, held, until)).toEqual([{ start: 600, end: 660 }]);
  expect(busyAt(0, held, hold.expiresAt)).toEqual([]);
  expect(withoutHold(held, hold.id)).toEqual(emptyDay);
  expect(done(insertBooking(held, booking, hold.expiresAt)).holds).toEqual([]);
  expect(done(insertHold(held, later, hold.expiresAt)).holds).toEqual([later]);
});

import { expect, test } from 'vitest';
import { emptyDay, insert, insertBooking, withHold } from '../../../core/availability/calendar-day.ts';

test.each([
  [-1, 5],
  [5, 5],
  [0, 1_441],
  [Number.NaN, 2],
])(
  'The minutes %d to %d of a day cannot be stored as busy time, because they are not an interval within one day',
  (start, end) => {
    const error = new RangeError(`Not an interval of minutes of one day: ${start} to ${end}`);
    expect(() => insert(emptyDay.busy, { start, end })).toThrow(error);
  },
);

test('A booking deletes the expired slot holds of its calendar day', () => {
  const time = { start: 600, end: 660 };
  const held = withHold(emptyDay, { ...time, expiresAt: 2_000, id: 'hold' }, 1_000);
  expect(insertBooking(held, time, 2_000)).toMatchObject({ holds: [] });
});

import { expect, test } from 'vitest';
import { emptyDay, insert } from '../../../core/availability/calendar-day.ts';

test.each([
  [-1, 5],
  [5, 5],
  [0, 1_441],
  [Number.NaN, 2],
])(
  'The minutes %d to %d cannot be stored as busy time, because they are not an interval within one day',
  (start, end) => {
    const error = new RangeError(`Not an interval of minutes of one day: ${start} to ${end}`);
    expect(() => insert(emptyDay.busy, { start, end })).toThrow(error);
  },
);

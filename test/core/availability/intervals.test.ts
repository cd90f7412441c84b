import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Interval, normalize, overlaps } from '../../../core/availability/intervals.ts';

const interval = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 12 }))
  .map(([start, length]) => ({ start, end: start + length }));
const intervals = fc.array(interval, { maxLength: 12 });

/** The model is a set of minutes. */
const minutesOf = (list: readonly Interval[]) =>
  new Set(list.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)));
const sortedMinutes = (list: readonly Interval[]) => [...minutesOf(list)].sort((a, b) => a - b);

test('Merged intervals cover exactly the minutes of the given intervals, in ascending order with gaps between them', () => {
  fc.assert(
    fc.property(intervals, (list) => {
      const merged = normalize(list);
      expect(sortedMinutes(merged)).toEqual(sortedMinutes(list));
      for (const [i, { start, end }] of merged.entries()) {
        expect(start).toBeLessThan(end);
        if (i > 0) expect(merged[i - 1]?.end).toBeLessThan(start);
      }
    }),
  );
});

test('Two intervals overlap when they share a minute, but not when they only touch', () => {
  const [early, late, long] = [
    { start: 0, end: 5 },
    { start: 5, end: 9 },
    { start: 0, end: 6 },
  ];
  expect([overlaps(early, late), overlaps(late, early)]).toEqual([false, false]);
  expect([overlaps(long, late), overlaps(late, long)]).toEqual([true, true]);
});

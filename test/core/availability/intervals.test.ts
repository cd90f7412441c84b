import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Interval, merge, normalize, overlaps } from '../../../core/availability/intervals.ts';

const interval = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 12 }))
  .map(([start, length]) => ({ start, end: start + length }));
const intervals = fc.array(interval, { maxLength: 12 });

/** The model: a set of minutes. */
const minutesOf = (list: readonly Interval[]) =>
  new Set(list.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)));
const sortedMinutes = (list: readonly Interval[]) => [...minutesOf(list)].sort((a, b) => a - b);

describe('merge', () => {
  it.each<[string, [number, number][], [number, number][]]>([
    ['nothing', [], []],
    ['touching intervals become one', [[0, 5], [5, 9]], [[0, 9]]], // biome-ignore format: one case a line
    ['overlapping intervals become one', [[0, 5], [3, 9]], [[0, 9]]], // biome-ignore format: one case a line
    ['an interval inside another vanishes', [[0, 9], [3, 5]], [[0, 9]]], // biome-ignore format: one case a line
    ['empty intervals vanish', [[3, 3], [5, 6], [8, 8]], [[5, 6]]], // biome-ignore format: one case a line
    ['a gap stays', [[0, 2], [3, 5]], [[0, 2], [3, 5]]], // biome-ignore format: one case a line
  ])('Intervals are merged correctly: %s', (_, input, output) => {
    const pairs = (list: [number, number][]) => list.map(([start, end]) => ({ start, end }));
    expect(merge(pairs(input))).toEqual(pairs(output));
  });

  it('Merged intervals cover exactly the minutes of the given intervals, in ascending order with gaps between them', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const merged = normalize(list);
        expect(sortedMinutes(merged)).toEqual(sortedMinutes(list));
        for (const [i, { start }] of merged.entries()) {
          const before = merged[i - 1];
          if (before) expect(before.end).toBeLessThan(start);
        }
      }),
    );
  });
});

describe('overlaps', () => {
  it('Two intervals overlap when they share a minute, but not when they only touch', () => {
    const [early, late] = [
      { start: 0, end: 5 },
      { start: 5, end: 9 },
    ];
    expect([overlaps(early, late), overlaps(late, early)]).toEqual([false, false]);
    const long = { start: 0, end: 6 };
    expect([overlaps(long, late), overlaps(late, long)]).toEqual([true, true]);
  });
});

/** Lists skip the numbers that a lost region may have used (docs/rules.md#regions). */
import { expect, test } from 'vitest';
import { type Gap, inGaps, nthNewestNumber, pastGap } from '../../../../core/webhooks/registry/gaps.ts';

const gaps: readonly Gap[] = [
  [4, 10, 1],
  [13, 20, 2],
];
/** Numbers 1 to 3, 11, 12, 21 and 22 have records. */
const newestFirst = [22, 21, 12, 11, 3, 2, 1];

test('A list of deliveries and its total leave out delivery numbers that a failover skipped', () => {
  expect(newestFirst.map((_, newer) => nthNewestNumber(22, newer, gaps))).toEqual(newestFirst);
  expect(22 - inGaps(1, 22, gaps)).toBe(newestFirst.length);
  expect(nthNewestNumber(20, 0, gaps)).toBe(12);
});

test('The search for lost deliveries continues after delivery numbers that a failover skipped', () => {
  expect([pastGap(3, gaps), pastGap(12, gaps), pastGap(11, gaps), pastGap(5, undefined)]).toEqual([10, 20, 11, 5]);
});

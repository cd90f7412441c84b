/**
 * Numbers of a log that no record has: a region that was lost may have used them (docs/rules.md#regions). All else of a log
 * is numbered without holes.
 */

/** `lostAt`, in epoch milliseconds, is when the region took its last number. */
export type Gap = readonly [first: number, last: number, lostAt: number];
type Gaps = readonly Gap[] | undefined;

/** The number itself, or the last of the gap that begins behind it. */
export function pastGap(number: number, gaps: Gaps): number {
  return gaps?.find(([first]) => first === number + 1)?.[1] ?? number;
}

/** How many numbers from one to another, both included, lie in gaps. */
export function inGaps(from: number, to: number, gaps: Gaps = []): number {
  return gaps.reduce((sum, [first, last]) => sum + Math.max(0, Math.min(to, last) - Math.max(from, first) + 1), 0);
}

/** The number of the record that has so many newer ones. */
export function numberBack(lastNumber: number, newer: number, gaps: Gaps = []): number {
  const newestFirst = gaps.toSorted(([a], [b]) => b - a);
  return newestFirst.reduce(
    (number, [first, last]) => (number <= last ? number - (last - first + 1) : number),
    lastNumber - newer,
  );
}

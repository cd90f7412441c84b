/**
 * Numbers of a log without a record, because a lost region may have used them (docs/rules.md#regions). All other
 * numbers of a log have records.
 */

/** `lostAt`, in epoch milliseconds, is the time of the last number that the lost region took. */
export type Gap = readonly [first: number, last: number, lostAt: number];
type Gaps = readonly Gap[] | undefined;

/** The number itself, or the last number of the gaps that begin after it. Gaps are in the order of their numbers. */
export function pastGap(number: number, gaps: Gaps): number {
  return (gaps ?? []).reduce((past, [first, last]) => (first === past + 1 ? last : past), number);
}

/** How many numbers from one to another, both included, are in gaps. */
export function inGaps(from: number, to: number, gaps: Gaps = []): number {
  return gaps.reduce((sum, [first, last]) => sum + Math.max(0, Math.min(to, last) - Math.max(from, first) + 1), 0);
}

/** The number of the record with this many newer records. */
export function nthNewestNumber(lastNumber: number, newer: number, gaps: Gaps = []): number {
  const newestFirst = gaps.toSorted(([a], [b]) => b - a);
  return newestFirst.reduce(
    (number, [first, last]) => (number <= last ? number - (last - first + 1) : number),
    lastNumber - newer,
  );
}

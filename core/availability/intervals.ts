/**
 * Half-open intervals [start, end). Every list is ascending by start; results share no object with the lists passed in.
 */

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The whole minute that contains a time; both in minutes. */
export function minuteOf(time: number): Interval {
  const start = Math.floor(time);
  return { start, end: start + 1 };
}

/** Joins intervals that overlap or touch: the result is ascending and has a gap between any two. */
export function merge(sorted: readonly Interval[]): Interval[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Sorts and joins intervals in any order. */
export function normalize(intervals: readonly Interval[]): Interval[] {
  return merge(intervals.toSorted((a, b) => a.start - b.start));
}

/** Intervals that touch do not overlap: a booking may start in the minute in which another ends. */
export function overlaps(a: Interval, b: Interval): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The intersection of two ascending lists with a gap between any two intervals. */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  for (let i = 0, j = 0; ; ) {
    const [one, other] = [a[i], b[j]];
    if (!one || !other) return both;
    const start = Math.max(one.start, other.start);
    const end = Math.min(one.end, other.end);
    if (start < end) both.push({ start, end });
    if (one.end < other.end) i++;
    else j++;
  }
}

/** Half-open intervals [start, end). Every list is ascending by start; results share no object with the input's lists. */

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Joins what overlaps or touches: the result is ascending and has a gap between any two. Empty intervals vanish. */
export function merge(sorted: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  let start = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const next of sorted) {
    if (next.start >= next.end) continue;
    if (next.start > end) {
      if (start < end) merged.push({ start, end });
      start = next.start;
      end = next.end;
    } else if (next.end > end) {
      end = next.end;
    }
  }
  if (start < end) merged.push({ start, end });
  return merged;
}

/** Any order → merged. */
export function normalize(intervals: readonly Interval[]): Interval[] {
  return merge([...intervals].sort((a, b) => a.start - b.start));
}

/** What of `from` no interval of `taken` covers. Both lists are ascending and without overlaps of their own. */
export function subtract(from: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const rest: Interval[] = [];
  let passed = 0;
  for (const { start, end } of from) {
    let free = start;
    for (; passed < taken.length; passed++) {
      const hole = taken[passed];
      if (!hole || hole.start >= end) break;
      if (hole.start > free) rest.push({ start: free, end: hole.start });
      free = Math.max(free, hole.end);
      // This hole may reach into the next interval of `from`, so it is not passed yet.
      if (hole.end > end) break;
    }
    if (free < end) rest.push({ start: free, end });
  }
  return rest;
}

/** Touching is not overlapping: a booking may start the minute another ends. */
export function overlaps(a: Interval, b: Interval): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Whether any of the ascending, disjoint intervals overlaps `asked`; by bisection. */
export function overlapsAny(sorted: readonly Interval[], asked: Interval): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = sorted[middle];
    if (at && at.end <= asked.start) low = middle + 1;
    else high = middle;
  }
  const first = sorted[low];
  return first !== undefined && overlaps(first, asked);
}

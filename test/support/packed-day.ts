/** The busy minutes of a calendar-day item, as consecutive bookings would leave them. */

import { emptyDay, encodeBusy, insert } from '../../core/availability/calendar-day.ts';
import type { Interval } from '../../core/availability/intervals.ts';

/** Minutes of the day that do not overlap. */
export function pack(intervals: readonly Interval[]): Uint8Array {
  let busy = emptyDay.busy;
  for (const interval of intervals) {
    const inserted = insert(busy, interval);
    if (inserted === 'overlap') throw new Error(`${interval.start} to ${interval.end} is taken`);
    busy = inserted;
  }
  return busy;
}

/** The busy minutes in the stored form. */
export const storedBusy = (intervals: readonly Interval[]): Uint8Array => encodeBusy(pack(intervals));

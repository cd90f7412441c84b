/** The busy minutes of a staff-day item, as bookings that came one after the other would have left them. */

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

/** The same as it is stored. */
export const storedBusy = (intervals: readonly Interval[]): Uint8Array => encodeBusy(pack(intervals));

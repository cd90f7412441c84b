/** The busy minutes of a staff-day item, as bookings that came one after the other would have left them. */
import type { Interval } from '../../core/availability/intervals.ts';
import { emptyStaffDay, encodeBusy, insert } from '../../core/availability/staff-day.ts';

/** Minutes of the day that do not overlap. */
export function pack(intervals: readonly Interval[]): Uint8Array {
  let busy = emptyStaffDay.busy;
  for (const interval of intervals) {
    const inserted = insert(busy, interval);
    if (inserted === 'overlap') throw new Error(`${interval.start} to ${interval.end} is taken`);
    busy = inserted;
  }
  return busy;
}

/** The same as it is stored. */
export const storedBusy = (intervals: readonly Interval[]): Uint8Array => encodeBusy(pack(intervals));

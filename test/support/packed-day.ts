/** The busy minutes of a staff-day item, as bookings that came one after the other would have left them. */
import type { Interval } from '../../core/availability/intervals.ts';
import { emptyStaffDay, place } from '../../core/availability/staff-day.ts';

/** Minutes of the day that do not overlap. */
export function pack(intervals: readonly Interval[]): Uint8Array {
  let busy = emptyStaffDay.busy;
  for (const interval of intervals) {
    const placed = place(busy, interval);
    if (placed === 'overlap') throw new Error(`${interval.start} to ${interval.end} is taken`);
    busy = placed;
  }
  return busy;
}

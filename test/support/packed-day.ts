import { emptyDay, encodeBusy, insert } from '../../core/availability/calendar-day.ts';
import type { Interval } from '../../core/availability/intervals.ts';

/** The busy minutes of a calendar-day item as bookings would store them. The intervals must not overlap. */
export function storedBusy(intervals: readonly Interval[]): Uint8Array {
  let busy = emptyDay.busy;
  for (const interval of intervals) {
    const inserted = insert(busy, interval);
    if (inserted === 'overlap') throw new Error(`${interval.start} to ${interval.end} is taken`);
    busy = inserted;
  }
  return encodeBusy(busy);
}

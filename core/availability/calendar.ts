/** Dates as numbers of days. Nothing here depends on a time zone, not even on the time zone of the process. */

import { BoundedMap } from '../bounded-map.ts';

export const minutesPerDay = 1_440;
const msPerDay = 86_400_000;

/** Of the last used days: a search for slots needs the same dates for each staff member. */
const dates = new BoundedMap<number, string>(1_000);

/** `2026-12-01` → days since 1970-01-01. */
export function dayOf(date: string): number {
  return Date.parse(date) / msPerDay;
}

/** Days since 1970-01-01 → `2026-12-01`. */
export function dateOf(day: number): string {
  const date = dates.get(day) ?? new Date(day * msPerDay).toISOString().slice(0, -14);
  dates.set(day, date);
  return date;
}

/** Day 0, 1970-01-01, was a Thursday. */
export const weekdays = ['thursday', 'friday', 'saturday', 'sunday', 'monday', 'tuesday', 'wednesday'] as const;

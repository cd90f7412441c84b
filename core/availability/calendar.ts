/** Dates as numbers of days. Nothing here depends on a time zone, not even that of the process. */

export const minutesPerDay = 1_440;
const msPerDay = 86_400_000;

/** `2026-12-01` → days since 1970-01-01. */
export function dayOf(date: string): number {
  return Date.parse(date) / msPerDay;
}

/** Days since 1970-01-01 → `2026-12-01`. */
export function dateOf(day: number): string {
  return new Date(day * msPerDay).toISOString().slice(0, -14);
}

const weekdays = ['thursday', 'friday', 'saturday', 'sunday', 'monday', 'tuesday', 'wednesday'] as const;
type Weekday = (typeof weekdays)[number];

/** 1970-01-01, day 0, was a Thursday. */
export function weekdayOf(day: number): Weekday {
  return weekdays[((day % 7) + 7) % 7] ?? 'thursday';
}

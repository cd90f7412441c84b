/** Converts calendar days in a time zone to instants. */
import { instantOf } from './zone.ts';

/** Returns the last second of the day `2026-11-24` in the zone, in UTC. */
export function endOfDay(day: string, zone: string): string {
  return new Date(Date.parse(startOfDay(addDays(day, 1), zone)) - 1_000).toISOString();
}

/** Returns the instant when the day begins. */
export function startOfDay(day: string, zone: string): string {
  return instantOf(`${day} 00:00:00`, zone);
}

interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Returns the instants that bound the days, the last day included. Without a day there is no such bound. */
export function periodOf({ from, to }: Period, zone: string) {
  return { from: from && startOfDay(from, zone), to: to && startOfDay(addDays(to, 1), zone) };
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Parses a typed day: `2026-11-24`, `24 Nov 2026`, `24.11.2026` or `24/11/2026`. A text without a year means the day
 * nearest to `today`, if `today` is given. Undefined for other text.
 */
export function readDay(text: string, today?: string): string | undefined {
  const [, first = '', second = '', third = ''] = /^\s*(\w+)[\s./-]+(\w+)(?:[\s./-]+(\w+))?\.?\s*$/.exec(text) ?? [];
  const [year, month, date] = first.length === 4 ? [first, second, third] : [third, second, first];
  const number = /^\d+$/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const inYear = (one: string | number) => `${one}-${String(number).padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year || !today) return isDay(inYear(year)) ? inYear(year) : undefined;
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(today));
  return [-1, 0, 1]
    .map((years) => inYear(Number(today.slice(0, 4)) + years))
    .filter(isDay)
    .sort((one, other) => distance(one) - distance(other))[0];
}

/** Whether the text is a day of the years 1900 to 2199: `2026-11-24`. Neighbours of others may have another form. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return /^(19|20|21)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Adds days: `2026-11-24` and 3 give `2026-11-27`. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns the Monday on or before a day. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** Returns every day from the first to the last, both included. */
export function daysOf({ from, to }: { readonly from: string; readonly to: string }): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

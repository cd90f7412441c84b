/** Calculates working hours: what the calendar covers and shades, and what an exception leaves. */
import type { Answer } from '../api/call.ts';

export type Schedule = Answer<'getStaffSchedule'>;
export type Week = Answer<'getBusiness'>['workingHours'];
export type Weekday = keyof Week;
export type DayHours = Week[Weekday];
/** Times as `HH:mm`, up to 24:00. */
export type Interval = DayHours[number];

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const workdays = weekdays.slice(0, 5);

const midnight = '24:00';
export const usualDay: DayHours = [{ from: '09:00', to: '17:00' }];
/** Monday to Friday, 9:00 to 17:00. */
export const usualWeek = Object.fromEntries(
  weekdays.map((day) => [day, workdays.some((one) => one === day) ? usualDay : []]),
) as Week;

const weekdayOf = (day: string): Weekday => weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'monday';

/** Returns the part of the usual hours that an exception removes. A whole day off has no such part. */
export function blockedOn({ weekly, exceptions }: Schedule, day: string): DayHours {
  const left = exceptions[day] ?? [];
  if (left.length === 0) return [];
  return weekly[weekdayOf(day)].flatMap((part) => offHours(left, part).filter(({ from, to }) => from < to));
}

/** Returns the hours of a day, `2026-11-24`: its exception, or those of the weekday. */
export function hoursOn({ weekly, exceptions }: Schedule, day: string): DayHours {
  return exceptions[day] ?? weekly[weekdayOf(day)];
}

/** Returns the times of a block on one day, or a whole day if it has several. Both are `2026-11-24 14:30:00`. */
export function intervalOf(start: string, end: string): Interval {
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  return isOneDay ? { from: start.slice(11, 16), to: end.slice(11, 16) } : { from: '00:00', to: midnight };
}

/** Returns the part of the day between start and end, both as `2026-11-24 14:30:00`. Undefined if there is none. */
export function partOn(day: string, start: string, end: string): Interval | undefined {
  const from = start.slice(0, 10) < day ? '00:00' : start.slice(11, 16);
  const to = end.slice(0, 10) > day ? midnight : end.slice(11, 16);
  return start.slice(0, 10) <= day && end.slice(0, 10) >= day && from < to ? { from, to } : undefined;
}

/** Returns the full hours that contain all intervals and the usual day. */
export function hoursShown(intervals: readonly Interval[]): Interval {
  const all = [...intervals, ...usualDay];
  const from = Math.min(...all.map(({ from: begin }) => Number(begin.slice(0, 2))));
  const to = Math.max(...all.map(({ to: end }) => Number(end.slice(0, 2)) + (end.endsWith('00') ? 0 : 1)));
  return { from: clock(from), to: clock(to) };
}

/** Returns the parts of `shown` that no interval covers. */
export function offHours(intervals: readonly Interval[], shown: Interval): readonly Interval[] {
  const off: Interval[] = [];
  let { from } = shown;
  for (const { from: begin, to: end } of intervals.toSorted((a, b) => a.from.localeCompare(b.from))) {
    if (begin > from) off.push({ from, to: begin < shown.to ? begin : shown.to });
    if (end > from) from = end;
  }
  if (from < shown.to) off.push({ from, to: shown.to });
  return off;
}

/** Returns the hours without the blocked time. */
export function without(hours: readonly Interval[], { from, to }: Interval): DayHours {
  return hours
    .flatMap((part) => [
      { from: part.from, to: part.to < from ? part.to : from },
      { from: part.from > to ? part.from : to, to: part.to },
    ])
    .filter((part) => part.from < part.to);
}

/** Whether the hours contain no part of this time. */
export function isWithout(hours: readonly Interval[], { from, to }: Interval): boolean {
  return hours.every((part) => part.to <= from || to <= part.from);
}

export function contains(hours: readonly Interval[], wanted: Interval): boolean {
  return hours.some(({ from, to }) => from <= wanted.from && wanted.to <= to);
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

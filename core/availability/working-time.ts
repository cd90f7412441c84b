/**
 * Working time: converts the schedule of a staff member, which is written in local time, to intervals of epoch minutes
 * (docs/rules.md#slots).
 *
 * A minute is working time if the local clock shows a time inside the hours of its date, and has not shown their end
 * yet. So 09:00–17:00 means what the local clock shows on every day of the year. Times that a clock skips do not exist,
 * and hours that end inside a repeated hour end the first time. Hours that touch are one working interval, which an
 * appointment may cross: hours until 24:00 and from 00:00 of the next day, for example, or the two sides of a skipped
 * hour.
 */
import type { ClockInterval, WorkSchedule } from '../catalog/items.ts';
import { dateOf, minutesPerDay, weekdays } from './calendar.ts';
import { type Interval, merge, normalize } from './intervals.ts';
import { addEpochIntervals, firstShown, offsetAt, type Zone } from './zone.ts';

/**
 * A working interval [start, end). The grid of starts counts from `start` up to `gridEnd`, exclusive. `gridEnd` is
 * usually `end`. On a day that is open around the clock, the grid begins again at midnight: otherwise, the grid of a
 * staff member who always works would depend on the range of the query.
 */
export interface WorkingInterval extends Interval {
  readonly gridEnd: number;
}

/**
 * How many days before and after the range are read. The start of a working interval or of its grid is at most two days
 * away: a midnight, and a day that is skipped or whose only break is. A local date is at most a day from the UTC date.
 */
const marginDays = 3;

/**
 * The working intervals that overlap a range of epoch minutes, ascending. Parts that are days away from the range may
 * be missing.
 */
export function workingTime(schedule: WorkSchedule, zone: Zone, range: Interval): WorkingInterval[] {
  const first = Math.floor(range.start / minutesPerDay) - marginDays;
  const last = Math.floor(range.end / minutesPerDay) + marginDays;

  const hoursOf = hoursByDay(schedule);
  const local: Interval[] = [];
  const midnights: number[] = [];
  for (let day = first; day <= last; day++) {
    const dayStart = day * minutesPerDay;
    const hours = hoursOf(day);
    for (const { start, end } of hours) {
      local.push({ start: dayStart + start, end: dayStart + end });
      if (end - start === minutesPerDay) midnights.push(dayStart);
    }
  }

  const intervals: Interval[] = [];
  for (const joined of merge(local)) addEpochIntervals(intervals, zone, joined);
  const gridStarts = midnights.flatMap((midnight) => beginOfDay(zone, midnight) ?? []);
  return inGrids(merge(intervals), gridStarts).filter(({ start, end }) => start < range.end && range.start < end);
}

/** The joined minutes of a day's working hours: the hours of an exception for the date, or else of the weekday. */
function hoursByDay({ weekly, exceptions }: WorkSchedule): (day: number) => readonly Interval[] {
  const byWeekday = weekdays.map((weekday) => minutesOf(weekly[weekday]));
  return (day) => {
    const exception = exceptions[dateOf(day)];
    return exception ? minutesOf(exception) : (byWeekday.at(day % 7) ?? []);
  };
}

function minutesOf(hours: readonly ClockInterval[]): Interval[] {
  return normalize(hours.map(({ from, to }) => ({ start: minuteOfDay(from), end: minuteOfDay(to) })));
}

/** `HH:MM` → minutes since 00:00. */
function minuteOfDay(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}

/** The first minute of a day, or undefined if the zone skips the whole day. */
function beginOfDay(zone: Zone, localMidnight: number): number | undefined {
  const begin = firstShown(zone, localMidnight);
  return begin + offsetAt(zone, begin) < localMidnight + minutesPerDay ? begin : undefined;
}

/** Ends the grid of each interval at the grid starts inside it. Both lists are ascending. */
function inGrids(intervals: readonly Interval[], gridStarts: readonly number[]): WorkingInterval[] {
  const cut: WorkingInterval[] = [];
  for (const { start, end } of intervals) {
    let begun = start;
    for (const next of gridStarts) {
      if (next <= begun || next >= end) continue;
      cut.push({ start: begun, gridEnd: next, end });
      begun = next;
    }
    cut.push({ start: begun, gridEnd: end, end });
  }
  return cut;
}

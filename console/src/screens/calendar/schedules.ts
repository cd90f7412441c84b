/** The working hours of the shown staff, and their busy times in other calendars. */
import type { Answer } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { mondayOf } from '../../format/days.ts';
import { type DayHours, hoursOn, type Interval, partOn, type Schedule } from '../../format/working-hours.ts';
import { wallClock } from '../../format/zone.ts';

export interface Schedules {
  readonly isPending: boolean;
  /** Schedules by staff id. They are missing if they failed to load. */
  readonly byStaff: ReadonlyMap<number, Schedule>;
  /** Busy times by staff id, for each other calendar. */
  readonly busy: ReadonlyMap<number, readonly BusyTime[]>;
}

export interface BusyTime {
  readonly source: string;
  readonly day: string;
  readonly time: Interval;
}

type Busy = Answer<'listBusyElsewhere'>['data'][number];

export function useSchedules(staffIds: readonly number[], days: readonly string[], zone: string): Schedules {
  // All days of a week share one response.
  const { data, isPending } = useWholeList('listStaff', {}, { weekFrom: mondayOf(days[0] ?? '') });
  const shown = data?.data.filter(({ id }) => staffIds.includes(id)) ?? [];
  return {
    isPending,
    byStaff: new Map(shown.flatMap(({ id, schedule }) => (schedule ? [[id, schedule]] : []))),
    busy: new Map(shown.map(({ id, busy = [] }) => [id, busy.flatMap((one) => busyOn(one, days, zone))])),
  };
}

/** Returns the hours of a day in which one of these staff members works. */
export function workingOn({ byStaff }: Schedules, day: string, staffIds: readonly number[]): DayHours {
  return staffIds.flatMap((id) => {
    const schedule = byStaff.get(id);
    return schedule ? hoursOn(schedule, day) : [];
  });
}

function busyOn({ source, blocks }: Busy, days: readonly string[], zone: string): readonly BusyTime[] {
  return blocks.flatMap(({ startTime, endTime }) => {
    const [start, end] = [wallClock(startTime, zone), wallClock(endTime, zone)];
    return days.flatMap((day) => {
      const time = partOn(day, start, end);
      return time ? [{ source, day, time }] : [];
    });
  });
}

/** The working hours of the shown staff, and their busy times in other calendars. */
import { useQueries } from '@tanstack/react-query';
import type { Answer } from '../../api/call.ts';
import { apiQueryOptions, useApiCalls } from '../../api/hooks.ts';
import { type DayHours, hoursOn, type Interval, partOn, type Schedule } from '../../format/working-hours.ts';
import { wallClock } from '../../format/zone.ts';

const staleMs = 60_000;

export interface Schedules {
  readonly isPending: boolean;
  /** Schedules by staff id. A schedule that failed to load is missing. */
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
  const api = useApiCalls();
  const queries = useQueries({
    queries: staffIds.map((id) => ({ ...apiQueryOptions(api, 'getStaffSchedule', { id }), staleTime: staleMs })),
  });
  const busy = useQueries({
    queries: staffIds.map((id) => ({
      ...apiQueryOptions(api, 'listBusyElsewhere', { id, limit: 100 }),
      staleTime: staleMs,
    })),
  });
  const byId = <Data, Value>(all: readonly { readonly data: Data | undefined }[], value: (data: Data) => Value) =>
    new Map(all.flatMap(({ data }, at) => (data ? [[staffIds[at] ?? 0, value(data)] as const] : [])));
  return {
    isPending: queries.some(({ isPending }) => isPending),
    byStaff: byId(queries, (schedule) => schedule),
    busy: byId(busy, ({ data }) => data.flatMap((one) => busyOn(one, days, zone))),
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

/** The schedules of the staff shown. */
import { useQueries } from '@tanstack/react-query';
import { apiQueryOptions, useApiCalls } from '../../api/hooks.ts';
import type { Schedule } from '../../format/working-hours.ts';

const staleMs = 60_000;

export interface Schedules {
  readonly isPending: boolean;
  /** By staff id. A schedule that failed to load is missing. */
  readonly byStaff: ReadonlyMap<number, Schedule>;
}

export function useSchedules(staffIds: readonly number[]): Schedules {
  const api = useApiCalls();
  const queries = useQueries({
    queries: staffIds.map((id) => ({ ...apiQueryOptions(api, 'getStaffSchedule', { id }), staleTime: staleMs })),
  });
  return {
    isPending: queries.some(({ isPending }) => isPending),
    byStaff: new Map(queries.flatMap(({ data }, at) => (data ? [[staffIds[at] ?? 0, data] as const] : []))),
  };
}

/** The free start times of a service or a visit on a day, as the API offers them. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useApi, useApiCalls } from '../../api/hooks.ts';
import { addDays } from '../../format/days.ts';
import { instantAt, timeLabel } from '../../format/zone.ts';

/**
 * The days after a full day that are searched for the next free time, one range after the other: the API lists at most
 * 10,000 slots at once.
 */
const rangesAhead = [
  [1, 1],
  [2, 3],
  [4, 7],
  [8, 14],
] as const;

interface Part {
  readonly serviceId: number;
  /** Undefined means any staff member. */
  readonly staffId?: number | undefined;
}

/** One service, or those of a visit in order. */
export type Parts = readonly Part[];

/** A visit may name a staff member for every service. If it names only some, the starts of any are listed. */
export function listedOf(parts: Parts) {
  const named = parts.flatMap(({ staffId }) => staffId ?? []);
  if (parts.length < 2) return { serviceId: parts[0]?.serviceId ?? 0, ...(named[0] && { staffId: named[0] }) };
  const serviceIds = parts.map(({ serviceId }) => serviceId).join(',');
  return { serviceIds, ...(named.length === parts.length && { staffIds: named.join(',') }) };
}

interface FreeStartsQuery {
  /** Empty until a service is chosen. */
  readonly parts: Parts;
  readonly places?: number | undefined;
  /** The day as `2026-11-24`. */
  readonly day: string;
  /** The booking to move: its own time counts as free. */
  readonly movingBookingId?: number;
}

export interface FreeStarts {
  readonly isLoading: boolean;
  readonly error: ApiError | null;
  /** Instants by their local time, such as `14:30`, in order. */
  readonly starts: ReadonlyMap<string, string>;
  /** The next free time on a later day, if the day has none. */
  readonly next: string | undefined;
  /** Returns the instant of a time that is not listed, perhaps because the class has too few places left. */
  withTooFewPlaces(time: string): string | undefined;
}

export function useFreeStarts({ parts, places = 1, day, movingBookingId }: FreeStartsQuery, zone: string): FreeStarts {
  const isDay = !Number.isNaN(Date.parse(day));
  const query = {
    ...listedOf(parts),
    ...(places > 1 && { places }),
    ...(movingBookingId !== undefined && { movingBookingId }),
    timeZone: zone,
  };
  const ofDay = useApi('listSlots', { ...query, from: day, to: day }, { enabled: parts.length > 0 && isDay });
  const found = ofDay.data?.data;
  const isFull = found?.length === 0;
  const { mode, call } = useApiCalls();
  const after = useQuery({
    queryKey: [mode, 'listSlots', query, 'after', day],
    queryFn: async ({ signal }) => {
      for (const [first, last] of rangesAhead) {
        const range = { from: addDays(day, first), to: addDays(day, last) };
        const { data } = await call('listSlots', { ...query, ...range }, { signal });
        if (data[0]) return data[0].startTime;
      }
      return null;
    },
    enabled: isFull,
  });
  const starts = useMemo(
    () => new Map(found?.map(({ startTime }) => [timeLabel(startTime, zone), startTime])),
    [found, zone],
  );
  return {
    isLoading: ofDay.isLoading,
    error: ofDay.error,
    starts,
    next: isFull ? (after.data ?? undefined) : undefined,
    withTooFewPlaces: (time) =>
      places > 1 && isDay && !ofDay.isLoading && !starts.has(time) ? instantAt(day, time, zone) : undefined,
  };
}

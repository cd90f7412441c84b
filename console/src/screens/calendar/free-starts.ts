/** When a service is free on a day, as the API offers it: nobody is asked to guess a time that is then refused. */

import type { ApiError } from '../../api/errors.ts';
import { useApi } from '../../api/hooks.ts';
import { dayAfter, wallClock } from '../../format/zone.ts';

/** Where nothing is free, so many days after it are looked through. */
const daysAhead = 14;

export interface Wish {
  readonly serviceId: number | undefined;
  /** Undefined: whoever is free. */
  readonly staffId: number | undefined;
  /** `2026-11-24`. */
  readonly day: string;
  /** A booking that is to be moved: its own time is free for it. */
  readonly movingBookingId?: number;
}

export interface FreeStarts {
  readonly isLoading: boolean;
  readonly error: ApiError | null;
  /** By what the clock shows, `14:30`: the instant to send. In the order of time. */
  readonly starts: ReadonlyMap<string, string>;
  /** The first start of the days after, where the day has none. */
  readonly next: string | undefined;
}

export function useFreeStarts({ serviceId, staffId, day, movingBookingId }: Wish, zone: string): FreeStarts {
  const isDay = !Number.isNaN(Date.parse(day));
  const asked = {
    serviceId: serviceId ?? 0,
    ...(staffId !== undefined && { staffId }),
    ...(movingBookingId !== undefined && { movingBookingId }),
    timeZone: zone,
  };
  const ofDay = useApi('listSlots', { ...asked, from: day, to: day }, { enabled: serviceId !== undefined && isDay });
  const isFull = ofDay.data?.data.length === 0;
  const later = isDay ? { from: dayAfter(day, 1), to: dayAfter(day, daysAhead) } : { from: day, to: day };
  const after = useApi('listSlots', { ...asked, ...later }, { enabled: isFull });
  return {
    isLoading: ofDay.isLoading,
    error: ofDay.error,
    starts: new Map(ofDay.data?.data.map(({ startTime }) => [wallClock(startTime, zone).slice(11, 16), startTime])),
    next: isFull ? after.data?.data[0]?.startTime : undefined,
  };
}

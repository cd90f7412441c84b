/** The bookings of the days shown. */
import { useApiList } from '../../api/hooks.ts';
import { instantOf } from '../../format/zone.ts';

/** New bookings appear within five seconds, the answer included. */
const refetchMs = 4_000;

/** All bookings from the start of the first day to the start of the day `after`. */
export function useBookings(first: string, after: string, zone: string, staffId: number | undefined, enabled: boolean) {
  return useApiList(
    'listBookings',
    {
      from: instantOf(`${first} 00:00:00`, zone),
      to: instantOf(`${after} 00:00:00`, zone),
      limit: 100,
      ...(staffId !== undefined && { staffId }),
    },
    { pagesAtOnce: Number.POSITIVE_INFINITY, enabled, refetchInterval: refetchMs },
  );
}

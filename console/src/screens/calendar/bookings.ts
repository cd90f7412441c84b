/** The bookings of the days shown, and their blocks in the calendar. */
import type { ScheduleEventData } from '@mantine/schedule';
import { useApiList } from '../../api/hooks.ts';
import { colorOfStatus } from '../../components/booking-status.tsx';
import type { Interval } from '../../format/working-hours.ts';
import { instantOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf } from '../bookings/booking.ts';

/** New bookings appear within this time. */
const refetchMs = 5_000;

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

/** Without `color`: that of the status. */
export function eventOf(booking: Booking, zone: string, color?: string): ScheduleEventData<{ booking: Booking }> {
  const { id, staffId, startTime, endTime, status } = booking;
  const [start, end] = [wallClock(startTime, zone), wallClock(endTime, zone)];
  return {
    id,
    title: `${start.slice(11, 16)}–${end.slice(11, 16)} · ${clientOf(booking)} · ${serviceOf(booking)} · ${strings.business.statuses[status]}`,
    start,
    end,
    color: color ?? colorOfStatus(status),
    resourceId: staffId,
    payload: { booking },
  };
}

/** A block behind the bookings: hours in which no one works. */
export function offBlock(day: string, { from, to }: Interval, staffId: number | undefined): ScheduleEventData {
  return {
    id: `off-${staffId}-${day}-${from}`,
    title: strings.calendar.off,
    start: `${day} ${from}:00`,
    end: to === '24:00' ? `${day} 23:59:59` : `${day} ${to}:00`,
    color: 'gray',
    display: 'background',
    resourceId: staffId,
  };
}

/** Undefined for blocks without a booking. */
export const bookingOf = ({ payload }: ScheduleEventData) => (payload as { booking: Booking } | undefined)?.booking;

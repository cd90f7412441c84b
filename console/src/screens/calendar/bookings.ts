/** The bookings of the days shown, and their blocks in the calendar. */
import type { ScheduleEventData } from '@mantine/schedule';
import type { Answer } from '../../api/call.ts';
import { useApiList } from '../../api/hooks.ts';
import { colorOfStatus } from '../../components/booking-status.tsx';
import { instantOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';

export type Booking = Answer<'getBooking'>;

/** The name of the client, unless erased. */
export const clientOf = ({ client }: Booking) => client.name || strings.clients.erased;

/** Whether it can still be moved, completed or cancelled. */
export const isOpen = ({ status }: Booking) => status === 'pending' || status === 'confirmed';

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
    { pagesAtOnce: Number.POSITIVE_INFINITY, enabled },
  );
}

export function eventOf(booking: Booking, zone: string): ScheduleEventData<{ booking: Booking }> {
  const { id, serviceName, staffId, startTime, endTime, status } = booking;
  const [start, end] = [wallClock(startTime, zone), wallClock(endTime, zone)];
  return {
    id,
    title: `${start.slice(11, 16)}–${end.slice(11, 16)} · ${clientOf(booking)} · ${serviceName} · ${strings.business.statuses[status]}`,
    start,
    end,
    color: colorOfStatus(status),
    resourceId: staffId,
    payload: { booking },
  };
}

export const bookingOf = ({ payload }: ScheduleEventData) => (payload as { booking: Booking }).booking;

/** The bookings of the days that are shown, and what the calendar draws of them. */
import type { ScheduleEventData } from '@mantine/schedule';
import { useEffect } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApiList } from '../../api/hooks.ts';
import { instantOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';

export type Booking = Answer<'getBooking'>;
export type Status = Booking['status'];

/** The words say it too: no status is told by its colour alone. */
export const statusColors: Readonly<Record<Status, string>> = {
  pending: 'yellow',
  confirmed: 'blue',
  completed: 'teal',
  no_show: 'red',
  cancelled: 'gray',
};

/** What can still become of it. */
export const isOpen = ({ status }: Booking) => status === 'pending' || status === 'confirmed';

/** From the beginning of the first day to the end of the last one. All pages of it are read, and nothing beyond. */
export function useBookings(first: string, after: string, zone: string, staffId: number | undefined) {
  const list = useApiList('listBookings', {
    from: instantOf(`${first} 00:00:00`, zone),
    to: instantOf(`${after} 00:00:00`, zone),
    limit: 100,
    ...(staffId !== undefined && { staffId }),
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, isError]);
  return list;
}

export function eventOf(booking: Booking, zone: string): ScheduleEventData<{ booking: Booking }> {
  const { id, client, serviceName, staffId, startTime, endTime, status } = booking;
  return {
    id,
    title: `${client.name} · ${serviceName} · ${strings.calendar.statuses[status]}`,
    start: wallClock(startTime, zone),
    end: wallClock(endTime, zone),
    color: statusColors[status],
    resourceId: staffId,
    payload: { booking },
  };
}

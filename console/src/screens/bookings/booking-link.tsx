/** A link to a booking, which is opened over its day in the calendar. */
import type { AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../components/link.tsx';
import { useTimes } from '../../format/times.ts';
import type { Booking } from './booking.ts';

interface BookingLinkProps extends AnchorProps {
  readonly booking: Pick<Booking, 'id' | 'startTime'>;
  readonly children: ReactNode;
}

export function BookingLink({ booking: { id, startTime }, ...anchor }: BookingLinkProps) {
  const { day } = useTimes();
  return <AnchorLink {...anchor} to="/calendar" search={{ day: day(startTime), booking: id }} />;
}

/** A link to a booking: its day in the calendar, with the booking open. */
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTimes } from '../../format/times.ts';
import type { Booking } from './booking.ts';

export interface BookingLinkProps extends AnchorProps {
  readonly booking: Pick<Booking, 'id' | 'startTime'>;
  readonly children: ReactNode;
}

export function BookingLink({ booking: { id, startTime }, ...anchor }: BookingLinkProps) {
  const { day } = useTimes();
  return (
    <Anchor
      {...anchor}
      renderRoot={(props) => <Link to="/calendar" search={{ day: day(startTime), booking: id }} {...props} />}
    />
  );
}

/** The content of a block in the calendar: client, service and status. */
import { Text, VisuallyHidden } from '@mantine/core';
import { CheckCheck, CircleCheck, Clock, type LucideIcon, UserX, X } from 'lucide-react';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf } from '../bookings/booking.ts';

const signs: Readonly<Record<Booking['status'], LucideIcon>> = {
  pending: Clock,
  confirmed: CircleCheck,
  completed: CheckCheck,
  no_show: UserX,
  cancelled: X,
};

export interface EventBodyProps {
  readonly booking: Booking;
  /** Name the staff member, where the calendar does not. */
  readonly withStaff?: boolean;
}

export function EventBody({ booking, withStaff = false }: EventBodyProps) {
  const { time } = useTimes();
  const { staffName, startTime, endTime, status } = booking;
  const Sign = signs[status];
  return (
    <>
      <Text
        inherit
        // The colour of a status has too little contrast for text.
        c="var(--mantine-color-text)"
        fw={650}
        lh={1.2}
        lineClamp={3}
        td={status === 'cancelled' ? 'line-through' : undefined}
        // Some views keep a block on one line. Long names are cut at the end, not broken.
        style={{ whiteSpace: 'normal', overflowWrap: 'normal' }}
      >
        {clientOf(booking)}
      </Text>
      <Text inherit c="var(--mantine-color-text)" fw={400} lh={1.2} lineClamp={2} style={{ whiteSpace: 'normal' }}>
        <Sign size="1em" strokeWidth={2.5} style={{ verticalAlign: '-0.125em' }} aria-hidden /> {time(startTime)}{' '}
        {serviceOf(booking)}
      </Text>
      {withStaff && (
        <Text inherit c="var(--mantine-color-text)" fw={400} lh={1.2} truncate aria-hidden>
          {staffName}
        </Text>
      )}
      <VisuallyHidden>
        {`, ${time(startTime)}–${time(endTime)}, ${staffName}, ${strings.business.statuses[status]}`}
      </VisuallyHidden>
    </>
  );
}

/** What is written in a booking of the calendar: who comes, for what, and its state as a sign and for who listens. */
import { Text, VisuallyHidden } from '@mantine/core';
import { CheckCheck, CircleCheck, Clock, type LucideIcon, UserX, X } from 'lucide-react';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf } from './bookings.ts';

const signs: Readonly<Record<Booking['status'], LucideIcon>> = {
  pending: Clock,
  confirmed: CircleCheck,
  completed: CheckCheck,
  no_show: UserX,
  cancelled: X,
};

export function EventBody({ booking }: { readonly booking: Booking }) {
  const { serviceName, status } = booking;
  const Sign = signs[status];
  return (
    <>
      <Text
        inherit
        // The colour of a state is light enough for a ground, and for words it is too light.
        c="var(--mantine-color-text)"
        fw={650}
        lh={1.2}
        lineClamp={3}
        td={status === 'cancelled' ? 'line-through' : undefined}
        // Some views keep an event to one line. A name that is too long for a narrow one is cut, and not taken apart.
        style={{ whiteSpace: 'normal', overflowWrap: 'normal' }}
      >
        {clientOf(booking)}
      </Text>
      <Text inherit c="var(--mantine-color-text)" fw={400} lh={1.2} truncate>
        <Sign size="1em" strokeWidth={2.5} style={{ verticalAlign: '-0.125em' }} aria-hidden /> {serviceName}
      </Text>
      <VisuallyHidden>{strings.business.statuses[status]}</VisuallyHidden>
    </>
  );
}

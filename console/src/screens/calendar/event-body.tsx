/** The content of a card in the calendar: client, time and service, with a sign of the status. */
import { Text, VisuallyHidden } from '@mantine/core';
import { CheckCheck, CircleCheck, Clock, type LucideIcon, UserX, X } from 'lucide-react';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf } from '../bookings/booking.ts';
import { type Card, clock } from './bookings.ts';

const signs: Readonly<Record<Booking['status'], LucideIcon>> = {
  pending: Clock,
  confirmed: CircleCheck,
  completed: CheckCheck,
  no_show: UserX,
  cancelled: X,
};

export function EventBody({ card: { booking, segment, start, end } }: { readonly card: Card }) {
  const { status } = booking;
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
        <Sign size="1em" strokeWidth={2.5} style={{ verticalAlign: '-0.125em' }} aria-hidden /> {clock(start)}{' '}
        {serviceOf(booking, segment)}
      </Text>
      <VisuallyHidden>
        {`, ${clock(start)}–${clock(end)}, ${segment.staffName}, ${strings.business.statuses[status]}`}
      </VisuallyHidden>
    </>
  );
}

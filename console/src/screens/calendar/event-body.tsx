/**
 * The content of a card in the calendar: client, service and time, with an icon for the status. Screen readers read the
 * tooltip of the card instead, which has all details.
 */
import { Text } from '@mantine/core';
import { CheckCheck, CircleCheck, Clock, DoorOpen, Link2, type LucideIcon, UsersRound, UserX, X } from 'lucide-react';
import type { Booking } from '../bookings/booking.ts';
import { type Card, clock, headOf, lineOf } from './cards.ts';

const signs: Readonly<Record<Booking['status'], LucideIcon>> = {
  pending: Clock,
  confirmed: CircleCheck,
  completed: CheckCheck,
  no_show: UserX,
  cancelled: X,
};

const sign = { size: '1em', strokeWidth: 2.5, style: { verticalAlign: '-0.125em' } } as const;

export function EventBody({ card }: { readonly card: Card }) {
  const { booking, segment, start, part } = card;
  const { status } = booking;
  const Sign = card.class ? UsersRound : signs[status];
  return (
    <div aria-hidden>
      <Text
        inherit
        // The colour of a status has too little contrast for text.
        c="var(--mantine-color-text)"
        fw={650}
        lh={1.2}
        lineClamp={2}
        td={status === 'cancelled' ? 'line-through' : undefined}
        // Some views show a block on one line. Long names are cut at the end, not broken.
        style={{ whiteSpace: 'normal', overflowWrap: 'normal' }}
      >
        {headOf(card)}
      </Text>
      <Text inherit c="var(--mantine-color-text)" fw={400} lh={1.2} lineClamp={3} style={{ whiteSpace: 'normal' }}>
        <Sign {...sign} /> {part && <Link2 {...sign} />} {clock(start)} {lineOf(card)}
        {segment.resourceName && (
          <>
            {' '}
            <DoorOpen {...sign} /> {segment.resourceName}
          </>
        )}
      </Text>
    </div>
  );
}

/** The cards of the calendar: one for each part of a booking, and one for all who share a class. */
import { wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, type Segment, staffOf } from '../bookings/booking.ts';

export interface Card {
  readonly id: string;
  /** That of the card, or the first of those who share a class. */
  readonly booking: Booking;
  readonly segment: Segment;
  /** Local time of the business: `2026-11-24 14:30:00`. */
  readonly start: string;
  readonly end: string;
  /** Of a class: who takes part, in the order of booking. */
  readonly class?: { readonly bookings: readonly Booking[]; readonly taken: number; readonly capacity: number };
  /** Of a visit of several services: which of them, from 1. */
  readonly part?: { readonly at: number; readonly of: number };
}

/** `capacityOf` is undefined for a service that was deleted. */
export function cardsOf(
  bookings: readonly Booking[],
  zone: string,
  capacityOf: (serviceId: number) => number | undefined,
): readonly Card[] {
  const isOfClass = ({ status, places, serviceId }: Booking) =>
    status !== 'cancelled' && (places > 1 || (capacityOf(serviceId) ?? 1) > 1);
  const shared = Map.groupBy(bookings.filter(isOfClass), ({ serviceId, staffId, startTime }) =>
    [serviceId, staffId, Date.parse(startTime)].join('-'),
  );
  const classes = [...shared].flatMap(([id, some]): Card[] => {
    const [first] = some;
    const segment = first?.segments[0];
    if (!first || !segment) return [];
    const taken = some.reduce((sum, { places }) => sum + places, 0);
    // A class keeps the places it was opened with, also when the service has fewer since.
    const capacity = Math.max(taken, capacityOf(first.serviceId) ?? 0);
    return [{ id, booking: first, segment, ...times(segment, zone), class: { bookings: some, taken, capacity } }];
  });
  const single = bookings
    .filter((booking) => !isOfClass(booking))
    .flatMap((booking) =>
      booking.segments.map(
        (segment, at): Card => ({
          id: `${booking.id}-${at}`,
          booking,
          segment,
          ...times(segment, zone),
          ...(booking.segments.length > 1 && { part: { at: at + 1, of: booking.segments.length } }),
        }),
      ),
    );
  return [...classes, ...single].sort((one, other) => one.start.localeCompare(other.start));
}

const times = ({ startTime, endTime }: Segment, zone: string) => ({
  start: wallClock(startTime, zone),
  end: wallClock(endTime, zone),
});

export const clock = (local: string) => local.slice(11, 16);

/** The first line of a card: the class, or the client. */
export const headOf = ({ class: shared, booking, segment }: Card) => (shared ? segment.serviceName : clientOf(booking));

/** The second line: `7 of 12 places`, `Haircut`, `Haircut · 1 of 2`. */
export function lineOf({ class: shared, part, segment }: Card): string {
  if (shared) return strings.calendar.placesTaken(shared.taken, shared.capacity);
  return [segment.serviceName, part && strings.calendar.part(part.at, part.of)].filter(Boolean).join(' · ');
}

/** Behind the second line, in words: `10:00–10:45, Anna, Room 1, Confirmed`. */
export function restOf({ booking, class: shared, segment, start, end }: Card): string {
  return [
    `${clock(start)}–${clock(end)}`,
    segment.staffName,
    segment.resourceName,
    shared ? shared.bookings.map(clientOf).join(', ') : strings.business.statuses[booking.status],
  ]
    .filter(Boolean)
    .join(', ');
}

/** All that a card says, for those who point at it; of a visit also with whom the rest of it is. */
export function titleOf(card: Card): string {
  return [headOf(card), lineOf(card), restOf(card), card.part && staffOf(card.booking)].filter(Boolean).join(', ');
}

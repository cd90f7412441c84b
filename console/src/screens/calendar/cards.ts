/** The cards of the calendar: one for each part of a booking, and one for all bookings of a class. */
import { isolated } from '../../format/isolation.ts';
import { periodLabel, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, type Segment, staffOf } from '../bookings/booking.ts';

export interface Card {
  readonly id: string;
  /** The booking of the card, or the first of a class. */
  readonly booking: Booking;
  readonly segment: Segment;
  /** The local time of the business: `2026-11-24 14:30:00`. */
  readonly start: string;
  readonly end: string;
  /** Start and end as `10:00–10:45`. */
  readonly period: string;
  /** For a class: its bookings, in the order in which they were made. */
  readonly class?: ClassBookings;
  /** For a visit of several services: the number of the service, from 1. */
  readonly part?: { readonly at: number; readonly of: number };
}

interface ClassBookings {
  readonly bookings: readonly Booking[];
  readonly taken: number;
  /** Undefined for a past class, because the service may have had another number of places then. */
  readonly capacity: number | undefined;
}

/** `capacityOf` returns undefined for a deleted service. */
export function cardsOf(
  bookings: readonly Booking[],
  zone: string,
  capacityOf: (serviceId: number) => number | undefined,
  now: number,
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
    // A class keeps its places if the service now has fewer.
    const isAhead = Date.parse(segment.startTime) > now;
    const capacity = isAhead ? Math.max(taken, capacityOf(first.serviceId) ?? 0) : undefined;
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

function times({ startTime, endTime }: Segment, zone: string) {
  const [start, end] = [wallClock(startTime, zone), wallClock(endTime, zone)];
  // The offsets of all cards would take long to look up.
  const period = end > start ? `${clock(start)}–${clock(end)}` : periodLabel(startTime, endTime, zone);
  return { start, end, period };
}

/** Where to draw the end: when the clocks go back, the local end may precede the start. */
export const drawnEnd = ({ segment: { startTime, endTime }, start, end }: Card) =>
  end > start
    ? end
    : wallClock(Date.parse(`${start.replace(' ', 'T')}Z`) + Date.parse(endTime) - Date.parse(startTime), 'UTC');

/** The staff member of the class with this id. */
export const staffOfClass = (id = '') => Number(id.split('-')[1]) || undefined;

export const clock = (local: string) => local.slice(11, 16);

/** The first line of a card: the class, or the client. */
export const headOf = ({ class: shared, booking, segment }: Card) =>
  shared ? isolated(segment.serviceName) : clientOf(booking);

/** `7 of 12 places`, or `7 places` if their number is not known. */
export const placesOf = (taken: number, capacity: number | undefined) =>
  capacity === undefined ? strings.bookings.places(taken) : strings.calendar.placesTaken(taken, capacity);

/** The second line: `7 of 12 places`, `Haircut`, `Haircut · 1 of 2`. */
export function lineOf({ class: shared, part, segment }: Card): string {
  if (shared) return placesOf(shared.taken, shared.capacity);
  return [isolated(segment.serviceName), part && strings.calendar.part(part.at, part.of)].filter(Boolean).join(' · ');
}

/**
 * The full text of a card for its tooltip: `Jane Doe, Haircut, 10:00–10:45, Anna, Room 1, Confirmed`. For a visit it
 * includes the other staff members.
 */
export function titleOf(card: Card): string {
  const { booking, class: shared, segment, period, part } = card;
  return [
    headOf(card),
    lineOf(card),
    period,
    isolated(segment.staffName),
    segment.resourceName && isolated(segment.resourceName),
    shared ? shared.bookings.map(clientOf).join(', ') : strings.business.statuses[booking.status],
    part && staffOf(booking),
  ]
    .filter(Boolean)
    .join(', ');
}

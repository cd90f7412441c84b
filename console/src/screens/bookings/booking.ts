/** A booking, and the names in it that screens show. */
import type { Answer } from '../../api/call.ts';
import { isolated } from '../../format/isolation.ts';
import { strings } from '../../strings/strings.ts';

export type Booking = Answer<'getBooking'>;

/** The part of a booking for one staff member, such as a service of a visit. */
export type Segment = Booking['segments'][number];

/** The name of the client, unless erased. */
export const clientOf = ({ client }: Booking) => isolated(client.name) || strings.clients.erased;

/** `Haircut + Colour`, `Yoga class · 2 places`. */
export const serviceOf = ({ segments, places }: Pick<Booking, 'segments' | 'places'>) => {
  const names = segments.map(({ serviceName }) => isolated(serviceName)).join(' + ');
  return places > 1 ? `${names} · ${strings.bookings.places(places)}` : names;
};

/** Lists each staff member once. */
export const staffOf = ({ segments }: Pick<Booking, 'segments'>) =>
  [...new Set(segments.map(({ staffName }) => isolated(staffName)))].join(', ');

/** Whether the booking can still be moved, completed or cancelled. */
export const isOpen = ({ status }: Pick<Booking, 'status'>) => status === 'pending' || status === 'confirmed';

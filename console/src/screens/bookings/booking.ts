/** A booking, and the names that the screens show of it. */
import type { Answer } from '../../api/call.ts';
import { strings } from '../../strings/strings.ts';

export type Booking = Answer<'getBooking'>;

/** The name of the client, unless erased. */
export const clientOf = ({ client }: Booking) => client.name || strings.clients.erased;

/** `Yoga class · 2 places`; the name alone if the booking has one place. */
export const serviceOf = ({ places, ...booking }: Booking, { serviceName }: Pick<Segment, 'serviceName'> = booking) =>
  places > 1 ? `${serviceName} · ${strings.bookings.places(places)}` : serviceName;

/** Whether it can still be moved, completed or cancelled. */
export const isOpen = ({ status }: Pick<Booking, 'status'>) => status === 'pending' || status === 'confirmed';

/** What a booking takes of one staff member: a card of the calendar. */
export type Segment = Pick<Booking, 'serviceName' | 'staffId' | 'staffName' | 'startTime' | 'endTime'>;

export const segmentsOf = (booking: Booking): readonly Segment[] => [booking];

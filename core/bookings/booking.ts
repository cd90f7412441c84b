/**
 * A booking as stored, as answered (docs/rules.md#bookings), and as its events contain it (docs/rules.md#event-data).
 */
import type { EventData } from '../../contract/events.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import type { Interval } from '../availability/intervals.ts';
import { isoOf, zoneOf } from '../availability/zone.ts';
import { timestamp } from '../clock.ts';

/**
 * Times are epoch minutes: `start` to `end` is the appointment, `taken` is what it takes of the staff member's time,
 * its buffers included, frozen so that a later change of the service cannot release other minutes than were taken.
 */
export interface BookingItem extends Omit<Booking, 'startTime' | 'endTime'> {
  /** The API key that it was made through; 0 for the business itself. */
  readonly madeBy: number;
  /** The session that it was made through, if it was. */
  readonly sessionId?: number;
  readonly start: number;
  readonly end: number;
  readonly taken: Interval;
  /** Of the occurrence whose places it has, as it was made; a booking that shares its time with no other has none. */
  readonly capacity?: number;
}

export function toBooking(item: BookingItem): Booking {
  const zone = zoneOf(item.timeZone);
  return {
    id: item.id,
    status: item.status,
    serviceId: item.serviceId,
    serviceName: item.serviceName,
    staffId: item.staffId,
    staffName: item.staffName,
    clientId: item.clientId,
    client: item.client,
    startTime: isoOf(zone, item.start),
    endTime: isoOf(zone, item.end),
    timeZone: item.timeZone,
    places: item.places,
    price: item.price,
    comment: item.comment,
    source: item.source,
    externalId: item.externalId,
    metadata: item.metadata,
    cancelledBy: item.cancelledBy,
    cancelReason: item.cancelReason,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    revision: item.revision,
  };
}

type CommonData = Omit<EventData<'booking.confirmed'>, 'confirmedBy'>;

/** What every `booking.*` event carries. No phone and no email. */
export function bookingData(booking: Booking): CommonData {
  return {
    bookingId: booking.id,
    status: booking.status,
    serviceName: booking.serviceName,
    staffName: booking.staffName,
    startTime: booking.startTime,
    serviceId: booking.serviceId,
    staffId: booking.staffId,
    clientId: booking.clientId,
    endTime: booking.endTime,
    timeZone: booking.timeZone,
    places: booking.places,
    externalId: booking.externalId,
    metadata: booking.metadata,
    revision: booking.revision,
  };
}

/** What a change of a booking makes of it. */
export function successorOf(before: BookingItem, changes: Partial<BookingItem>, at: number): BookingItem {
  return { ...before, ...changes, updatedAt: timestamp(at), revision: before.revision + 1 };
}

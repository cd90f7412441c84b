/**
 * A booking: the stored item, the response (docs/rules.md#bookings), and the data of its events
 * (docs/rules.md#event-data).
 */
import type { EventData } from '../../contract/events.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import type { TakenTime } from '../availability/calendar-time.ts';
import type { Interval } from '../availability/intervals.ts';
import type { Taking } from '../availability/occurrences.ts';
import { isoPrinter, zoneOf } from '../availability/zone.ts';
import { timestamp } from '../clock.ts';

/** A stored segment. Times are epoch minutes. */
export interface SegmentItem extends Interval {
  readonly serviceId: number;
  readonly serviceName: string;
  readonly staffId: number;
  readonly staffName: string;
  readonly price: Booking['price'];
  readonly resource?: { readonly id: number; readonly name: string };
}

type Derived = 'serviceId' | 'serviceName' | 'staffId' | 'staffName' | 'startTime' | 'endTime' | 'price' | 'segments';

/**
 * `start` to `end` is the whole appointment, in epoch minutes. `taken` is its time in calendars, buffers included. It
 * is stored, so that after a change of the service exactly the minutes are released that were taken.
 */
export interface BookingItem extends Omit<Booking, Derived>, Interval {
  /** The API key with which the booking was made; 0 for a booking by the business itself. */
  readonly madeBy: number;
  /** The session with which the booking was made, if any. */
  readonly sessionId?: number;
  readonly segments: readonly [SegmentItem, ...SegmentItem[]];
  readonly taken: readonly TakenTime[];
  /** The last move: the earlier time, and when and by whom the booking was moved. */
  readonly moved?: Moved;
  /** When the status changed, in epoch milliseconds; absent if the booking has never changed. */
  readonly statusAt?: number;
  /** Only of a class: the capacity of its occurrence at the time of the booking. */
  readonly capacity?: number;
}

/** The time and places to release when the booking is cancelled or moved. */
export function takingOf({ segments: [first], start, end, taken, places, capacity }: BookingItem): Taking {
  if (capacity === undefined) return { taken };
  const { serviceId, staffId, resource } = first;
  // Without the calendar, because a booking that joins an occurrence takes this time in each of its calendars.
  const { calendar: _, ...time } = taken[0] ?? { calendar: undefined, start, end };
  const of = { serviceId, staffId, start, end, taken: time, capacity, places };
  return { taken, of: { ...of, ...(resource && { resource }) } };
}

/** Whether any segment of the booking has one of these services or staff members. */
export function isOf(
  { segments }: Pick<BookingItem, 'segments'>,
  wanted: { serviceId?: number | undefined; staffId?: number | undefined },
): boolean {
  const has = (field: 'serviceId' | 'staffId') =>
    wanted[field] === undefined || segments.some((one) => one[field] === wanted[field]);
  return has('serviceId') && has('staffId');
}

function priceOf({ segments: [first, ...others] }: Pick<BookingItem, 'segments'>): Booking['price'] {
  const { amount, currency } = first.price;
  return { amount: others.reduce((sum, { price }) => sum + price.amount, amount), currency };
}

/** The data of an event about a move, and its time in epoch milliseconds. */
interface Moved
  extends Pick<
    EventData<'booking.rescheduled'>,
    'previousStartTime' | 'previousEndTime' | 'previousStaffId' | 'previousStaffIds' | 'rescheduledBy'
  > {
  readonly at: number;
}

export function toBooking(item: BookingItem): Booking {
  const print = isoPrinter(zoneOf(item.timeZone));
  const [first] = item.segments;
  return {
    id: item.id,
    status: item.status,
    serviceId: first.serviceId,
    serviceName: first.serviceName,
    staffId: first.staffId,
    staffName: first.staffName,
    clientId: item.clientId,
    client: item.client,
    startTime: print(item.start),
    endTime: print(item.end),
    timeZone: item.timeZone,
    segments: item.segments.map(({ start, end, resource, ...segment }) => ({
      serviceId: segment.serviceId,
      serviceName: segment.serviceName,
      staffId: segment.staffId,
      staffName: segment.staffName,
      startTime: print(start),
      endTime: print(end),
      resourceId: resource?.id ?? null,
      resourceName: resource?.name ?? null,
      price: segment.price,
    })),
    places: item.places,
    price: priceOf(item),
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

/** The data that every `booking.*` event contains: no phone and no email. */
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
    segments: booking.segments.map(({ price: _, ...segment }) => segment),
    timeZone: booking.timeZone,
    places: booking.places,
    externalId: booking.externalId,
    metadata: booking.metadata,
    revision: booking.revision,
  };
}

/** Who cancels or moves a booking, by the kind of the actor. */
export const changedBy = { key: 'integration', session: 'client', owner: 'staff' } as const;

/** The new state of a booking after a change. */
export function successorOf(before: BookingItem, changes: Partial<BookingItem>, at: number): BookingItem {
  const { status = before.status } = changes;
  const statusAt = status === before.status ? (before.statusAt ?? Date.parse(before.updatedAt)) : at;
  return { ...before, ...changes, statusAt, updatedAt: timestamp(at), revision: before.revision + 1 };
}

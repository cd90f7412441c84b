/**
 * How the items of a business correspond to its events. For each kind of item: its events, whether an item contains the
 * change of an event, and which events must exist for the state of an item.
 */
import type { Refund } from '../../contract/account/resources.ts';
import type { EventData, EventName } from '../../contract/events.ts';
import type { Payment } from '../../contract/integration/resources.ts';
import { type BookingItem, bookingData, toBooking } from '../bookings/booking.ts';
import { type ClientItem, clientData, revisionOf } from '../bookings/clients.ts';
import type { ServiceItem, StaffItem } from '../catalog/items.ts';
import { timestamp } from '../clock.ts';
import { receivedData, refundedData } from '../payments/payment.ts';
import { type ReviewItem, reviewData } from '../reviews/list.ts';
import type { Key } from '../store/key.ts';
import { records } from '../table-keys.ts';

/** An event that must exist for the state of an item. */
export type ImpliedEvent = {
  [N in EventName]: { readonly name: N; readonly data: EventData<N>; readonly at: number };
}[EventName];

/** The fields of an event's data that contain the id of the item and its revision. */
export type Data = Readonly<
  Record<
    'bookingId' | 'clientId' | 'reviewId' | 'paymentId' | 'refundId' | 'serviceId' | 'staffId' | 'revision',
    number
  >
> & { readonly updatedAt: string };

interface Kind<Item> {
  readonly events: readonly EventName[];
  readonly isOf: (key: Required<Key>) => boolean;
  readonly keyOf: (tenantId: number, data: Data) => Key;
  /** Whether the item, if it exists, contains the change of the event. */
  readonly has: (item: Item | undefined, data: Data, name: EventName) => boolean;
  /**
   * The events for an item that changed since a moment (epoch milliseconds); without a moment, the event that reports
   * its state. `parent` is the item to which it belongs.
   */
  readonly implied: (item: Item, since: number | undefined, parent: unknown) => readonly ImpliedEvent[];
  readonly parentOf?: (tenantId: number, item: Item) => Key;
}

const kind = <Item>(row: Kind<Item>) => row as Kind<never>;
const ms = Date.parse;
const skStartsWith = (prefix: string) => (key: Required<Key>) => key.sk.startsWith(prefix);
const pkEndsWith = (partition: string) => (key: Required<Key>) => key.pk.endsWith(partition);

export const kinds = {
  booking: kind<BookingItem>({
    events: [
      'booking.created',
      'booking.confirmed',
      'booking.rescheduled',
      'booking.cancelled',
      'booking.completed',
      'booking.no_show',
    ],
    isOf: skStartsWith(records.bookingPrefix),
    keyOf: (tenantId, { bookingId }) => records.booking(tenantId, bookingId),
    has: (item, { revision }) => item !== undefined && item.revision >= revision,
    implied: impliedByBooking,
  }),
  client: kind<ClientItem>({
    events: ['client.created', 'client.updated'],
    isOf: skStartsWith(records.clientPrefix),
    keyOf: (tenantId, { clientId }) => records.client(tenantId, clientId),
    has: (item, { revision }) => item !== undefined && revisionOf(item) >= revision,
    implied: impliedByClient,
  }),
  review: kind<ReviewItem>({
    events: ['review.created'],
    isOf: pkEndsWith('#REVIEWS'),
    keyOf: (tenantId, { reviewId }) => records.review(tenantId, reviewId),
    has: (item) => item !== undefined,
    parentOf: (tenantId, { bookingId }) => records.booking(tenantId, bookingId),
    implied: (item, _since, booking) => {
      if (!booking) return [];
      const data = reviewData(item, (booking as BookingItem).clientId);
      return [{ name: 'review.created', data, at: ms(item.createdAt) }];
    },
  }),
  payment: kind<Payment>({
    events: ['payment.received'],
    isOf: pkEndsWith('#PAYMENTS'),
    keyOf: (tenantId, { paymentId }) => records.payment(tenantId, paymentId),
    has: (item) => item !== undefined,
    implied: (item) => [{ name: 'payment.received', data: receivedData(item), at: ms(item.createdAt) }],
  }),
  refund: kind<Refund>({
    events: ['payment.refunded'],
    isOf: pkEndsWith('#REFUNDS'),
    keyOf: (tenantId, { paymentId, refundId }) => records.refund(tenantId, paymentId, refundId),
    has: (item) => item !== undefined,
    parentOf: (tenantId, { paymentId }) => records.payment(tenantId, paymentId),
    implied: (item, _since, payment) => {
      if (!payment) return [];
      return [{ name: 'payment.refunded', data: refundedData(item, payment as Payment), at: ms(item.refundedAt) }];
    },
  }),
  service: kind<ServiceItem>({
    events: ['service.updated', 'service.deleted'],
    isOf: skStartsWith(records.servicePrefix),
    keyOf: (tenantId, { serviceId }) => records.service(tenantId, serviceId),
    // A service that does not exist was deleted after the change.
    has: (item, { updatedAt }, name) =>
      name === 'service.deleted' ? item === undefined : item === undefined || item.updatedAt >= updatedAt,
    // A new service has no revision, and no event.
    implied: ({ id: serviceId, name, durationMinutes, price, active, updatedAt, revision = 0 }) => {
      if (revision === 0) return [];
      const changedFields = ['name', 'durationMinutes', 'price', 'active'];
      const data = { serviceId, name, durationMinutes, price, active, changedFields, updatedAt };
      return [{ name: 'service.updated', data, at: ms(updatedAt) }];
    },
  }),
  staff: kind<StaffItem & { readonly scheduleUpdatedAt?: string }>({
    events: ['staff.schedule_updated'],
    isOf: skStartsWith(records.staffPrefix),
    keyOf: (tenantId, { staffId }) => records.staff(tenantId, staffId),
    has: (item, { updatedAt }) => item === undefined || (item.scheduleUpdatedAt ?? '') >= updatedAt,
    implied: ({ id: staffId, name: staffName, scheduleUpdatedAt: updatedAt = '' }) => {
      const data = { staffId, staffName, from: null, to: null, updatedAt };
      return [{ name: 'staff.schedule_updated', data, at: ms(updatedAt) }];
    },
  }),
} satisfies Record<string, Kind<never>>;

export const kindOf: ReadonlyMap<string, Kind<never>> = new Map(
  Object.values(kinds).flatMap((one) => one.events.map((name) => [name, one] as const)),
);

/** The events that follow from the booking's current state: of several changes, only the last. */
function impliedByBooking(item: BookingItem, since: number | undefined): readonly ImpliedEvent[] {
  const { status, createdAt, updatedAt, statusAt = ms(updatedAt), moved } = item;
  const booking = toBooking(item);
  const data = bookingData(booking);
  const implied: ImpliedEvent[] = [];
  if (since === undefined ? status === 'pending' : ms(createdAt) >= since) {
    const created = { ...data, source: item.source, price: booking.price };
    implied.push({ name: 'booking.created', data: created, at: ms(createdAt) });
  }
  if (since !== undefined && moved && moved.at >= since) {
    const { at: movedAt, ...move } = moved;
    implied.push({ name: 'booking.rescheduled', data: { ...data, ...move }, at: movedAt });
  }
  if (since !== undefined && statusAt < since) return implied;
  const at = since === undefined ? ms(updatedAt) : statusAt;
  switch (status) {
    case 'confirmed': {
      const confirmedBy = statusAt === ms(createdAt) ? 'automatic' : 'staff';
      return [...implied, { name: 'booking.confirmed', data: { ...data, confirmedBy }, at }];
    }
    case 'cancelled': {
      const { cancelledBy, cancelReason: reason } = item;
      const cancelled = { ...data, cancelledBy: cancelledBy ?? 'staff', reason, cancelledAt: timestamp(at) };
      return [...implied, { name: 'booking.cancelled', data: cancelled, at }];
    }
    case 'completed':
      return [...implied, { name: 'booking.completed', data: { ...data, completedAt: timestamp(at) }, at }];
    case 'no_show':
      return [...implied, { name: 'booking.no_show', data: { ...data, markedAt: timestamp(at) }, at }];
    default:
      return implied;
  }
}

function impliedByClient(item: ClientItem, since: number | undefined): readonly ImpliedEvent[] {
  const { createdAt, updatedAt, erasedAt } = item;
  const data = clientData(item);
  const isNew = since !== undefined && ms(createdAt) >= since;
  const created: ImpliedEvent[] = isNew ? [{ name: 'client.created', data, at: ms(createdAt) }] : [];
  if (revisionOf(item) === 1 || (since !== undefined && ms(updatedAt) < since)) return created;
  const changedFields = ['name', 'phone', 'email'];
  const updated = { ...data, changedFields, updatedAt, erased: erasedAt !== undefined };
  return [...created, { name: 'client.updated', data: updated, at: ms(updatedAt) }];
}

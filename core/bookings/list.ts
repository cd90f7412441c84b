/** `GET /bookings` (docs/rules.md#lists): sorted by start, with filters, by cursor. */
import type { Booking } from '../../contract/resources.ts';
import { fail } from '../errors.ts';
import { listPage } from '../store/list.ts';
import { records } from '../table-keys.ts';
import { type BookingItem, toBooking } from './booking.ts';
import type { BookingStatus } from './state.ts';

export interface BookingsQuery {
  /** Instants: bookings that start at or after `from` and before `to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly status?: BookingStatus | undefined;
  readonly staffId?: number | undefined;
  readonly serviceId?: number | undefined;
  readonly clientId?: number | undefined;
  readonly updatedFrom?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** After every booking: later than any start that fits the key. */
const endOfTime = Number.MAX_SAFE_INTEGER;

export async function listBookings(
  { businessId }: { readonly businessId: number },
  { limit, cursor, ...filter }: BookingsQuery,
): Promise<{ data: Booking[]; nextCursor: string | null }> {
  const start = (instant: string) => Math.max(0, Math.ceil(Date.parse(instant) / 60_000));
  const { byStartPk, byStartSk: first } = records.bookingByStart(
    businessId,
    filter.from === undefined ? 0 : start(filter.from),
    0,
  );
  const { byStartSk: end } = records.bookingByStart(
    businessId,
    filter.to === undefined ? endOfTime : start(filter.to),
    0,
  );
  if (end < first) {
    throw fail('validation_failed', { details: [{ path: 'to', message: 'must not be before from' }] });
  }
  const { items, nextCursor } = await listPage<BookingItem>({
    query: {
      IndexName: 'byStart',
      KeyConditionExpression: 'byStartPk = :pk AND byStartSk BETWEEN :first AND :end',
      ExpressionAttributeValues: { ':pk': byStartPk, ':first': first, ':end': end },
    },
    scope: { businessId, list: 'bookings', ...filter },
    limit,
    cursor,
    matches: matching(filter),
    placeOf: (item) => `${item.start}.${item.id}`,
    keyAt: (place) => {
      const [at = 0, id = 0] = place.split('.').map(Number);
      return { ...records.booking(businessId, id), ...records.bookingByStart(businessId, at, id) };
    },
  });
  return { data: items.map(toBooking), nextCursor };
}

function matching(filter: Omit<BookingsQuery, 'limit' | 'cursor'>): (item: BookingItem) => boolean {
  const updatedFrom = filter.updatedFrom === undefined ? Number.NEGATIVE_INFINITY : Date.parse(filter.updatedFrom);
  return (item) =>
    (filter.status === undefined || item.status === filter.status) &&
    (filter.staffId === undefined || item.staffId === filter.staffId) &&
    (filter.serviceId === undefined || item.serviceId === filter.serviceId) &&
    (filter.clientId === undefined || item.clientId === filter.clientId) &&
    Date.parse(item.updatedAt) >= updatedFrom;
}

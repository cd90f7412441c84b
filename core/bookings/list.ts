/** `GET /bookings` (docs/rules.md#lists): sorted by start, with filters, by cursor. */

import type * as z from 'zod/mini';
import type { Booking } from '../../contract/integration/resources.ts';
import type { listBookings as row } from '../../contract/integration/routes.ts';
import { limits } from '../../contract/limits.ts';
import { type Index, indexes } from '../../contract/system/needs.ts';
import { invalid } from '../errors.ts';
import { onlyStaffId, type Principal } from '../principal.ts';
import { hashOf } from '../store/key.ts';
import { type CursorPage, listPage } from '../store/list.ts';
import { getRecords, inPartition, queryPage } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { type BookingItem, isOf, toBooking } from './booking.ts';
import { listChanges } from './changes.ts';

export type BookingsQuery = z.output<(typeof row)['query']>;

/** The position after every booking: later than any start that fits into the key. */
const endOfTime = Number.MAX_SAFE_INTEGER;

/** 400 `validation_failed` if `to` is before `from`, and for parameters that exclude each other. */
export async function listBookings(
  { tenantId, actor }: Principal,
  { limit, cursor, sort, ids, ...filters }: BookingsQuery,
): Promise<CursorPage<Booking> & { hasMore?: boolean }> {
  const filter = { ...filters, ownStaffId: onlyStaffId(actor) };
  const minute = (instant: string) => Math.max(0, Math.ceil(Date.parse(instant) / 60_000));
  const from = filter.from === undefined ? 0 : minute(filter.from);
  const to = filter.to === undefined ? endOfTime : minute(filter.to);
  if (to < from) throw invalid('to', 'must not be before from');
  const isInPeriod = ({ start }: BookingItem) => start >= from && start < to;
  const named = ids ?? (filter.externalId === undefined ? undefined : await idsBy(tenantId, filter.externalId));
  if (named) {
    const path = cursor === undefined ? sort && 'sort' : 'cursor';
    if (path) throw invalid(path, 'cannot be combined with ids or externalId');
    const found = await getRecords<BookingItem>([...new Set(named)].map((id) => records.booking(tenantId, id)));
    const items = found.flatMap((item) => (item && isInPeriod(item) && matching(filter)(item) ? [item] : []));
    const sorted = items.sort((a, b) => a.start - b.start || a.id - b.id);
    return { data: sorted.map(toBooking), nextCursor: null };
  }
  if (sort) {
    const { updatedFrom, ...rest } = filter;
    const { items, ...page } = await listChanges<BookingItem>({
      ...{ tenantId, kind: 'BOOKING', itemKey: (id) => records.booking(tenantId, id), updatedFrom, limit, cursor },
      filter: rest,
      matches: (item) => isInPeriod(item) && matching(rest)(item),
    });
    return { data: items.map(toBooking), ...page };
  }
  return listByStart(tenantId, filter, { from, to }, { limit, cursor });
}

/** The bookings that start in a period, in epoch minutes, from the index of the business or of one client. */
function listByStart(
  tenantId: number,
  filter: Filter,
  { from, to }: { readonly from: number; readonly to: number },
  page: Pick<BookingsQuery, 'limit' | 'cursor'>,
): Promise<CursorPage<Booking>> {
  const { clientId } = filter;
  const index: Index = clientId === undefined ? 'byStart' : 'byClient';
  /** The index key of a booking with this start, in epoch minutes. */
  const indexKeyAt = (start: number, id: number): Readonly<Record<string, string>> =>
    clientId === undefined
      ? records.bookingByStart(tenantId, start, id)
      : records.bookingByClient(tenantId, clientId, start, id);
  const { partitionKey, sortKey } = indexes[index];
  const [first, end] = [indexKeyAt(from, 0), indexKeyAt(to, 0)];
  return listPage<BookingItem, Booking>({
    query: {
      IndexName: index,
      KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} BETWEEN :first AND :end`,
      ExpressionAttributeValues: { ':pk': first[partitionKey], ':first': first[sortKey], ':end': end[sortKey] },
    },
    scope: { tenantId, list: 'bookings', ...filter },
    ...page,
    matches: matching(filter),
    show: toBooking,
    positionOf: (item) => `${item.start}.${item.id}`,
    keyAt: (position) => {
      const [at = 0, id = 0] = position.split('.').map(Number);
      return { ...records.booking(tenantId, id), ...indexKeyAt(at, id) };
    },
  });
}

/** The newest bookings with an `externalId`. */
async function idsBy(tenantId: number, externalId: string): Promise<number[]> {
  const query = {
    ...inPartition(records.tenant(tenantId), records.bookingReferences(hashOf(externalId))),
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: limits.idsPerList,
  };
  const { items } = await queryPage<{ readonly sk: string }>('records', query);
  return items.map(({ sk }) => Number(sk.slice(sk.lastIndexOf('#') + 1)));
}

/** What a booking must be to be listed. `ownStaffId` is the only staff member whose bookings the caller may see. */
interface Filter extends Omit<BookingsQuery, 'limit' | 'cursor' | 'ids' | 'sort'> {
  readonly ownStaffId: number | undefined;
}

function matching(filter: Filter): (item: BookingItem) => boolean {
  const updatedFrom = filter.updatedFrom === undefined ? Number.NEGATIVE_INFINITY : Date.parse(filter.updatedFrom);
  return (item) =>
    (filter.status === undefined || item.status === filter.status) &&
    isOf(item, filter) &&
    isOf(item, { staffId: filter.ownStaffId }) &&
    (filter.clientId === undefined || item.clientId === filter.clientId) &&
    (filter.externalId === undefined || item.externalId === filter.externalId) &&
    Date.parse(item.updatedAt) >= updatedFrom;
}

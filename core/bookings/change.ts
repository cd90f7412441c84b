/** Reads a booking, and changes it on the condition that its revision is the one that was read. */
import type { Booking } from '../../contract/integration/resources.ts';
import { fail } from '../errors.ts';
import { canSeePersonalData, holderId, onlyStaffId, type Principal } from '../principal.ts';
import { isNew } from '../store/expected.ts';
import { hashOf } from '../store/key.ts';
import { loadItem } from '../store/read.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { put, remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { type BookingItem, isOf, toBooking } from './booking.ts';
import { changeEntry } from './changes.ts';

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export function loadBooking({ tenantId }: Pick<Principal, 'tenantId'>, id: number): Promise<BookingItem> {
  return loadItem(records.booking(tenantId, id));
}

/** `GET /bookings/:id`. 404 `not_found`. */
export async function getBooking(principal: Principal, { id }: { id: number }): Promise<Booking> {
  const item = await loadBooking(principal, id);
  if (!isReachedBy(principal, item)) throw fail('not_found');
  return toBooking(item);
}

/** The writes of a booking that is new (revision 1), or that replaces the booking that was read. */
export function bookingWrites(tenantId: number, item: BookingItem, before?: BookingItem): Write[] {
  return [
    bookingPut(tenantId, item, before),
    changeEntry(tenantId, 'BOOKING', item),
    ...referenceWrites(tenantId, item, before?.externalId ?? null),
  ];
}

/** An additional item by which a booking is found by its `externalId`. */
function referenceWrites(tenantId: number, { id, externalId }: BookingItem, before: string | null): Write[] {
  if (externalId === before) return [];
  const entry = (reference: string) => records.bookingByReference(tenantId, hashOf(reference), id);
  return [
    ...(before === null ? [] : [remove('records', entry(before))]),
    ...(externalId === null ? [] : [put('records', entry(externalId))]),
  ];
}

/** Writes on the condition of the revision that was read, or that the booking is new. */
export function bookingPut(tenantId: number, item: BookingItem, before?: BookingItem): Write {
  const stored = {
    ...item,
    ...records.booking(tenantId, item.id),
    ...records.bookingByStart(tenantId, item.start, item.id),
    ...records.bookingByClient(tenantId, item.clientId, item.start, item.id),
  };
  return put('records', stored, before ? { revision: before.revision } : isNew);
}

/**
 * The result of a decision about a booking: the new version of the booking with all writes of the change, or no change,
 * or that the booking has changed since it was read.
 */
export type BookingChange = { readonly item: BookingItem; readonly writes: readonly Write[] } | 'unchanged' | 'stale';

/**
 * Reads a booking, decides, and commits the booking with the other writes in one transaction. If another change was
 * committed first, the booking is read and decided again. So of two changes that exclude each other, one succeeds, and
 * the other is decided by the new state. `decide` returns a `successorOf` the booking that it gets. 404 `not_found`.
 */
export function changeBooking(
  principal: Principal | Pick<Principal, 'tenantId'>,
  id: number,
  decide: (item: BookingItem) => Promise<BookingChange> | BookingChange,
  commit: Commit = commitWithRetry,
): Promise<Booking> {
  return commit(async () => {
    const before = await loadBooking(principal, id);
    if ('actor' in principal && !isReachedBy(principal, before)) throw fail('not_found');
    const decision = await decide(before);
    if (decision === 'stale') return decision;
    if (decision === 'unchanged') return { writes: [], result: toBooking(before) };
    const { item, writes } = decision;
    return { writes: [...bookingWrites(principal.tenantId, item, before), ...writes], result: toBooking(item) };
  });
}

/**
 * Whether a booking exists for a principal. An owner may see all bookings, and so may a key with permission to see
 * personal data; a `member` sees the member's own. Any other key sees the bookings that it made; a session sees those
 * that it made, and the one for which it was opened.
 */
export function isReachedBy(principal: Principal, item: BookingItem): boolean {
  const { actor } = principal;
  const { id, madeBy, sessionId } = item;
  if (actor.kind === 'session') return sessionId === actor.id || id === actor.bookingId;
  if (actor.kind === 'owner') return isOf(item, { staffId: onlyStaffId(actor) });
  return canSeePersonalData(actor) || madeBy === holderId(principal);
}

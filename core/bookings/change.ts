/** Reading one booking, and changing one under the revision that was read. */
import { createHash } from 'node:crypto';
import type { Booking } from '../../contract/integration/resources.ts';
import { fail } from '../errors.ts';
import { canSeePersonalData, holderId, onlyStaffId, type Principal } from '../principal.ts';
import { isNew } from '../store/expected.ts';
import { loadItem } from '../store/read.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { put, remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { type BookingItem, isOf, toBooking } from './booking.ts';
import { changeEntry } from './changes.ts';

/** 404 `not_found` for an unknown id and for one of another tenant alike. */
export function loadBooking({ tenantId }: Pick<Principal, 'tenantId'>, id: number): Promise<BookingItem> {
  return loadItem('records', records.booking(tenantId, id));
}

/** `GET /bookings/:id`. */
export async function getBooking(principal: Principal, { id }: { id: number }): Promise<Booking> {
  const item = await loadBooking(principal, id);
  if (!isReachedBy(principal, item)) throw fail('not_found');
  return toBooking(item);
}

/** The writes of a booking: new (revision 1), or the successor of what was read. */
export function bookingWrites(tenantId: number, item: BookingItem, before?: BookingItem): Write[] {
  return [
    bookingPut(tenantId, item, before),
    changeEntry(tenantId, 'BOOKING', item),
    ...referenceWrites(tenantId, item, before?.externalId ?? null),
  ];
}

/** SHA-256 in hex, of a text that is part of a key: neither its length nor its characters matter there. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A booking is found by its `externalId` through an entry of its own. */
function referenceWrites(tenantId: number, { id, externalId }: BookingItem, before: string | null): Write[] {
  if (externalId === before) return [];
  const entry = (reference: string) => records.bookingByReference(tenantId, hashOf(reference), id);
  return [
    ...(before === null ? [] : [remove('records', entry(before))]),
    ...(externalId === null ? [] : [put('records', entry(externalId))]),
  ];
}

/** Under the revision before it, which is one less unless another is named. */
export function bookingPut(tenantId: number, item: BookingItem, before?: BookingItem): Write {
  const stored = {
    ...item,
    ...records.booking(tenantId, item.id),
    ...records.bookingByStart(tenantId, item.start, item.id),
    ...records.bookingByClient(tenantId, item.clientId, item.start, item.id),
  };
  return put('records', stored, item.revision === 1 ? isNew : { revision: before?.revision ?? item.revision - 1 });
}

/**
 * What a decision makes of a booking: its successor and the writes that belong to the change; or nothing at all; or that
 * the booking changed while the rest was read.
 */
export type BookingChange = { readonly item: BookingItem; readonly writes: readonly Write[] } | 'unchanged' | 'stale';

/**
 * Reads a booking, decides, and commits booking and writes in one transaction; when another change came first, reads
 * and decides again. `decide` returns a `successorOf` what it is given. So of two changes that exclude each other one
 * wins, and the other is judged by the new state.
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
    if (decision === 'unchanged') return { writes: [], answer: toBooking(before) };
    const { item, writes } = decision;
    return { writes: [...bookingWrites(principal.tenantId, item, before), ...writes], answer: toBooking(item) };
  });
}

/**
 * A key that may not see personal data reaches what was made through it, a session what it made or is for, and a `member`
 * the member's own; other bookings do not exist for them.
 */
export function isReachedBy(principal: Principal, item: BookingItem): boolean {
  const { actor } = principal;
  const { id, madeBy, sessionId } = item;
  if (actor.kind === 'session') return sessionId === actor.id || id === actor.bookingId;
  if (actor.kind === 'owner') return isOf(item, { staffId: onlyStaffId(actor) });
  return canSeePersonalData(actor) || madeBy === holderId(principal);
}

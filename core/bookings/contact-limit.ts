/**
 * Limits the bookings for one phone or email through a key without `bookings:read`, such as the key of a website: a few
 * upcoming bookings, which must not overlap (docs/rules.md#bookings). Only bookings of that key count, so a refusal
 * reveals nothing about other bookings. A dry run is not limited: it would show, without a trace, when another visitor
 * of the website has a booking.
 */
import { limits } from '../../contract/limits.ts';
import { overlaps } from '../availability/intervals.ts';
import { fail } from '../errors.ts';
import { canSeePersonalData, keyIdOf, type Principal } from '../principal.ts';
import { getRecords } from '../store/read.ts';
import { put, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { BookingItem } from './booking.ts';
import { contactHashes } from './clients.ts';
import { isOpen } from './state.ts';

/**
 * The upcoming bookings for one contact through one key. They can belong to several clients: a contact of one client
 * may be sent with a booking for another.
 */
interface ContactBookings {
  readonly ids: readonly number[];
  readonly version: number;
}

/**
 * The writes that count a new or moved booking. They commit only if the other bookings have not changed since they were
 * read. A principal that may see personal data is not limited. If such a principal, or a link to the booking, moves a
 * booking, it still counts for the key that made it. That key's bookings also limit the link. 409
 * `contact_limit_reached`. `at` in epoch milliseconds.
 */
export async function contactLimitWrites(principal: Principal, item: BookingItem, at: number): Promise<Write[]> {
  const { tenantId, actor } = principal;
  const isFree = canSeePersonalData(actor);
  const isOfOthers = isFree || (actor.kind === 'session' && actor.bookingId !== undefined);
  const keyId = isOfOthers ? item.madeBy : keyIdOf(principal);
  const isNew = item.revision === 1;
  if (isOfOthers && (isNew || keyId === 0)) return [];
  const hashes = contactHashes(tenantId, item.client);
  const keys = hashes.map((hash) => records.contactOfKey(tenantId, keyId, hash));
  const stored = await getRecords<ContactBookings>(keys);
  if (isOfOthers && !stored.some((one) => one?.ids.includes(item.id))) return [];
  const ids = [...new Set(stored.flatMap((one) => one?.ids ?? []))].filter((id) => id !== item.id);
  const bookings = await getRecords<BookingItem>(ids.map((id) => records.booking(tenantId, id)));
  const ahead = new Map(bookings.flatMap((one) => (one && isAhead(one, at) ? [[one.id, one] as const] : [])));
  return keys.map((key, i) => {
    const others = (stored[i]?.ids ?? []).flatMap((id) => ahead.get(id) ?? []);
    if (
      !isFree &&
      (others.length >= limits.upcomingBookingsPerContact || others.some((other) => overlaps(other, item)))
    ) {
      throw fail('contact_limit_reached');
    }
    const version = stored[i]?.version;
    const last = Math.max(item.end, ...others.map(({ end }) => end));
    const counted = {
      ids: [...others.map(({ id }) => id), item.id],
      version: (version ?? 0) + 1,
      contact: hashes[i],
      clientIds: [...new Set([...others.map(({ clientId }) => clientId), item.clientId])],
      expiresAtSeconds: last * 60,
    };
    return put('records', { ...key, ...counted }, { version });
  });
}

function isAhead(booking: BookingItem, at: number): boolean {
  return isOpen(booking) && booking.end * 60_000 > at;
}

/** Limits the bookings of a session (docs/rules.md#sessions). */
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { set, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { SessionRecord } from './session.ts';

/** 403 `insufficient_scope` for a session that has made all its bookings. */
export async function assertBookingsLeft({ tenantId, actor }: Principal): Promise<void> {
  if (actor.kind === 'session') await loadBookingsLeft(tenantId, actor.id);
}

/**
 * The write that counts a new booking, for the booking's transaction; none for keys and owners. 403
 * `insufficient_scope` if the session has made all its bookings.
 */
export async function sessionBookingWrites({ tenantId, actor }: Principal, bookingId: number): Promise<Write[]> {
  if (actor.kind !== 'session') return [];
  const bookingsLeft = await loadBookingsLeft(tenantId, actor.id);
  const changes = { bookingsLeft: bookingsLeft - 1, lastBookingId: bookingId };
  return [set('records', records.session(tenantId, actor.id), changes, { bookingsLeft })];
}

async function loadBookingsLeft(tenantId: number, id: number): Promise<number> {
  const session = await getItem<SessionRecord>('records', records.session(tenantId, id));
  const { bookingsLeft = 0, lastBookingId: bookingId } = session ?? {};
  if (bookingsLeft > 0) return bookingsLeft;
  const details = bookingId === undefined ? undefined : { bookingId };
  throw fail('insufficient_scope', { message: 'This session has made all its bookings.', details });
}

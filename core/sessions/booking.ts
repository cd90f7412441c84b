/** Limits the bookings of a session (docs/rules.md#sessions). */
import { fail } from '../errors.ts';
import { holderId, type Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { set, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { SessionRecord } from './session.ts';

/**
 * A session that may still make bookings; undefined for keys and owners, who have no such limit. 401 `api_key_invalid`
 * if the session was deleted during the request, 403 `insufficient_scope` if it has made all its bookings.
 */
export async function bookingSession({ tenantId, actor }: Principal): Promise<SessionRecord | undefined> {
  if (actor.kind !== 'session') return undefined;
  const session = await getItem<SessionRecord>('records', records.session(tenantId, actor.id));
  if (!session) throw fail('api_key_invalid', 'The session was deleted.');
  if (session.bookingsLeft > 0) return session;
  const bookingId = session.lastBookingId;
  const details = bookingId === undefined ? undefined : { bookingId };
  throw fail('insufficient_scope', { message: 'This session has made all its bookings.', details });
}

/** The write that counts a new booking of a session, for the booking's transaction. */
export function sessionBookingWrites(
  principal: Principal,
  session: SessionRecord | undefined,
  bookingId: number,
): Write[] {
  if (session === undefined) return [];
  const { bookingsLeft } = session;
  const changes = { bookingsLeft: bookingsLeft - 1, lastBookingId: bookingId };
  return [set('records', records.session(principal.tenantId, holderId(principal)), changes, { bookingsLeft })];
}

/** That a booker makes no more bookings than its session allows (docs/rules.md#sessions). */
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { set, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { SessionRecord } from './session.ts';

/**
 * The write that counts a new booking, in the booking's own transaction; none for keys and owners. 403
 * `insufficient_scope` when nothing is left.
 */
export async function sessionBookingWrites({ tenantId, actor }: Principal): Promise<Write[]> {
  if (actor.kind !== 'session') return [];
  const key = records.session(tenantId, actor.id);
  const bookingsLeft = (await getItem<SessionRecord>('records', key))?.bookingsLeft ?? 0;
  if (bookingsLeft < 1) throw fail('insufficient_scope', { message: 'This session has made all its bookings.' });
  return [set('records', key, { bookingsLeft: bookingsLeft - 1 }, { bookingsLeft })];
}

/**
 * `POST /bookings/:id/reschedule` (docs/rules.md#bookings): the same booking at another time or with another staff
 * member.
 */
import type { Booking } from '../../contract/integration/resources.ts';
import { findOffer, loadMembers, type Member, reachOf, takingAt } from '../availability/load.ts';
import { slotUnavailable } from '../availability/next-available.ts';
import { leave, take } from '../availability/occurrences.ts';
import { loadStaffTime, type StaffTime, timeWrites } from '../availability/staff-time.ts';
import { staffStays } from '../catalog/staff-revision.ts';
import { now } from '../clock.ts';
import { fail } from '../errors.ts';
import { outboxPut, raise } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { type Commit, commitWithRetry, dryRun } from '../store/transact.ts';
import { type BookingItem, bookingData, successorOf, toBooking } from './booking.ts';
import { type BookingChange, changeBooking, loadBooking } from './change.ts';
import { contactLimitWrites } from './contact-limit.ts';
import { statusAfter } from './state.ts';

export interface Move {
  readonly startTime: string;
  /** Left out: the staff member stays. */
  readonly staffId?: number | undefined;
  readonly dryRun?: boolean | undefined;
  /** Of an owner alone. */
  readonly outsideRules?: boolean | undefined;
}

/**
 * Gives the old time back and takes the new one in one transaction; the booking's own time does not stand in its way.
 * How long it takes follows the service as it is now, as the listed slots do. A move to where it already is changes
 * nothing. Errors: 404 `not_found`, 409 `invalid_state` (also when the service is deleted), 409 `slot_unavailable`,
 * 409 `contact_limit_reached`. With `dryRun` the answer is the same, and nothing is written.
 */
export function rescheduleBooking(
  principal: Principal,
  { id }: { readonly id: number },
  move: Move,
  commit: Commit = commitWithRetry,
): Promise<Booking> {
  return changeBooking(principal, id, (before) => decide(principal, before, move), move.dryRun ? dryRun : commit);
}

const rescheduledBy = { key: 'integration', session: 'client', owner: 'staff' } as const;

async function decide(principal: Principal, before: BookingItem, move: Move): Promise<BookingChange> {
  const { tenantId, actor } = principal;
  const at = now();
  const status = statusAfter('reschedule', before.status);
  const start = Date.parse(move.startTime) / 60_000;
  const staffId = move.staffId ?? before.staffId;
  if (start === before.start && staffId === before.staffId) return 'unchanged';

  const starts = { start: Math.floor(start), end: Math.floor(start) + 1 };
  const offer = await findOffer(principal, before.serviceId);
  if (!offer)
    throw fail('invalid_state', { message: 'The service of this booking is deleted: it has no other times.' });
  const [[member], old] = await Promise.all([
    loadMembers(offer, staffId, reachOf(offer, starts)),
    loadStaffTime(tenantId, before.staffId, before.taken),
  ]);
  const stays = staffId === before.staffId;
  const known = stays && member ? { ...old, days: new Map([...old.days, ...member.days]) } : old;
  const freed = leave(known, before);
  if (typeof freed === 'string') return 'stale';

  const target: Member | undefined = member && stays ? { ...member, days: freed.days } : member;
  const taking =
    target && takingAt(offer, target, start, at, { places: before.places, outsideRules: move.outsideRules });
  if (!target || !taking) {
    // What takes the time may be this booking, which another request has moved there.
    const { revision } = await loadBooking({ tenantId }, before.id);
    if (revision !== before.revision) return 'stale';
    throw await slotUnavailable(offer, staffId, start, at, before.places);
  }
  const { capacity: _, ...rest } = before;
  const changes = {
    status,
    staffId,
    staffName: target.staff.name,
    timeZone: offer.business.timeZone,
    start,
    end: taking.end,
    taken: taking.taken,
    ...(taking.capacity !== undefined && { capacity: taking.capacity }),
  };
  const item = successorOf(rest, changes, at);
  const contactWrites = await contactLimitWrites(principal, item, at);
  const into: StaffTime = stays ? freed : { tenantId, staffId, days: target.days };
  const taken = take(into, taking, at);
  if (typeof taken === 'string') throw new Error('A free start overlaps what is taken');
  const previous = toBooking(before);
  const moved = raise(
    tenantId,
    'booking.rescheduled',
    {
      ...bookingData(toBooking(item)),
      previousStartTime: previous.startTime,
      previousEndTime: previous.endTime,
      previousStaffId: before.staffId,
      rescheduledBy: rescheduledBy[actor.kind],
    },
    at,
  );
  return {
    item,
    writes: [
      ...(stays ? [] : timeWrites(freed)),
      ...timeWrites(taken),
      staffStays(tenantId, target.staff, offer.business.timeZone),
      ...contactWrites,
      outboxPut(moved),
    ],
  };
}

/** `POST /bookings/:id/reschedule` (docs/rules.md#bookings): moves a booking to another time or staff member. */
import type * as z from 'zod/mini';
import type { rescheduleBooking as row } from '../../contract/account/routes.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import { loadTaken, timeWrites, together, withDaysOf } from '../availability/calendar-time.ts';
import { minuteOf } from '../availability/intervals.ts';
import { classesInVisit, findOffer, loadChoices, reachOf } from '../availability/load.ts';
import { slotUnavailable } from '../availability/next-available.ts';
import { leave, take } from '../availability/occurrences.ts';
import { choiceAt } from '../availability/starts.ts';
import { now } from '../clock.ts';
import { ApiError, fail } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { type Commit, commitWithRetry, dryRun } from '../store/transact.ts';
import { type BookingItem, bookingData, changedBy, successorOf, takingOf, toBooking } from './booking.ts';
import { type BookingChange, changeBooking, loadBooking } from './change.ts';
import { bookedTimeFields, choiceUnchanged } from './chosen-staff.ts';
import { contactLimitWrites } from './contact-limit.ts';
import { statusAfter } from './state.ts';

type Move = z.output<(typeof row)['body']>;

/**
 * Releases the old time and takes the new one in one transaction; the booking's own time counts as free. The moved
 * booking has the current duration of its service, like the listed slots. A move to the current time changes nothing.
 * Errors: 404 `not_found`, 409 `invalid_state` (also for a deleted service or staff member, for a class in a visit, and
 * for a session if the booking has begun), 409 `slot_unavailable`, 409 `contact_limit_reached`. With `dryRun` the
 * response is the same, except for `contact_limit_reached`, and nothing is written.
 */
export function rescheduleBooking(
  principal: Principal,
  { id }: { readonly id: number },
  move: Move,
  commit: Commit = commitWithRetry,
): Promise<Booking> {
  return changeBooking(principal, id, (before) => decide(principal, before, move), move.dryRun ? dryRun : commit);
}

async function decide(principal: Principal, before: BookingItem, move: Move): Promise<BookingChange> {
  const { tenantId, actor } = principal;
  const at = now();
  const status = statusAfter('reschedule', before.status);
  const start = Date.parse(move.startTime) / 60_000;
  const requested = before.segments.map(({ serviceId, staffId }) => ({ serviceId, staffId: move.staffId ?? staffId }));
  const stays = before.segments.every(({ staffId }, i) => staffId === requested[i]?.staffId);
  if (start === before.start && stays) return 'unchanged';
  if (actor.kind === 'session' && before.start * 60_000 <= at)
    throw fail('invalid_state', 'The appointment has already begun.');

  // Without `staffId` a booking keeps its staff members, even those that the session does not include.
  const keeps = actor.kind === 'session' && move.staffId === undefined;
  const offeredTo = keeps ? { ...actor, staffIds: requested.map(({ staffId }) => staffId) } : actor;
  const offer = await findOffer({ tenantId, actor: offeredTo }, requested);
  if (!offer) throw fail('invalid_state', 'The booking cannot be moved, because its service was deleted.');
  if (classesInVisit(offer).length > 0)
    throw fail('invalid_state', 'The visit cannot be moved, because one of its services is now a class.');
  const reach = reachOf(offer, minuteOf(start));
  // The staff members of a booking exist for everybody who can move it, unless they are deleted.
  const whyNotFound = (error: unknown) => {
    if (move.staffId !== undefined || !(error instanceof ApiError && error.code === 'not_found')) throw error;
    throw fail('invalid_state', 'The staff member of this booking was deleted: send the staffId of another one.');
  };
  const [choices, old] = await Promise.all([
    loadChoices(offer, reach).catch(whyNotFound),
    loadTaken(tenantId, before.taken),
  ]);
  const freed = leave(together(choices.calendars, old), takingOf(before));
  if (typeof freed === 'string') return 'stale';
  const { places } = before;
  const choice = choiceAt({ ...choices, calendars: freed }, start, at, { places, outsideRules: move.outsideRules });
  if (!choice) {
    // The time may be taken by this booking itself, if another request has already moved it there.
    const { revision } = await loadBooking({ tenantId }, before.id);
    if (revision !== before.revision) return 'stale';
    throw await slotUnavailable(offer, start, at, places, takingOf(before));
  }
  const { capacity: _, ...rest } = before;
  const times = bookedTimeFields(offer, choice, (_part, i) => {
    const { serviceName, price } = before.segments[i] ?? before.segments[0];
    return { serviceName, price };
  });
  const previous = toBooking(before);
  const previously = {
    previousStartTime: previous.startTime,
    previousEndTime: previous.endTime,
    previousStaffId: previous.staffId,
    previousStaffIds: previous.segments.map(({ staffId }) => staffId),
    rescheduledBy: changedBy[actor.kind],
  };
  const changes = { status, timeZone: offer.business.timeZone, moved: { ...previously, at }, ...times };
  const item = successorOf(rest, changes, at);
  const contactWrites = move.dryRun ? [] : await contactLimitWrites(principal, item, at);
  const taken = take(await withDaysOf(freed, reach, choice.taking.taken), choice.taking, at);
  if (typeof taken === 'string') throw new Error('A free start overlaps what is taken');
  const moved = eventPut(tenantId, 'booking.rescheduled', { ...bookingData(toBooking(item)), ...previously }, at);
  return { item, writes: [...timeWrites(taken), ...choiceUnchanged(offer, choice), ...contactWrites, moved] };
}

/** Slots (docs/rules.md#slots), also for moving a booking, possibly to a time that overlaps its current one. */
import { type ExplainQuery, explainSlot } from '../availability/explain.ts';
import { listSlotDays } from '../availability/list-slot-days.ts';
import { listSlots, type SlotsQuery } from '../availability/list-slots.ts';
import type { Taking } from '../availability/occurrences.ts';
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { takingOf } from './booking.ts';
import { isReachedBy, loadBooking } from './change.ts';

interface Moving {
  /** The id of the booking to be moved: its time counts as free. */
  readonly movingBookingId?: number | undefined;
}

/** `GET /slots`. Errors: those of `listSlots`, and 404 `not_found` for an unknown booking. */
export async function listFreeSlots(
  principal: Principal,
  { movingBookingId, ...query }: SlotsQuery & Moving,
): ReturnType<typeof listSlots> {
  return listSlots(principal, query, await freedBy(principal, movingBookingId));
}

/** `GET /slots/days`. Errors: those of `listSlotDays`, and 404 `not_found` for an unknown booking. */
export async function listFreeDays(
  principal: Principal,
  { movingBookingId, ...query }: SlotsQuery & Moving,
): ReturnType<typeof listSlotDays> {
  return listSlotDays(principal, query, await freedBy(principal, movingBookingId));
}

/** `GET /slots/explain`. Errors: those of `explainSlot`, and 404 `not_found` for an unknown booking. */
export async function explainFreeSlot(
  principal: Principal,
  { movingBookingId, ...query }: ExplainQuery & Moving,
): ReturnType<typeof explainSlot> {
  return explainSlot(principal, query, await freedBy(principal, movingBookingId));
}

async function freedBy(principal: Principal, bookingId: number | undefined): Promise<Taking | undefined> {
  if (bookingId === undefined) return undefined;
  const moving = await loadBooking(principal, bookingId);
  if (!isReachedBy(principal, moving)) throw fail('not_found');
  // Another booking may now have exactly the time that a cancelled booking had.
  return moving.status === 'cancelled' ? undefined : takingOf(moving);
}

/**
 * Slots for an owner (docs/rules.md#slots) who wants to move a booking, possibly to a time that overlaps its current
 * one.
 */
import { type ExplainQuery, explainSlot } from '../availability/explain.ts';
import { listSlots, type SlotsQuery } from '../availability/list-slots.ts';
import type { Taking } from '../availability/occurrences.ts';
import type { Principal } from '../principal.ts';
import { takingOf } from './booking.ts';
import { loadBooking } from './change.ts';

interface Moving {
  /** The id of the booking to be moved: its time counts as free. */
  readonly movingBookingId?: number | undefined;
}

/** `GET /slots`. Errors: those of `listSlots`, and 404 `not_found` for an unknown booking. */
export async function listMoves(
  principal: Principal,
  { movingBookingId, ...query }: SlotsQuery & Moving,
): ReturnType<typeof listSlots> {
  return listSlots(principal, query, await takenBy(principal, movingBookingId));
}

/** `GET /slots/explain`. Errors: those of `explainSlot`, and 404 `not_found` for an unknown booking. */
export async function explainMove(
  principal: Principal,
  { movingBookingId, ...query }: ExplainQuery & Moving,
): ReturnType<typeof explainSlot> {
  return explainSlot(principal, query, await takenBy(principal, movingBookingId));
}

async function takenBy(principal: Principal, bookingId: number | undefined): Promise<Taking | undefined> {
  const moving = bookingId === undefined ? undefined : await loadBooking(principal, bookingId);
  // Another booking may now have exactly the time that a cancelled booking had.
  return moving && moving.status !== 'cancelled' ? takingOf(moving) : undefined;
}

/** Slots for an owner (docs/rules.md#slots), who may move a booking to a time that overlaps the one it has. */
import { type ExplainQuery, type Explanation, explainSlot } from '../availability/explain.ts';
import { listSlots, type SlotsQuery } from '../availability/list-slots.ts';
import type { Taking } from '../availability/occurrences.ts';
import type { Principal } from '../principal.ts';
import { takingOf } from './booking.ts';
import { loadBooking } from './change.ts';

interface Moving {
  /** The time that this booking takes counts as free. */
  readonly movingBookingId?: number | undefined;
}

/** `GET /slots`. Errors: those of `listSlots`, and 404 `not_found` for a booking that the tenant does not have. */
export async function listMoves(
  principal: Principal,
  { movingBookingId, ...query }: SlotsQuery & Moving,
): ReturnType<typeof listSlots> {
  return listSlots(principal, query, await takenBy(principal, movingBookingId));
}

/** `GET /slots/explain`. Errors: those of `explainSlot`, and 404 likewise. */
export async function explainMove(
  principal: Principal,
  { movingBookingId, ...query }: ExplainQuery & Moving,
): Promise<Explanation> {
  return explainSlot(principal, query, await takenBy(principal, movingBookingId));
}

async function takenBy(principal: Principal, bookingId: number | undefined): Promise<Taking | undefined> {
  const moving = bookingId === undefined ? undefined : await loadBooking(principal, bookingId);
  // What a cancelled booking took may be exactly what another one takes now.
  return moving && moving.status !== 'cancelled' ? takingOf(moving) : undefined;
}

/** `GET /slots` of an owner (docs/rules.md#slots), who may move a booking to a time that overlaps the one it has. */
import { listSlots, type SlotsQuery } from '../availability/list-slots.ts';
import type { Principal } from '../principal.ts';
import { loadBooking } from './change.ts';

export interface MovesQuery extends SlotsQuery {
  /** The time that this booking takes counts as free. */
  readonly movingBookingId?: number | undefined;
}

/** Errors: those of `listSlots`, and 404 `not_found` for a booking that the tenant does not have. */
export async function listMoves(
  principal: Principal,
  { movingBookingId, ...query }: MovesQuery,
): ReturnType<typeof listSlots> {
  const moving = movingBookingId === undefined ? undefined : await loadBooking(principal, movingBookingId);
  // What a cancelled booking took may be exactly what another one takes now.
  return listSlots(principal, query, moving?.status === 'cancelled' ? undefined : moving);
}

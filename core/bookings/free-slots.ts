/** Slots (docs/rules.md#slots), also for moving a booking, possibly to a time that overlaps its current one. */
import { explainSlot } from '../availability/explain.ts';
import { listSlotDays } from '../availability/list-slot-days.ts';
import { listSlots } from '../availability/list-slots.ts';
import type { Taking } from '../availability/occurrences.ts';
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { takingOf } from './booking.ts';
import { isReachedBy, loadBooking } from './change.ts';

interface Moving {
  /** The id of the booking to be moved: its time counts as free. */
  readonly movingBookingId?: number | undefined;
}

/** `GET /slots`, `GET /slots/days` and `GET /slots/explain`. A further error is 404 `not_found` for an unknown booking. */
export const listFreeSlots = /* @__PURE__ */ withFreedTime(listSlots);
export const listFreeDays = /* @__PURE__ */ withFreedTime(listSlotDays);
export const explainFreeSlot = /* @__PURE__ */ withFreedTime(explainSlot);

function withFreedTime<Query extends object, Result>(
  search: (principal: Principal, query: Query, freed?: Taking) => Promise<Result>,
) {
  return async (principal: Principal, query: Query & Moving): Promise<Result> =>
    search(principal, query, await freedBy(principal, query.movingBookingId));
}

async function freedBy(principal: Principal, bookingId: number | undefined): Promise<Taking | undefined> {
  if (bookingId === undefined) return undefined;
  const moving = await loadBooking(principal, bookingId);
  if (!isReachedBy(principal, moving)) throw fail('not_found');
  // Another booking may now have exactly the time that a cancelled booking had.
  return moving.status === 'cancelled' ? undefined : takingOf(moving);
}

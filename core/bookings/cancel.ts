/** `POST /bookings/:id/cancel` (docs/rules.md#booking-states). */
import type * as z from 'zod/mini';
import type { Booking } from '../../contract/integration/resources.ts';
import type { cancelBooking as row } from '../../contract/integration/routes.ts';
import { loadTaken, timeWrites } from '../availability/calendar-time.ts';
import { leave } from '../availability/occurrences.ts';
import { loadBusiness } from '../catalog/read.ts';
import { now, timestamp } from '../clock.ts';
import { ApiError, fail } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import { canSeePersonalData, type Principal } from '../principal.ts';
import { type BookingItem, bookingData, changedBy, successorOf, takingOf, toBooking } from './booking.ts';
import { changeBooking } from './change.ts';
import { reasonAbout } from './client-book.ts';
import { statusAfter } from './state.ts';

/**
 * Cancels a booking and releases its time. If a booking is already cancelled, the response is the same, and no second
 * event is raised. Errors: 404 `not_found`, 409 `invalid_state`, 409 `cancellation_window_passed` (not for the business
 * itself).
 */
export async function cancelBooking(
  principal: Principal,
  { id }: { readonly id: number },
  { reason }: z.output<(typeof row)['body']>,
): Promise<Booking> {
  const { tenantId, actor } = principal;
  const by = changedBy[actor.kind];
  let isChanged = false;
  const booking = await changeBooking(principal, id, async (before) => {
    isChanged = before.status !== 'cancelled';
    if (!isChanged) return 'unchanged';
    const at = now();
    const status = statusAfter('cancel', before.status);
    if (by !== 'staff') await assertInTime(tenantId, before, at);
    const cancelledAt = timestamp(at);
    const cancelReason = await reasonAbout(tenantId, before.clientId, reason);
    const item = successorOf(before, { status, cancelledBy: by, cancelReason }, at);
    const freed = leave(await loadTaken(tenantId, before.taken), takingOf(before));
    if (typeof freed === 'string') return 'stale';
    const data = { ...bookingData(toBooking(item)), cancelledBy: by, reason: cancelReason, cancelledAt };
    return { item, writes: [...timeWrites(freed), eventPut(tenantId, 'booking.cancelled', data, at)] };
  });
  // A response that repeats the sent reason would confirm a guess of the stored reason.
  return isChanged || canSeePersonalData(principal.actor) ? booking : { ...booking, cancelReason: null };
}

/** Cancels a booking for an erasure, if it still can be: its visit may have been completed since it was read. */
export async function cancelIfOpen(principal: Principal, booking: { readonly id: number }): Promise<void> {
  await cancelBooking(principal, booking, {}).catch((error) => {
    if (!(error instanceof ApiError && error.code === 'invalid_state')) throw error;
  });
}

async function assertInTime(tenantId: number, { start }: BookingItem, at: number): Promise<void> {
  const { cancellationNoticeMinutes: noticeMinutes } = (await loadBusiness(tenantId)).bookingRules;
  if (at / 60_000 <= start - noticeMinutes) return;
  throw fail(
    'cancellation_window_passed',
    `Bookings can be cancelled until ${noticeMinutes} minutes before they start.`,
  );
}

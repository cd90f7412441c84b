/** Status changes by an owner: a booking is confirmed, completed, or a no-show (docs/rules.md#booking-states). */
import type { Booking } from '../../contract/integration/resources.ts';
import { now, timestamp } from '../clock.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import type { Write } from '../store/write.ts';
import { bookingData, successorOf, toBooking } from './booking.ts';
import { changeBooking } from './change.ts';
import { type BookingAction, type BookingStatus, statusAfter } from './state.ts';

/** Raises `booking.confirmed`. If the booking is already confirmed, nothing changes and no second event is raised. */
export function confirmBooking(principal: Principal, { id }: { id: number }): Promise<Booking> {
  return progress(principal, id, 'confirm', 'confirmed', (booking, at) =>
    eventPut(principal.tenantId, 'booking.confirmed', { ...bookingData(booking), confirmedBy: 'staff' }, at),
  );
}

/** Raises `booking.completed`. If the booking is already completed, nothing changes and no second event is raised. */
export function completeBooking(principal: Principal, { id }: { id: number }): Promise<Booking> {
  return progress(principal, id, 'complete', 'completed', (booking, at) =>
    eventPut(principal.tenantId, 'booking.completed', { ...bookingData(booking), completedAt: timestamp(at) }, at),
  );
}

/** Raises `booking.no_show`. If the booking already has this status, nothing changes and no second event is raised. */
export function markNoShow(principal: Principal, { id }: { id: number }): Promise<Booking> {
  return progress(principal, id, 'mark_no_show', 'no_show', (booking, at) =>
    eventPut(principal.tenantId, 'booking.no_show', { ...bookingData(booking), markedAt: timestamp(at) }, at),
  );
}

/** 404 `not_found`, 409 `invalid_state`. */
function progress(
  principal: Principal,
  id: number,
  change: BookingAction,
  target: BookingStatus,
  eventWrite: (booking: Booking, at: number) => Write,
): Promise<Booking> {
  return changeBooking(principal, id, (before) => {
    if (before.status === target) return 'unchanged';
    const at = now();
    const item = successorOf(before, { status: statusAfter(change, before.status) }, at);
    return { item, writes: [eventWrite(toBooking(item), at)] };
  });
}

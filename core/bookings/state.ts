/**
 * The state machine of a booking (docs/rules.md#booking-states) as a table: the possible changes of each status, with
 * the new status.
 */
import type { bookingStatuses } from '../../contract/integration/resources.ts';
import { fail } from '../errors.ts';

export type BookingStatus = (typeof bookingStatuses)[number];
export type BookingAction = 'confirm' | 'cancel' | 'complete' | 'mark_no_show' | 'reschedule';

const transitions: Record<BookingAction, Partial<Record<BookingStatus, BookingStatus>>> = {
  confirm: { pending: 'confirmed' },
  cancel: { pending: 'cancelled', confirmed: 'cancelled' },
  complete: { confirmed: 'completed' },
  mark_no_show: { confirmed: 'no_show' },
  reschedule: { pending: 'pending', confirmed: 'confirmed' },
};

/** Whether the booked visit may still take place. */
export function isOpen({ status }: { readonly status: BookingStatus }): boolean {
  return status in transitions.cancel;
}

/** The status after a change; 409 `invalid_state` if the table does not allow the change. */
export function statusAfter(action: BookingAction, status: BookingStatus): BookingStatus {
  const next = transitions[action][status];
  if (!next) throw fail('invalid_state', `A booking with the status ${status} does not allow this change.`);
  return next;
}

/** The allowed state transitions of a booking (docs/rules.md#booking-states). */
import { expect, test } from 'vitest';
import { bookingStatuses } from '../../../contract/integration/resources.ts';
import { type BookingAction, type BookingStatus, statusAfter } from '../../../core/bookings/state.ts';

/** All other actions are refused. */
const allowed: Record<BookingAction, Partial<Record<BookingStatus, BookingStatus>>> = {
  confirm: { pending: 'confirmed' },
  cancel: { pending: 'cancelled', confirmed: 'cancelled' },
  complete: { confirmed: 'completed' },
  mark_no_show: { confirmed: 'no_show' },
  reschedule: { pending: 'pending', confirmed: 'confirmed' },
};

const actions = Object.keys(allowed) as BookingAction[];

test.each(actions.flatMap((action) => bookingStatuses.map((status) => [action, status] as const)))(
  'The action %s on a booking with the status %s leads to the documented status, or is refused',
  (action, status) => {
    const expected = allowed[action][status];
    if (expected) return expect(statusAfter(action, status)).toBe(expected);
    const refusal = { code: 'invalid_state', message: `A booking that is ${status} cannot be changed like this.` };
    expect(() => statusAfter(action, status)).toThrow(expect.objectContaining(refusal));
  },
);

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

const rows = (Object.keys(allowed) as BookingAction[]).flatMap((action) =>
  bookingStatuses.map((status) => [action, status, allowed[action][status] ?? 'a refusal'] as const),
);

test.each(rows)('The action %s on a booking with the status %s leads to %s', (action, status, result) => {
  if (result !== 'a refusal') return expect(statusAfter(action, status)).toBe(result);
  const refusal = { code: 'invalid_state', message: `A booking with the status ${status} does not allow this change.` };
  expect(() => statusAfter(action, status)).toThrow(expect.objectContaining(refusal));
});

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

const rows = (Object.keys(allowed) as BookingAction[]).flatMap((change) =>
  bookingStatuses.map((status) => {
    const expected = allowed[change][status] ?? 'invalid_state';
    return [change, status, effectOf(status, expected), expected] as const;
  }),
);

/** What a title says of an expected result. */
function effectOf(status: BookingStatus, expected: BookingStatus | 'invalid_state'): string {
  if (expected === 'invalid_state') return 'is refused';
  return expected === status ? 'does not change the status' : `changes the status to ${expected}`;
}

test.each(rows)('The action %s on a booking with the status %s %s', (change, status, _, expected) => {
  if (expected !== 'invalid_state') return expect(statusAfter(change, status)).toBe(expected);
  const refusal = `A booking that is ${status} cannot be changed like this.`;
  expect(() => statusAfter(change, status)).toThrow(expect.objectContaining({ code: expected, message: refusal }));
});

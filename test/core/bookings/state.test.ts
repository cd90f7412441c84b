/** What may become of a booking, status by status (docs/rules.md#booking-states). */
import { expect, test } from 'vitest';
import { bookingStatuses } from '../../../contract/integration/resources.ts';
import { type BookingAction, type BookingStatus, statusAfter } from '../../../core/bookings/state.ts';

const become: Record<BookingAction, Record<BookingStatus, BookingStatus | 'invalid_state'>> = {
  confirm: {
    pending: 'confirmed',
    confirmed: 'invalid_state',
    cancelled: 'invalid_state',
    completed: 'invalid_state',
    no_show: 'invalid_state',
  },
  cancel: {
    pending: 'cancelled',
    confirmed: 'cancelled',
    cancelled: 'invalid_state',
    completed: 'invalid_state',
    no_show: 'invalid_state',
  },
  complete: {
    pending: 'invalid_state',
    confirmed: 'completed',
    cancelled: 'invalid_state',
    completed: 'invalid_state',
    no_show: 'invalid_state',
  },
  mark_no_show: {
    pending: 'invalid_state',
    confirmed: 'no_show',
    cancelled: 'invalid_state',
    completed: 'invalid_state',
    no_show: 'invalid_state',
  },
  reschedule: {
    pending: 'pending',
    confirmed: 'confirmed',
    cancelled: 'invalid_state',
    completed: 'invalid_state',
    no_show: 'invalid_state',
  },
};

const rows = (Object.keys(become) as BookingAction[]).flatMap((change) =>
  bookingStatuses.map((status) => [change, status, become[change][status]] as const),
);

test.each(rows)('The action %s on a booking that is %s results in %s', (change, status, expected) => {
  if (expected !== 'invalid_state') return expect(statusAfter(change, status)).toBe(expected);
  const refusal = `A booking that is ${status} cannot be changed like this.`;
  expect(() => statusAfter(change, status)).toThrow(expect.objectContaining({ code: expected, message: refusal }));
});

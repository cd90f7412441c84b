/** The allowed state transitions of a booking, and how its owner makes them (docs/rules.md#booking-states). */
import { expect, test } from 'vitest';
import { bookingStatuses } from '../../../contract/integration/resources.ts';
import { bookingData } from '../../../core/bookings/booking.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import { completeBooking, confirmBooking, markNoShow } from '../../../core/bookings/progress.ts';
import { type BookingAction, type BookingStatus, statusAfter } from '../../../core/bookings/state.ts';
import { setRuntime } from '../../../core/clock.ts';
import { at, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

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

test.each(rows)('The action %s on a booking with the status %s results in %s', (action, status, result) => {
  if (result !== 'a refusal') return expect(statusAfter(action, status)).toBe(result);
  const refusal = { code: 'invalid_state', message: `A booking with the status ${status} does not allow this change.` };
  expect(() => statusAfter(action, status)).toThrow(expect.objectContaining(refusal));
});

const later = new Date(testNow + 60_000).toISOString();
const verbs = [
  ['confirmed', confirmBooking, { confirmedBy: 'staff' }],
  ['completed', completeBooking, { completedAt: later }],
  ['no_show', markNoShow, { markedAt: later }],
] as const;

test.each(verbs)(
  'The change of a booking to the status %s raises one event, and a repeated request gets the same response',
  async (status, verb, more) => {
    const { owner, bookAsOwner } = await fixture.business({ rules: { confirmation: 'manual' } });
    const booking = await bookAsOwner(at('10:00'));
    if (status !== 'confirmed') await confirmBooking(owner, booking);
    const before = (await fixture.events(owner.tenantId)).length;
    setRuntime({ now: () => testNow + 60_000 });
    const response = await verb(owner, booking);
    setRuntime({ now: () => testNow + 120_000 });
    expect(await verb(owner, booking)).toEqual(response);
    expect(response).toEqual({ ...booking, status, updatedAt: later, revision: status === 'confirmed' ? 2 : 3 });
    expect(await getBooking(owner, booking)).toEqual(response);
    const emitted = (await fixture.events(owner.tenantId)).slice(before);
    expect(emitted).toMatchObject([{ name: `booking.${status}`, occurredAt: later }]);
    expect(emitted[0]?.data).toEqual({ ...bookingData(response), ...more });
  },
);

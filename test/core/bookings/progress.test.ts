/** What becomes of a booking on the owner's side (docs/rules.md#booking-states). */
import { expect, test } from 'vitest';
import { bookingData } from '../../../core/bookings/booking.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { completeBooking, confirmBooking, markNoShow } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { setRuntime } from '../../../core/clock.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function testBusiness() {
  const { tenant, key } = await fixture.tenant(({ business, ...rest }) => ({
    ...rest,
    business: { ...business, bookingRules: { ...business.bookingRules, confirmation: 'manual' } },
  }));
  const owner = ownerPrincipal(key.tenantId);
  const book = async () => {
    const startTime = '2026-12-01T10:00:00+02:00';
    const client = { name: 'Jane', email: 'jane@example.com' };
    return (await createBooking(owner, { serviceId: tenant.services[0]?.id ?? 0, startTime, client })).value;
  };
  return { owner, book };
}

const later = new Date(testNow + 60_000).toISOString();
const verbs = [
  ['confirmed', confirmBooking, { confirmedBy: 'staff' }],
  ['completed', completeBooking, { completedAt: later }],
  ['no_show', markNoShow, { markedAt: later }],
] as const;

test.each(verbs)(
  'Marking a booking as %s raises one event, and a repeated call gets the same answer',
  async (status, verb, more) => {
    const { owner, book } = await testBusiness();
    const made = await book();
    if (status !== 'confirmed') await confirmBooking(owner, made);
    const before = (await fixture.events(owner.tenantId)).length;
    setRuntime({ now: () => testNow + 60_000 });
    const answered = await verb(owner, made);
    setRuntime({ now: () => testNow + 120_000 });
    expect(await verb(owner, made)).toEqual(answered);
    setRuntime({ now: () => testNow });
    expect(answered).toEqual({ ...made, status, updatedAt: later, revision: status === 'confirmed' ? 2 : 3 });
    expect(await getBooking(owner, made)).toEqual(answered);
    const emitted = (await fixture.events(owner.tenantId)).slice(before);
    expect(emitted).toMatchObject([{ name: `booking.${status}`, occurredAt: later }]);
    expect(emitted[0]?.data).toEqual({ ...bookingData(answered), ...more });
  },
);

test('Every operation on a booking of another business answers like one on an unknown booking', async () => {
  const { id } = await (await testBusiness()).book();
  const { owner } = await testBusiness();
  const asked = [1, id].flatMap((id) => [
    () => getBooking(owner, { id }),
    () => cancelBooking(owner, { id }, {}),
    () => rescheduleBooking(owner, { id }, { startTime: '2026-12-01T12:00:00+02:00' }),
    ...verbs.map(
      ([, verb]) =>
        () =>
          verb(owner, { id }),
    ),
  ]);
  for (const ask of asked) {
    await expect(ask()).rejects.toMatchObject({ code: 'not_found', message: 'There is no such resource.' });
  }
});

import { expect, test } from 'vitest';
import { eventNames } from '../../../contract/events.ts';
import { newId } from '../../../core/clock.ts';
import { at, counts, eventProblems, ownerOf } from '../../support/account.ts';
import { alwaysOpen as weekly } from '../../support/always-open.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

test('An owner with nothing but a token sets up a business, and each kind of event is raised once', async () => {
  const tenantId = newId();
  const owner = ownerOf(tenantId);
  const ok = async (...call: Parameters<typeof owner>) => {
    const answer = await owner(...call);
    expect(answer.text ?? '', call[0]).not.toContain('"code"');
    return answer.json as Record<string, unknown> & { id: number };
  };

  expect((await owner('getBusiness')).status).toBe(404);
  await ok('updateBusiness', {
    body: {
      name: 'Salon',
      timeZone: 'Europe/Riga',
      currency: 'EUR',
      workingHours: weekly,
      bookingRules: { minNoticeMinutes: 0, confirmation: 'manual' },
    },
  });
  const member = await ok('createStaffMember', { body: { name: 'Anna' } });
  const service = await ok('createService', {
    body: {
      name: 'Haircut',
      durationMinutes: 30,
      price: { amount: 4_500, currency: 'EUR' },
      staffIds: [member.id],
    },
  });
  const other = await ok('createService', {
    body: { name: 'Gone', durationMinutes: 30, price: { amount: 100, currency: 'EUR' } },
  });
  await ok('deleteService', at(other.id));
  await ok('updateService', { ...at(service.id), body: { price: { amount: 5_000, currency: 'EUR' } } });
  await ok('updateStaffSchedule', { ...at(member.id), body: { exceptions: { '2026-12-24': [] } } });

  const client = await ok('createClient', { body: { name: 'Jane', phone: '+371 2000 0000' } });
  await ok('updateClient', { ...at(client.id), body: { email: 'jane@example.com' } });

  const book = (clock: string) =>
    ok('createBooking', {
      body: { serviceId: service.id, startTime: `2026-12-02T${clock}:00+02:00`, clientId: client.id },
    });
  const visit = await book('10:00');
  expect(visit).toMatchObject({ status: 'pending', source: 'account', price: { amount: 5_000, currency: 'EUR' } });
  await ok('confirmBooking', at(visit.id));
  await ok('rescheduleBooking', { ...at(visit.id), body: { startTime: '2026-12-02T11:00:00+02:00' } });
  await ok('completeBooking', at(visit.id));
  const review = await ok('createReview', { body: { bookingId: visit.id, rating: 5, text: 'Great' } });
  expect(await ok('replyToReview', { ...at(review.id), body: { text: 'Thank you' } })).toMatchObject({
    reply: 'Thank you',
  });
  const payment = await ok('recordPayment', { body: { bookingId: visit.id, amount: 5_000, method: 'card' } });
  await ok('refundPayment', { ...at(payment.id), body: { amount: 1_500 } });

  const events = await fixture.events(tenantId);
  expect(counts(events)).toEqual({
    ...Object.fromEntries(eventNames.map((name) => [name, 1])),
    'booking.cancelled': undefined,
    'booking.no_show': undefined,
  });

  const missed = await book('12:00');
  await ok('confirmBooking', at(missed.id));
  await ok('markNoShow', at(missed.id));
  const called = await book('13:00');
  await ok('cancelBooking', { ...at(called.id), body: { reason: 'Ill' } });

  const all = await fixture.events(tenantId);
  expect(Object.keys(counts(all)).sort()).toEqual([...eventNames].sort());
  expect(counts(all)).toMatchObject({ 'booking.cancelled': 1, 'booking.no_show': 1, 'booking.created': 3 });
  expect(eventProblems(all)).toEqual([]);

  expect(await ok('getPayment', at(payment.id))).toMatchObject({ refundedAmount: 1_500, refunds: [{ amount: 1_500 }] });
  expect(await ok('getStaffMember', at(member.id))).toMatchObject({ rating: 5, reviewsCount: 1 });
});

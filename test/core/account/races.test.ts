import { expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { completeBooking, markNoShow } from '../../../core/bookings/progress.ts';
import { getPayment } from '../../../core/payments/read-payments.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { refundPayment } from '../../../core/payments/refund-payment.ts';
import { createReview } from '../../../core/reviews/create-review.ts';
import { counts, eventProblems } from '../../support/account.ts';
import { atOnce, outcomes } from '../../support/outcomes.ts';
import { onEmulator } from '../../support/tables.ts';
import { at, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness(onEmulator());

async function business(confirmation: 'automatic' | 'manual' = 'manual') {
  const { owner, staff, bookAsOwner } = await fixture.business({ rules: { confirmation } });
  return { owner, staff: staff[0], book: (clock: string) => bookAsOwner(at(clock)) };
}

test('Fifty concurrent refunds of one payment never exceed its amount, and each successful refund raises one event', async () => {
  const { owner } = await business();
  const payment = await recordPayment(owner, { amount: 1_000, method: 'card' });
  const { won, codes } = await atOnce(50, () => refundPayment(owner, payment, { amount: 70 }));
  expect(won).toHaveLength(14);
  expect(new Set(codes)).toEqual(new Set(['refund_exceeds_payment']));
  const after = await getPayment(owner, payment);
  expect(after.refundedAmount).toBe(980);
  expect(after.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(980);
  const events = await fixture.events(owner.tenantId);
  expect(counts(events)).toEqual({ 'payment.received': 1, 'payment.refunded': 14 });
  expect(eventProblems(events)).toEqual([]);
});

test('If a booking is completed, cancelled and marked as no-show concurrently, only one request succeeds', async () => {
  const { owner, book } = await business('automatic');
  const { id } = await book('10:00');
  const { won, codes } = await outcomes<Booking>([
    completeBooking(owner, { id }),
    markNoShow(owner, { id }),
    cancelBooking(owner, { id }, {}),
  ]);
  expect(won).toHaveLength(1);
  expect(codes).toEqual(['invalid_state', 'invalid_state']);
});

test('Of twenty concurrent reviews of one booking only one is stored and counted in the ratings', async () => {
  const { owner, staff, book } = await business('automatic');
  const { id } = await book('10:00');
  const early = await outcomes([createReview(owner, { bookingId: id, rating: 5 })]);
  expect(early.codes).toEqual(['invalid_state']);
  await completeBooking(owner, { id });
  const { won, codes } = await atOnce(20, () => createReview(owner, { bookingId: id, rating: 4 }));
  expect(won).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['review_exists']));
  const items = await fixture.items('records', {
    FilterExpression: 'pk = :pk AND (begins_with(sk, :rating) OR id = :staff)',
    ExpressionAttributeValues: { ':pk': `T#${owner.tenantId}`, ':rating': 'RATING#', ':staff': staff.id },
  });
  expect(items.filter(({ sk }) => String(sk).startsWith('RATING#'))).toHaveLength(3);
  for (const item of items) {
    if (item.id === staff.id) expect(item).toMatchObject({ rating: 4, reviewsCount: 1 });
    else expect(item).toMatchObject({ count: 1, sum: 4 });
  }
});

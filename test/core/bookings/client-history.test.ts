/** The bookings and payments of one client in a large business (docs/rules.md#lists). */
import { beforeAll, expect, test } from 'vitest';
import type { BookingItem } from '../../../core/bookings/booking.ts';
import { bookingPut } from '../../../core/bookings/change.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { newId } from '../../../core/clock.ts';
import { listBookingPayments, listPayments } from '../../../core/payments/read-payments.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { getPaymentTotals } from '../../../core/payments/totals.ts';
import { loadItem } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { pagesOf } from '../../support/pages.ts';
import { isRead, type Script, scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, type TestBusiness, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const visits = 25;
const limit = 20;
const clientId = 4_242;
let script: Script;
let business: TestBusiness;
let bookingId: number;

/** Creates a business with 2 500 bookings and payments, a hundredth of which is the client's. */
beforeAll(async () => {
  script = scriptDynamo([], { units: true });
  business = await fixture.business();
  const { tenantId, owner, book } = business;
  ({ id: bookingId } = await book(at('10:00')));
  await recordPayment(owner, { bookingId, amount: 100, method: 'card' });
  const paid = await recordPayment(owner, { amount: 100, method: 'card' });
  const like = await loadItem<BookingItem>(records.booking(tenantId, bookingId));
  const rows = Array.from({ length: 100 * visits }, (_, i) => {
    const whose = i % 100 === 0 ? clientId : i + 10_000;
    const start = like.start + i;
    const booking = { ...like, id: newId(), clientId: whose, start, end: start + 45 };
    const payment = { ...paid, id: newId(), clientId: whose };
    const keys = { ...records.payment(tenantId, payment.id), ...records.indexKeysOfPayment(tenantId, payment) };
    return [bookingPut(tenantId, booking).Put?.Item ?? {}, { ...payment, ...keys }];
  }).flat();
  await fixture.put('records', rows);
});

test.each([
  ['bookings', (cursor?: string) => listBookings(business.key, { clientId, limit, cursor })],
  ['payments', (cursor?: string) => listPayments(business.owner, { clientId, limit, cursor })],
])(
  "A page of one client's %s costs the same read units even if there are thousands of other clients",
  async (_, list) => {
    const pages = await pagesOf(async (cursor) => {
      script.calls.length = 0;
      const { data, nextCursor } = await list(cursor);
      const reads = script.operations.filter(isRead).length;
      expect([reads, script.units('read') < 5]).toEqual([1, true]);
      return { length: data.length, nextCursor };
    });
    expect(pages.map(({ length }) => length)).toEqual([limit, visits - limit]);
  },
);

test('The list of payments of a booking is newest first and contains no payments of other bookings', async () => {
  const { key, owner, book } = business;
  const [one, other] = [await book(at('12:30')), await book(at('14:00'))];
  const pay = (booking: { id: number }) => recordPayment(owner, { bookingId: booking.id, amount: 100, method: 'card' });
  const [first, , second] = [await pay(one), await pay(other), await pay(one)];
  expect((await listBookingPayments(key, one, {})).data).toMatchObject([second, first]);
});

test.each([
  ['client', () => ({ clientId }), visits],
  ['booking', () => ({ bookingId }), 1],
  ['booking in a long period', () => ({ bookingId, from: '2000-01-01T00:00:00Z' }), 1],
])(
  'The payments of one %s are listed and summed up without reading payments of other clients',
  async (_, filter, count) => {
    script.calls.length = 0;
    expect((await listPayments(business.owner, { ...filter(), limit: 100 })).data).toHaveLength(count);
    const received = { amount: 100 * count };
    expect(await getPaymentTotals(business.owner, filter())).toMatchObject({ count, received });
    expect(script.units('read')).toBeLessThan(12);
  },
);

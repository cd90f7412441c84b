/** The bookings and payments of one client in a large business (docs/rules.md#lists). */
import { beforeAll, expect, test } from 'vitest';
import type { Payment } from '../../../contract/integration/resources.ts';
import type { BookingItem } from '../../../core/bookings/booking.ts';
import { bookingPut } from '../../../core/bookings/change.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { newId, timestamp } from '../../../core/clock.ts';
import { listPayments } from '../../../core/payments/read-payments.ts';
import { getPaymentTotals } from '../../../core/payments/totals.ts';
import type { KeyActor, Principal } from '../../../core/principal.ts';
import { getItem } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { pagesOf } from '../../support/pages.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { isRead, type Script, scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
let script: Script;
let key: Principal<KeyActor>;
beforeAll(async () => {
  script = scriptDynamo([], { units: true });
  key = await grown(2_500);
});

const visits = 25;
const limit = 20;
const clientId = 4_242;

/** A business with this many bookings and payments, a fixed share of which is the client's. */
async function grown(count: number): Promise<Principal<KeyActor>> {
  const { tenantId, key, book } = await fixture.tenant();
  const { id } = await book(at('10:00'));
  const like = await getItem<BookingItem>('records', records.booking(tenantId, id));
  if (!like) throw new Error('The booking is stored');
  const rows = Array.from({ length: count }, (_, i) => {
    const whose = i % (count / visits) === 0 ? clientId : i + 10_000;
    const start = like.start + i;
    const booking = { ...like, id: newId(), clientId: whose, start, end: start + 45, revision: 1 };
    const payment: Payment = {
      id: newId(),
      bookingId: null,
      clientId: whose,
      amount: 100,
      currency: 'EUR',
      refundedAmount: 0,
      method: 'card',
      receivedAt: timestamp(testNow + i),
      createdAt: timestamp(testNow + i),
    };
    const keys = { ...records.payment(tenantId, payment.id), ...records.indexKeysOfPayment(tenantId, payment) };
    return [bookingPut(tenantId, booking).Put?.Item ?? {}, { ...payment, ...keys }];
  }).flat();
  await fixture.put('records', rows);
  return key;
}

test.each([
  ['bookings', (cursor?: string) => listBookings(key, { clientId, limit, cursor })],
  ['payments', (cursor?: string) => listPayments(ownerPrincipal(key.tenantId), { clientId, limit, cursor })],
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

test('The payment totals of one client are computed without reading payments of other clients', async () => {
  script.calls.length = 0;
  expect(await getPaymentTotals(ownerPrincipal(key.tenantId), { clientId })).toMatchObject({
    count: visits,
    received: { amount: 2_500 },
  });
  expect(script.units('read')).toBeLessThan(6);
});

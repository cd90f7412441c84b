/** How payments are recorded, reported and read, with refunds (docs/rules.md#payments). */
import { expect, test } from 'vitest';
import { newId } from '../../../core/clock.ts';
import { at, ownerOf } from '../../support/account.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { testNow, at as timeOf, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const recorded = new Date(testNow).toISOString();

async function testBusiness() {
  const { account: owner, bookAsOwner, events } = await fixture.business();
  const book = (clock: string) =>
    bookAsOwner(timeOf(clock), {
      staffId: undefined,
      client: { name: clock, email: `${clock.slice(0, 2)}@example.com` },
    });
  const pay = (body: object) => owner('recordPayment', { body: { amount: 1_000, method: 'card', ...body } });
  return { owner, book, pay, emitted: events };
}

test('A payment may belong to a booking, to a client or to neither, and its event contains the same data as the response', async () => {
  const { book, pay, emitted } = await testBusiness();
  const { id: bookingId, clientId } = await book('10:00');
  const receivedAt = '2026-11-30T22:30:00.000Z';
  const plain = { amount: 1_000, currency: 'EUR', method: 'card', receivedAt: recorded };
  const cases = [
    { body: {}, bookingId: null, clientId: null },
    { body: { bookingId }, bookingId, clientId },
    { body: { bookingId, clientId, currency: 'EUR' }, bookingId, clientId },
    { body: { clientId, receivedAt: '2026-12-01T00:30:00+02:00' }, bookingId: null, clientId, receivedAt },
  ];
  const expected = [];
  for (const { body, ...fields } of cases) {
    const payment = { ...plain, ...fields };
    const { status, json } = await pay(body);
    expect(status).toBe(201);
    expect(json).toEqual({ ...payment, id: expect.any(Number), refundedAmount: 0, createdAt: recorded });
    expected.push({ paymentId: json.id, ...payment });
  }
  const events = await emitted('payment.received');
  expect(events.map(({ data }) => data)).toEqual(expected);
  expect(new Set(events.map(({ occurredAt }) => occurredAt))).toEqual(new Set([recorded]));
});

test("A payment for an unknown booking, or for another client than the booking's, is refused", async () => {
  const { owner, book, pay, emitted } = await testBusiness();
  const [{ id: bookingId }, { clientId: other }] = [await book('10:00'), await book('12:00')];
  const strange = await (await testBusiness()).book('10:00');
  const invalid = (path: string, message: string) => ({
    ...{ statusCode: 400, code: 'validation_failed', message: 'The request is not valid. See details.' },
    details: [{ path, message }],
  });
  const missing = (message: string) => ({ statusCode: 404, code: 'not_found', message });
  const refusals = [
    [{ bookingId: 1 }, missing('There is no such booking.')],
    [{ bookingId: strange.id }, missing('There is no such booking.')],
    [{ clientId: strange.clientId }, missing('There is no such client.')],
    [{ bookingId, clientId: other }, invalid('clientId', 'is not the client of the booking')],
    [{ currency: 'USD' }, invalid('currency', 'must be the currency of the business, EUR')],
  ] as const;
  for (const [body, refusal] of refusals) expect((await pay(body)).json).toMatchObject(refusal);
  expect((await owner('listPayments')).json).toEqual({ data: [], nextCursor: null });
  expect(await emitted('payment.received')).toEqual([]);
  const nobody = ownerOf(newId());
  const noBusiness = missing('There is no business yet: its owner creates it with PATCH /business.');
  expect((await nobody('recordPayment', { body: { amount: 1, method: 'card' } })).json).toMatchObject(noBusiness);
  expect((await nobody('getPaymentTotals')).json).toMatchObject(noBusiness);
});

test('A payment is returned with all its refunds, and the event of a refund states whether the refund is less than the payment', async () => {
  const { owner, book, pay, emitted } = await testBusiness();
  const { id: bookingId } = await book('10:00');
  const [{ json: payment }, { json: other }] = [await pay({ bookingId }), await pay({})];
  const plain = { paymentId: payment.id, currency: 'EUR', refundedAt: recorded };
  const refunds = [];
  for (const { body, amount, reason } of [
    { body: { amount: 300, reason: 'Late.' }, amount: 300, reason: 'Late.' },
    { body: { amount: 200, reason: '' }, amount: 200, reason: null },
    { body: {}, amount: 500, reason: null },
  ]) {
    const { status, json } = await owner('refundPayment', { ...at(payment.id), body });
    expect(status).toBe(201);
    expect(json).toEqual({ ...plain, amount, reason, id: expect.any(Number) });
    refunds.push(json);
  }
  expect((await owner('getPayment', at(payment.id))).json).toEqual({ ...payment, refundedAmount: 1_000, refunds });
  const events = await emitted('payment.refunded');
  // The last refund is partial, too, because earlier ones have paid back the rest.
  expect(events.map(({ data }) => data)).toEqual(
    refunds.map(({ id: refundId, ...refund }) => ({ ...refund, refundId, bookingId, partial: true })),
  );
  await owner('refundPayment', { ...at(other.id), body: { amount: 1_000 } });
  expect((await emitted('payment.refunded')).at(-1)?.data).toMatchObject({ amount: 1_000, partial: false });
  expect(events[0]?.occurredAt).toBe(recorded);
});

test('The list of payments is newest first, and a cursor works only with the filters of the request that returned it', async () => {
  const { owner, book, pay } = await testBusiness();
  const { id: bookingId, clientId } = await book('10:00');
  for (const amount of [1, 2, 3]) await pay({ amount, clientId });
  await pay({ amount: 4, bookingId });
  await pay({ amount: 5 });
  const page = async (query: string) => {
    const { data, nextCursor } = (await owner('listPayments', { query })).json;
    return { amounts: (data as { amount: number }[]).map(({ amount }) => amount), cursor: String(nextCursor) };
  };
  for (const [filter, first, second] of [
    ['', [5, 4, 3], [2, 1]],
    [`clientId=${clientId}`, [4, 3, 2], [1]],
  ] as const) {
    const { amounts, cursor } = await page(`${filter}&limit=3`);
    expect(amounts).toEqual(first);
    expect(await page(`${filter}&limit=3&cursor=${cursor}`)).toEqual({ amounts: second, cursor: 'null' });
    const { json } = await owner('listPayments', { query: `bookingId=${bookingId}&limit=3&cursor=${cursor}` });
    expect(json).toMatchObject({ code: 'validation_failed' });
  }
});

test('A period that ends before it begins, and totals over too many payments, are refused', async () => {
  const { owner, book, pay } = await testBusiness();
  const early = 'from=2026-12-01T00:00:00Z&to=2026-11-30T23:59:59Z';
  for (const operation of ['listPayments', 'getPaymentTotals'] as const) {
    const { json } = await owner(operation, { query: early });
    expect(json.details).toEqual([{ path: 'to', message: 'must not be before from' }]);
    expect((await owner(operation, { query: early.replace('11-30T23:59:59', '12-01T00:00:00') })).status).toBe(200);
  }
  limitsDuringTest({ paymentsPerTotals: 1 });
  await pay({});
  expect((await owner('getPaymentTotals')).json).toMatchObject({ count: 1 });
  await pay({});
  expect((await owner('getPaymentTotals')).json).toMatchObject({
    ...{ statusCode: 400, code: 'range_too_large' },
    message: 'The range has more than 1 payments. Ask for a shorter one.',
  });
  // An unknown booking has no payments, however many others there are.
  expect((await owner('getPaymentTotals', { query: 'bookingId=1' })).json).toMatchObject({ count: 0 });
  // Only the payments of the period are read, however many others the client has.
  const { clientId } = await book('10:00');
  for (const receivedAt of ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z']) await pay({ clientId, receivedAt });
  const query = `clientId=${clientId}&from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z`;
  expect((await owner('getPaymentTotals', { query })).json).toMatchObject({ count: 1 });
});

test('The totals of payments accept the filters of the list of payments, and sum up exactly the listed payments', async () => {
  const { owner, book, pay } = await testBusiness();
  const { id: bookingId, clientId } = await book('10:00');
  const { clientId: other } = await book('12:00');
  await pay({ bookingId });
  await pay({ amount: 700, receivedAt: '1969-07-20T20:17:00Z' });
  const { json: third } = await pay({ amount: 300, receivedAt: '2027-01-01T00:00:00Z' });
  await owner('refundPayment', { ...at(third.id), body: { amount: 50 } });
  for (const [query, amounts] of [
    ['', [300, 700, 1_000]],
    [`bookingId=${bookingId}`, [1_000]],
    [`clientId=${clientId}`, [1_000]],
    [`bookingId=${bookingId}&clientId=${other}`, []],
    ['bookingId=1', []],
    ['from=2026-12-01T00:00:00Z', [300, 1_000]],
    ['to=2027-01-01T00:00:00Z', [700, 1_000]],
    ['from=2027-01-01T00:00:00Z&to=2027-01-01T00:00:00.001Z', [300]],
    ['from=1969-01-01T00:00:00Z&to=1970-01-01T00:00:00Z', [700]],
    ['from=1970-01-01T00:00:00Z', [300, 1_000]],
    [`clientId=${clientId}&from=1970-01-01T00:00:00Z`, [1_000]],
  ] as const) {
    const listed = (await owner('listPayments', { query })).json.data as { amount: number; refundedAmount: number }[];
    expect(
      listed.map(({ amount }) => amount).toSorted((a, b) => a - b),
      query,
    ).toEqual(amounts);
    const sum = (field: 'amount' | 'refundedAmount') => listed.reduce((all, one) => all + one[field], 0);
    expect((await owner('getPaymentTotals', { query })).json, query).toEqual({
      count: listed.length,
      received: { amount: sum('amount'), currency: 'EUR' },
      refunded: { amount: sum('refundedAmount'), currency: 'EUR' },
    });
  }
});

test('After a change of the currency of a business, totals and statistics contain no payments in the earlier currency', async () => {
  const { owner, pay } = await testBusiness();
  await pay({});
  const services = (await owner('listServices')).json.data as { id: number }[];
  for (const { id } of services) await owner('deleteService', at(id));
  expect(await owner('updateBusiness', { body: { currency: 'JPY' } })).toMatchObject({ status: 200 });
  await pay({ amount: 7 });
  const received = { amount: 7, currency: 'JPY' };
  expect((await owner('getPaymentTotals')).json).toMatchObject({ count: 1, received });
  expect((await owner('getStatistics')).json).toMatchObject({ summary: { revenue: { received } } });
});

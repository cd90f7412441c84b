/** What a refund gives back, and what is reported of it (docs/rules.md#payments). */
import { expect, test } from 'vitest';
import { getPayment } from '../../../core/payments/read-payments.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { refundPayment } from '../../../core/payments/refund-payment.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function paid(amount: number) {
  const { tenant } = await fixture.tenant();
  const owner = ownerPrincipal(tenant.business.id);
  const { value } = await recordPayment(owner, { amount, method: 'card' } as never);
  const refund = (some?: number, idempotencyKey?: string) =>
    refundPayment(owner, value, (some === undefined ? {} : { amount: some }) as never, idempotencyKey);
  const emitted = async () =>
    (await fixture.events(owner.tenantId))
      .filter(({ name }) => name === 'payment.refunded')
      .map(({ data }) => data as unknown as { amount: number; partial: boolean })
      .map((data) => [data.amount, data.partial])
      .sort();
  return { owner, payment: value, refund, emitted };
}

test('A refund of less than the payment is marked as partial, even if it refunds the last part', async () => {
  const some = await paid(1_000);
  await some.refund(400);
  await some.refund();
  expect(await some.emitted()).toEqual([
    [400, true],
    [600, true],
  ]);
  const whole = await paid(1_000);
  await whole.refund(1_000);
  expect(await whole.emitted()).toEqual([[1_000, false]]);
});

test('A refund of more than the remaining amount is refused, and the error contains the remaining amount', async () => {
  const { owner, payment, refund } = await paid(1_000);
  await refund(400);
  const tooMuch = { code: 'refund_exceeds_payment', extras: { details: { refundable: 600, currency: 'EUR' } } };
  await expect(refund(601)).rejects.toMatchObject(tooMuch);
  expect((await refund()).value.amount).toBe(600);
  const nothing = { code: 'refund_exceeds_payment', extras: { details: { refundable: 0, currency: 'EUR' } } };
  for (const amount of [undefined, 1]) await expect(refund(amount)).rejects.toMatchObject(nothing);
  expect(await getPayment(owner, payment)).toMatchObject({ amount: 1_000, refundedAmount: 1_000 });
});

test('An Idempotency-Key that was used for the refund of one payment cannot be used for another payment', async () => {
  const { owner, refund } = await paid(1_000);
  const other = (await recordPayment(owner, { amount: 500, method: 'card' } as never)).value;
  const first = await refund(100, 'k');
  expect(await refund(100, 'k')).toEqual({ value: first.value, replayed: true });
  await expect(refundPayment(owner, other, { amount: 100 } as never, 'k')).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

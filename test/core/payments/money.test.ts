/** Compares received and refunded amounts with sums of integers, in random order. */
import { expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { ApiError } from '../../../core/errors.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { refundPayment } from '../../../core/payments/refund-payment.ts';
import { getPaymentTotals } from '../../../core/payments/totals.ts';
import { getStatistics } from '../../../core/statistics/business-statistics.ts';
import { Random } from '../../simulation/random.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
/** `MONEY_STEPS=5000` takes a minute. */
const steps = Number(process.env.MONEY_STEPS ?? 240);
const seed = Number(process.env.MONEY_SEED ?? 20_261_122);

interface Paid {
  readonly id: number;
  readonly amount: bigint;
  /** The date of receipt in the business's time zone. */
  readonly date: string;
  refunded: bigint;
}

const sumOf = (payments: readonly Paid[], field: 'amount' | 'refunded') =>
  Number(payments.reduce((total, one) => total + one[field], 0n));

test(`The sum of ${steps} random payments and refunds is exact to the cent`, async () => {
  const random = new Random(seed, 'money');
  const { owner } = await fixture.tenant();
  const paid: Paid[] = [];
  let refused = 0;

  for (let step = 0; step < steps; step++) {
    if (paid.length === 0 || random.chance(0.5)) {
      const amount = random.chance(0.1) ? limits.amountMax : random.between(1, random.pick([9, 999, 99_999]));
      // The hours before and after midnight in Riga, which is two hours ahead.
      const receivedAt = new Date(Date.UTC(2026, 10, 28, random.below(60))).toISOString();
      const { id } = await recordPayment(owner, { amount, method: 'card', receivedAt } as never);
      const date = new Date(Date.parse(receivedAt) + 7_200_000).toISOString().slice(0, 10);
      paid.push({ id, amount: BigInt(amount), date, refunded: 0n });
      continue;
    }
    const payment = random.pick(paid);
    const left = payment.amount - payment.refunded;
    const amount = random.chance(0.3) ? undefined : random.between(1, Math.min(Number(left) + 3, limits.amountMax));
    const isTooMuch = left === 0n || (amount !== undefined && BigInt(amount) > left);
    const refund = refundPayment(owner, payment, (amount === undefined ? {} : { amount }) as never);
    if (isTooMuch) {
      const error = await refund.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        code: 'refund_exceeds_payment',
        extras: { details: { refundable: Number(left), currency: 'EUR' } },
      });
      refused += 1;
    } else {
      const given = amount === undefined ? left : BigInt(amount);
      expect(await refund).toMatchObject({ amount: Number(given), currency: 'EUR' });
      payment.refunded += given;
    }
  }
  expect(refused).toBeGreaterThan(steps / 60);

  const totals = await getPaymentTotals(owner, {} as never);
  const expected = (some: readonly Paid[]) => ({
    received: { amount: sumOf(some, 'amount'), currency: 'EUR' },
    refunded: { amount: sumOf(some, 'refunded'), currency: 'EUR' },
  });
  expect(totals, `MONEY_SEED=${seed}`).toEqual({ count: paid.length, ...expected(paid) });

  const statistics = await getStatistics(owner, { from: '2026-11-27', to: '2026-12-02' });
  expect(statistics.summary.revenue).toEqual(expected(paid));
  for (const { date, revenue } of statistics.data) {
    expect(revenue, `${date}, MONEY_SEED=${seed}`).toEqual(expected(paid.filter((one) => one.date === date)));
  }
});

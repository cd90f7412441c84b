/** Reads payments by the time when they were received, from an index, to sum them up. */
import type { Payment } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import { fail } from '../errors.ts';
import { isWithin, type Period } from '../period.ts';
import { pages, type Query } from '../store/read.ts';
import { records } from '../table-keys.ts';

export type ReceivedPayment = Pick<
  Payment,
  'bookingId' | 'clientId' | 'amount' | 'currency' | 'refundedAmount' | 'receivedAt'
>;

/**
 * The payments of a period that match the filter `takes`, oldest first. The query `among` may replace the default one,
 * if it finds all these payments; they then have its order. 400 `range_too_large` for too many payments.
 */
export async function paymentsReceived(
  tenantId: number,
  period: Period,
  takes: (payment: ReceivedPayment) => boolean = () => true,
  among: Query = byTime(tenantId, period),
): Promise<readonly ReceivedPayment[]> {
  const found: ReceivedPayment[] = [];
  let read = 0;
  const payments = pages<ReceivedPayment>('records', {
    ...among,
    ProjectionExpression: 'bookingId, clientId, amount, currency, refundedAmount, receivedAt',
  });
  for await (const { items } of payments) {
    found.push(...items.filter((payment) => isWithin(period, payment.receivedAt) && takes(payment)));
    read += items.length;
    if (read > limits.paymentsPerTotals) {
      throw fail(
        'range_too_large',
        `The range has more than ${limits.paymentsPerTotals} payments. Ask for a shorter one.`,
      );
    }
  }
  return found;
}

function byTime(tenantId: number, { fromMs, toMs }: Period): Query {
  const { byStartPk, byStartSk: first } = records.paymentByTime(tenantId, fromMs, 0);
  const { byStartSk: last } = records.paymentByTime(tenantId, toMs, Number.MAX_SAFE_INTEGER);
  return {
    IndexName: 'byStart',
    KeyConditionExpression: 'byStartPk = :pk AND byStartSk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': byStartPk, ':first': first, ':last': last },
  };
}

/** Payments by when they were received, read from the index: for sums. */
import type { Payment } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import { fail } from '../errors.ts';
import { pages, type Query } from '../store/read.ts';
import { records } from '../table-keys.ts';

export type ReceivedPayment = Pick<Payment, 'bookingId' | 'clientId' | 'amount' | 'refundedAmount' | 'receivedAt'>;

export interface ReceivedBetween {
  /** Epoch milliseconds, the first included and the second not. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether a payment was received in a period. */
export function isReceivedIn({ fromMs, toMs }: ReceivedBetween, { receivedAt }: Pick<Payment, 'receivedAt'>): boolean {
  const at = Date.parse(receivedAt);
  return at >= fromMs && at < toMs;
}

/**
 * Those of a period that a filter takes, oldest first, or as `among` has them, a query that finds all that the filter takes.
 * 400 `range_too_large` when there are too many to look through.
 */
export async function paymentsReceived(
  tenantId: number,
  period: ReceivedBetween,
  takes: (payment: ReceivedPayment) => boolean = () => true,
  among: Query = byTime(tenantId, period),
): Promise<readonly ReceivedPayment[]> {
  const found: ReceivedPayment[] = [];
  let read = 0;
  const payments = pages<ReceivedPayment>('records', {
    ...among,
    ProjectionExpression: 'bookingId, clientId, amount, refundedAmount, receivedAt',
  });
  for await (const { items } of payments) {
    found.push(...items.filter((payment) => isReceivedIn(period, payment) && takes(payment)));
    read += items.length;
    if (read > limits.paymentsPerTotals) {
      throw fail('range_too_large', {
        message: `The range has more than ${limits.paymentsPerTotals} payments. Ask for a shorter one.`,
      });
    }
  }
  return found;
}

function byTime(tenantId: number, { fromMs, toMs }: ReceivedBetween): Query {
  const { byStartPk, byStartSk: first } = records.paymentByTime(tenantId, fromMs, 0);
  const { byStartSk: last } = records.paymentByTime(tenantId, toMs, Number.MAX_SAFE_INTEGER);
  return {
    IndexName: 'byStart',
    KeyConditionExpression: 'byStartPk = :pk AND byStartSk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': byStartPk, ':first': first, ':last': last },
  };
}

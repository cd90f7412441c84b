/** `GET /v1/account/payments/totals` (docs/rules.md#statistics). */
import type { PaymentTotals } from '../../contract/statistics.ts';
import { loadBusiness } from '../catalog/read.ts';
import { periodOf } from '../period.ts';
import type { Principal } from '../principal.ts';
import { indexedClient, matcher, type PaymentsFilter } from './read-payments.ts';
import { paymentsReceived, type ReceivedPayment } from './received.ts';

/**
 * Sums of all payments in the currency of the business that match the filters of the list. Errors: 404 `not_found` if
 * the business does not exist yet, 400 `validation_failed` for a period that ends before it begins, 400
 * `range_too_large`.
 */
export async function getPaymentTotals({ tenantId }: Principal, filter: PaymentsFilter): Promise<PaymentTotals> {
  const [{ currency }, received] = await Promise.all([loadBusiness(tenantId), receivedWithin(tenantId, filter)]);
  const payments = received.filter((payment) => payment.currency === currency);
  const sum = (field: 'amount' | 'refundedAmount') => payments.reduce((total, payment) => total + payment[field], 0);
  return {
    count: payments.length,
    received: { amount: sum('amount'), currency },
    refunded: { amount: sum('refundedAmount'), currency },
  };
}

/** The number of payments to read is limited by a booking, a period or a client. */
async function receivedWithin(tenantId: number, filter: PaymentsFilter): Promise<readonly ReceivedPayment[]> {
  const isByClient = filter.from === undefined || filter.bookingId !== undefined;
  const client = isByClient ? await indexedClient(tenantId, filter) : undefined;
  return paymentsReceived(tenantId, periodOf(filter), matcher(filter), client?.query);
}

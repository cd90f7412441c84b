/**
 * Payments and refunds as stored, as the owner sees them, and in events (docs/rules.md#payments). Amounts are minor
 * units.
 */
import type { Refund } from '../../contract/account/resources.ts';
import type { EventData } from '../../contract/events.ts';
import type { Payment } from '../../contract/integration/resources.ts';

export function receivedData(payment: Payment): EventData<'payment.received'> {
  const { id: paymentId, bookingId, clientId, amount, currency, method, receivedAt } = payment;
  return { paymentId, bookingId, clientId, amount, currency, method, receivedAt };
}

export function refundedData(refund: Refund, payment: Payment): EventData<'payment.refunded'> {
  const { id: refundId, paymentId, amount, currency, reason, refundedAt } = refund;
  const { bookingId } = payment;
  return { refundId, paymentId, bookingId, amount, currency, reason, partial: amount < payment.amount, refundedAt };
}

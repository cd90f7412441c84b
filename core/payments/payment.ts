/**
 * Payments and refunds as stored, as the owner sees them, and in events (docs/rules.md#payments). Amounts are minor
 * units.
 */
import type { Refund } from '../../contract/account/resources.ts';
import type { EventData } from '../../contract/events.ts';
import type { Payment } from '../../contract/integration/resources.ts';
import { loadItem } from '../store/read.ts';
import { records } from '../table-keys.ts';

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export function loadPayment(tenantId: number, id: number): Promise<Payment> {
  return loadItem(records.payment(tenantId, id));
}

/** The fields of a stored payment that the owner sees. */
export function toPayment(item: Payment): Payment {
  const { id, bookingId, clientId, amount, currency, refundedAmount, method, receivedAt, createdAt } = item;
  return { id, bookingId, clientId, amount, currency, refundedAmount, method, receivedAt, createdAt };
}

export function toRefund({ id, paymentId, amount, currency, reason, refundedAt }: Refund): Refund {
  return { id, paymentId, amount, currency, reason, refundedAt };
}

export function receivedData(payment: Payment): EventData<'payment.received'> {
  const { id: paymentId, bookingId, clientId, amount, currency, method, receivedAt } = payment;
  return { paymentId, bookingId, clientId, amount, currency, method, receivedAt };
}

export function refundedData(refund: Refund, payment: Payment): EventData<'payment.refunded'> {
  const { id: refundId, paymentId, amount, currency, reason, refundedAt } = refund;
  const { bookingId } = payment;
  return { refundId, paymentId, bookingId, amount, currency, reason, partial: amount < payment.amount, refundedAt };
}

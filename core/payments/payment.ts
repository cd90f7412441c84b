/**
 * Payments and refunds: the stored items, and the resources that the owner sees (docs/rules.md#payments). Amounts are
 * minor units.
 */
import type { Refund } from '../../contract/account/resources.ts';
import type { Payment } from '../../contract/integration/resources.ts';
import { loadItem } from '../store/read.ts';
import { records } from '../table-keys.ts';

/** `refundedAmount` is the sum of its refunds, and never more than `amount`. */
export type PaymentItem = Payment;
export type RefundItem = Refund;

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export function loadPayment(tenantId: number, id: number): Promise<PaymentItem> {
  return loadItem('records', records.payment(tenantId, id));
}

export function toPayment(item: PaymentItem): Payment {
  return {
    id: item.id,
    bookingId: item.bookingId,
    clientId: item.clientId,
    amount: item.amount,
    currency: item.currency,
    refundedAmount: item.refundedAmount,
    method: item.method,
    receivedAt: item.receivedAt,
    createdAt: item.createdAt,
  };
}

export function toRefund({ id, paymentId, amount, currency, reason, refundedAt }: RefundItem): Refund {
  return { id, paymentId, amount, currency, reason, refundedAt };
}

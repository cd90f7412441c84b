/** `POST /v1/account/payments/:id/refunds`: refunds a payment in whole or in part, never more than was paid. */
import type * as z from 'zod/mini';
import type { Refund } from '../../contract/account/resources.ts';
import type { refundPayment as row } from '../../contract/account/routes.ts';
import type { Payment } from '../../contract/integration/resources.ts';
import { reasonAbout } from '../bookings/client-book.ts';
import { newId, now, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { atMost } from '../store/expected.ts';
import { loadItem } from '../store/read.ts';
import { insertRecord } from '../store/revised.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { add } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { refundedData } from './payment.ts';

type NewRefund = z.output<(typeof row)['body']>;

/**
 * Raises `payment.refunded`. The refund's transaction is conditional on the amount that is left, so concurrent refunds
 * never exceed the payment. Without an amount, everything that is left is refunded. Errors: 404 `not_found`, 409
 * `refund_exceeds_payment` with the amount that is left in `details`.
 */
export function refundPayment(
  { tenantId }: Principal,
  { id }: { id: number },
  body: NewRefund,
  commit: Commit = commitWithRetry,
): Promise<Refund> {
  return commit(async () => {
    const payment = await loadItem<Payment>(records.payment(tenantId, id));
    const left = payment.amount - payment.refundedAmount;
    const amount = body.amount ?? left;
    if (amount > left || left === 0) {
      throw fail('refund_exceeds_payment', { details: { refundable: left, currency: payment.currency } });
    }
    const expected = { refundedAmount: atMost(payment.amount - amount) };
    const at = now();
    const item: Refund = {
      id: newId(),
      paymentId: id,
      amount,
      currency: payment.currency,
      reason: await reasonAbout(tenantId, payment.clientId, body.reason),
      refundedAt: timestamp(at),
    };
    return {
      result: item,
      writes: [
        // A refund of everything that was left fails as soon as another one is committed, because refunds only increase.
        add('records', records.payment(tenantId, id), { refundedAmount: amount }, expected),
        insertRecord(records.refund(tenantId, id, item.id), item),
        eventPut(tenantId, 'payment.refunded', refundedData(item, payment), at),
      ],
    };
  });
}

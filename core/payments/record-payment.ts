/** `POST /v1/account/payments`: records money that was received. */
import type * as z from 'zod/mini';
import type { recordPayment as row } from '../../contract/account/routes.ts';
import type { Payment } from '../../contract/integration/resources.ts';
import type { BookingItem } from '../bookings/booking.ts';
import { loadBusiness } from '../catalog/read.ts';
import { newId, now, timestamp } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { insertRecord } from '../store/revised.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { records } from '../table-keys.ts';
import { receivedData } from './payment.ts';

type NewPayment = z.output<(typeof row)['body']>;

/**
 * Raises `payment.received`. 404 for an unknown booking or client; 400 if the client is not the booking's client, or
 * the currency is not the business's.
 */
export function recordPayment(
  { tenantId }: Principal,
  body: NewPayment,
  commit: Commit = commitWithRetry,
): Promise<Payment> {
  return commit(async () => {
    const at = now();
    const [business, clientId] = await Promise.all([loadBusiness(tenantId), payerOf(tenantId, body)]);
    if (body.currency !== undefined && body.currency !== business.currency) {
      const message = `must be the currency of the business, ${business.currency}`;
      throw invalid('currency', message);
    }
    const item: Payment = {
      id: newId(),
      bookingId: body.bookingId ?? null,
      clientId,
      amount: body.amount,
      currency: business.currency,
      refundedAmount: 0,
      method: body.method,
      receivedAt: timestamp(body.receivedAt === undefined ? at : Date.parse(body.receivedAt)),
      createdAt: timestamp(at),
    };
    const stored = { ...item, ...records.indexKeysOfPayment(tenantId, item) };
    const received = eventPut(tenantId, 'payment.received', receivedData(item), at);
    return { result: item, writes: [insertRecord(records.payment(tenantId, item.id), stored), received] };
  });
}

async function payerOf(tenantId: number, { bookingId, clientId }: NewPayment): Promise<number | null> {
  if (bookingId !== undefined) {
    const booking = await getItem<BookingItem>('records', records.booking(tenantId, bookingId));
    if (!booking) throw fail('not_found', 'There is no such booking.');
    if (clientId === undefined || clientId === booking.clientId) return booking.clientId;
    throw invalid('clientId', 'is not the client of the booking');
  }
  if (clientId === undefined) return null;
  const client = await getItem('records', records.client(tenantId, clientId));
  if (!client) throw fail('not_found', 'There is no such client.');
  return clientId;
}

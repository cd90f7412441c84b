/** `GET /v1/account/payments`: newest first, by cursor; and one payment with its refunds. */
import type * as z from 'zod/mini';
import type { PaymentWithRefunds, Refund } from '../../contract/account/resources.ts';
import type { listPayments as row } from '../../contract/account/routes.ts';
import type { Payment } from '../../contract/integration/resources.ts';
import type { BookingItem } from '../bookings/booking.ts';
import { loadBooking } from '../bookings/change.ts';
import { isWithin, periodOf } from '../period.ts';
import type { Principal } from '../principal.ts';
import { type CursorPage, listNewest } from '../store/list.ts';
import { getItem, loadItem, type Query, queryPrefix } from '../store/read.ts';
import { records } from '../table-keys.ts';
import type { ReceivedPayment } from './received.ts';

type PaymentsQuery = z.output<(typeof row)['query']>;
export type PaymentsFilter = Omit<PaymentsQuery, 'limit' | 'cursor'>;

/**
 * Payments by the time when they were recorded, newest first. 400 `validation_failed` for a period that ends before it
 * begins.
 */
export async function listPayments(
  { tenantId }: Principal,
  { limit, cursor, ...filter }: PaymentsQuery,
): Promise<CursorPage<Payment>> {
  const period = periodOf(filter);
  const takes = matcher(filter);
  const client = await indexedClient(tenantId, filter);
  return listNewest({
    query: client?.query,
    scope: { tenantId, list: 'payments', ...filter },
    limit,
    cursor,
    matches: (item) => isWithin(period, item.receivedAt) && takes(item),
    keyOf: (id) => ({ ...records.payment(tenantId, id), ...client?.indexKeyOf(id) }),
    show: (payment: Payment) => payment,
  });
}

/** `GET /bookings/:id/payments`. 404 `not_found` for an unknown booking. */
export async function listBookingPayments(
  principal: Principal,
  { id }: { readonly id: number },
  page: Pick<PaymentsQuery, 'limit' | 'cursor'>,
): Promise<CursorPage<Payment>> {
  const { clientId } = await loadBooking(principal, id);
  return listPayments(principal, { bookingId: id, clientId, ...page });
}

/**
 * The query for the payments of one client, if the request filters by a client or a booking: a booking has one client.
 */
export async function indexedClient(tenantId: number, filter: PaymentsFilter) {
  const clientId = filter.clientId ?? (await clientOf(tenantId, filter.bookingId));
  if (clientId === undefined) return undefined;
  const indexKeyOf = (id: number) => records.paymentByClient(tenantId, clientId, id);
  const query: Query = {
    IndexName: 'byClient',
    KeyConditionExpression: 'byClientPk = :pk',
    ExpressionAttributeValues: { ':pk': indexKeyOf(0).byClientPk },
  };
  return { query, indexKeyOf };
}

async function clientOf(tenantId: number, bookingId: number | undefined): Promise<number | undefined> {
  if (bookingId === undefined) return undefined;
  const booking = await getItem<BookingItem>('records', records.booking(tenantId, bookingId));
  // No client has the id 0, so for an unknown booking no payments are read.
  return booking?.clientId ?? 0;
}

/** Whether a payment meets the conditions of a filter, apart from the period. */
export function matcher({ bookingId, clientId }: PaymentsFilter) {
  return (payment: Pick<ReceivedPayment, 'bookingId' | 'clientId'>) =>
    (bookingId === undefined || payment.bookingId === bookingId) &&
    (clientId === undefined || payment.clientId === clientId);
}

/** Refunds in the order in which they were made. 404 `not_found`. */
export async function getPayment({ tenantId }: Principal, { id }: { id: number }): Promise<PaymentWithRefunds> {
  const [payment, refunds] = await Promise.all([
    loadItem<Payment>(records.payment(tenantId, id)),
    queryPrefix<Refund>('records', records.refund(tenantId, id, 0).pk, records.refundsOf(id)),
  ]);
  return { ...payment, refunds };
}

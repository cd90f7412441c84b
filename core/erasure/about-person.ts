/** Decides which stored data is about a client, and which contacts of the client other data contains. */
import type { Payment } from '../../contract/integration/resources.ts';
import type { BookingItem } from '../bookings/booking.ts';
import { contactHashes, contactKeys, ownerOf } from '../bookings/clients.ts';
import { getRecords } from '../store/read.ts';
import { records } from '../table-keys.ts';
import type { Fields } from './person.ts';

/**
 * The client who is erased or exported. `since` is the creation time in epoch milliseconds: no older item is about the
 * client.
 */
export interface Person {
  readonly tenantId: number;
  readonly clientId: number;
  /** Hashes of the former contacts: they may have been sent with bookings of other clients. */
  readonly contacts: readonly string[];
  readonly since: number;
  /** Whether an erasure cancels the upcoming bookings. */
  readonly cancelBookings?: boolean | undefined;
}

/** Whether the fields of a row are about the client: by the client's id, or, for a refund, by that of its payment. */
export async function aboutPerson<Row>(
  { tenantId, clientId }: Person,
  rows: readonly Row[],
  fieldsOf: (row: Row) => Fields,
): Promise<(fields: Fields) => boolean> {
  const paymentOf = (fields: Fields) => (fields.clientId === undefined ? fields.paymentId : undefined);
  const ids = [...new Set(rows.flatMap((row) => paymentOf(fieldsOf(row)) ?? []))] as number[];
  const payments = await getRecords<Payment>(ids.map((id) => records.payment(tenantId, id)));
  const own = new Set<unknown>(payments.flatMap((payment) => (payment?.clientId === clientId ? payment.id : [])));
  const isClient = (fields: Fields) => fields.id === clientId && 'erasedAt' in fields;
  return (fields) => fields.clientId === clientId || isClient(fields) || own.has(paymentOf(fields));
}

/**
 * A booking of another client without the contacts of the erased client; nothing if it contains none of them. A contact
 * that now belongs to the other client stays: after an erasure, a person may book again as a new client.
 */
export async function withoutContacts<T extends Fields>(
  { tenantId, contacts }: Person,
  fields: T,
): Promise<T | undefined> {
  if (contacts.length === 0 || !fields.client) return undefined;
  const { name, phone, email } = fields.client as BookingItem['client'];
  const isOfPerson = async (contact: Partial<BookingItem['client']>) =>
    contactHashes(tenantId, contact).some((hash) => contacts.includes(hash)) &&
    (await ownerOf(contactKeys(tenantId, contact))) !== fields.clientId;
  const client = {
    name,
    phone: (await isOfPerson({ phone })) ? null : phone,
    email: (await isOfPerson({ email })) ? null : email,
  };
  return client.phone === phone && client.email === email ? undefined : { ...fields, client };
}

/** The contacts that `withoutContacts` removes, and no data of the other client. */
export function contactsOf(fields: { readonly client?: unknown }, others: { readonly client?: unknown }): Fields {
  const [before, after] = [fields.client, others.client] as [BookingItem['client'], BookingItem['client']];
  const removed = (name: 'phone' | 'email') => (after[name] === null ? before[name] : null);
  return { client: { phone: removed('phone'), email: removed('email') } };
}

/** Decides which stored data is about a client, and which contacts of the client other data contains. */
import type { Payment } from '../../contract/integration/resources.ts';
import type { BookingItem } from '../bookings/booking.ts';
import { contactHashes, contactKeys, ownerOf } from '../bookings/clients.ts';
import type { Key } from '../store/key.ts';
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

/**
 * Whether the fields of a row are about the client: they contain the client's id or, for a refund, the id of a payment
 * of the client.
 */
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
 * The clients to whom former contacts in these bookings belong now, by the contact's hash. Read once for all bookings,
 * because thousands of them may contain the same contact.
 */
export async function contactOwners(
  { tenantId, contacts }: Person,
  bookings: readonly { readonly client?: unknown }[],
): Promise<ReadonlyMap<string, number | undefined>> {
  const sent = bookings.flatMap(({ client }) => (client ? [client as BookingItem['client']] : []));
  const keys = new Map<string, Key[]>();
  for (const contact of sent.flatMap(({ phone, email }) => [{ phone }, { email }])) {
    for (const hash of contactHashes(tenantId, contact)) {
      if (contacts.includes(hash)) keys.set(hash, contactKeys(tenantId, contact));
    }
  }
  return new Map(await Promise.all([...keys].map(async ([hash, key]) => [hash, await ownerOf(key)] as const)));
}

/**
 * A booking of another client without the contacts of the erased client; undefined if it contains none of them. A
 * contact stays in bookings of the client to whom it belongs after the erasure, such as a person who books again.
 */
export function withoutContacts<T extends { readonly clientId?: unknown; readonly client?: unknown }>(
  { tenantId }: Person,
  owners: Awaited<ReturnType<typeof contactOwners>>,
  fields: T,
): T | undefined {
  if (!fields.client) return undefined;
  const { name, phone, email } = fields.client as BookingItem['client'];
  const isOfPerson = (contact: Partial<BookingItem['client']>) =>
    contactHashes(tenantId, contact).some((hash) => owners.has(hash) && owners.get(hash) !== fields.clientId);
  const client = { name, phone: isOfPerson({ phone }) ? null : phone, email: isOfPerson({ email }) ? null : email };
  return client.phone === phone && client.email === email ? undefined : { ...fields, client };
}

/** The contacts that `withoutContacts` removes, and no data of the other client. */
export function contactsOf(fields: { readonly client?: unknown }, others: { readonly client?: unknown }): Fields {
  const [before, after] = [fields.client, others.client] as [BookingItem['client'], BookingItem['client']];
  const removed = (name: 'phone' | 'email') => (after[name] === null ? before[name] : null);
  return { client: { phone: removed('phone'), email: removed('email') } };
}

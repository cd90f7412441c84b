/** Finds the client of a booking by id, or by phone or email within the tenant, or creates a new client. */
import type { EventData } from '../../contract/events.ts';
import { phoneDigits } from '../../contract/fields.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import { newId, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import { hashOf, type Key } from '../store/key.ts';
import { getItem, getRecords } from '../store/read.ts';
import { insertRecord, type Revised } from '../store/revised.ts';
import type { Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { changeEntry } from './changes.ts';
import { nameEntryWrites } from './client-names.ts';

export interface ClientItem extends Revised {
  readonly id: number;
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the client was erased. An erased client has no name and no contacts, and never gets new ones. */
  readonly erasedAt?: string;
  /** The former contacts of an erased client, until the last search for its data has ended. */
  readonly contactHashes?: string[];
  /** When the last search for data of an erased client began, in epoch milliseconds. */
  readonly searchedAt?: number;
  /** Whether this last search cancels bookings. */
  readonly searchCancels?: boolean;
}

/** The revision in responses and events: 1 for a client that has never changed. */
export function revisionOf({ revision = 0 }: Revised): number {
  return revision + 1;
}

/** The data that both events of a client contain. */
export function clientData(item: ClientItem): EventData<'client.created'> {
  const { id: clientId, name, phone, email, createdAt } = item;
  return { clientId, name, phone, email, createdAt, revision: revisionOf(item) };
}

interface ClientRequest {
  readonly clientId?: number | undefined;
  readonly client?: SentContact | undefined;
}

interface ClientOfBooking {
  readonly id: number;
  /** The contacts that the booking stores: those in the request, or else the client's current ones. */
  readonly contact: Booking['client'];
  /** The writes that create a new client; none for a known one. */
  readonly writes: readonly Write[];
}

/**
 * Finds or creates the client of a booking. The writes of a new client fail if another client has the phone or email.
 * So of two concurrent first bookings of one person, one creates the client, and the other reads again and finds it. A
 * known and an unknown contact cause the same reads. 404 for an unknown client id.
 */
export async function clientFor(tenantId: number, request: ClientRequest, at: number): Promise<ClientOfBooking> {
  if (request.clientId !== undefined) {
    const client = await getItem<ClientItem>('records', records.client(tenantId, request.clientId));
    if (!client || client.erasedAt) throw fail('not_found', 'There is no such client.');
    return { id: client.id, contact: contactOf(client), writes: [] };
  }
  if (!request.client) throw new Error('A booking request contains no client');
  const contact = contactOf(request.client);
  const known = await ownerOf(contactKeys(tenantId, request.client));
  if (known !== undefined) return { id: known, contact, writes: [] };
  const { client, writes } = newClient(tenantId, request.client, at);
  return { id: client.id, contact, writes };
}

function contactOf({ name, phone = null, email = null }: SentContact): Booking['client'] {
  return { name, phone, email };
}

interface Contacts {
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
}

interface SentContact extends Contacts {
  readonly name: string;
}

type Contact = { readonly kind: 'phone' | 'email'; readonly value: string };

/**
 * Two phones are the same if their digits are, two emails if they differ only in case. The phone is looked up first.
 */
export function contactsOf({ phone, email }: Contacts): Contact[] {
  const contacts: Contact[] = [];
  if (phone) contacts.push({ kind: 'phone', value: phoneDigits(phone) });
  if (email) contacts.push({ kind: 'email', value: email.toLowerCase() });
  return contacts;
}

/** The items by which a client with these contacts is found. */
export function contactKeys(tenantId: number, contacts: Contacts): Key[] {
  return contactsOf(contacts).map(({ kind, value }) => records.contact(tenantId, kind, value));
}

/** The client to whom one of these contacts belongs; the first match is returned. */
export async function ownerOf(contacts: readonly Key[]): Promise<number | undefined> {
  const owners = await getRecords<{ clientId: number }>(contacts);
  return owners.find((owner) => owner !== undefined)?.clientId;
}

/** A hash that distinguishes contacts. It does not contain them but could be guessed, so it is personal data. */
export function contactHashes(tenantId: number, contacts: Contacts): string[] {
  return contactsOf(contacts).map(({ kind, value }) => hashOf(`${tenantId} ${kind} ${value}`));
}

/** A new client, with the claims of its phone and email. */
export function newClient(
  tenantId: number,
  sent: SentContact & { readonly metadata?: ClientItem['metadata'] | undefined },
  at: number,
): { readonly client: ClientItem; readonly writes: readonly Write[] } {
  const { metadata } = sent;
  const createdAt = timestamp(at);
  const client: ClientItem = {
    id: newId(),
    ...contactOf(sent),
    ...(metadata && { metadata }),
    createdAt,
    updatedAt: createdAt,
  };
  return {
    client,
    writes: [
      insertRecord(records.client(tenantId, client.id), client),
      changeEntry(tenantId, 'CLIENT', client),
      ...contactKeys(tenantId, client).map((key) => insertRecord(key, { clientId: client.id })),
      ...nameEntryWrites(tenantId, undefined, client),
      eventPut(tenantId, 'client.created', clientData(client), at),
    ],
  };
}

/** The client of a booking: named by id, found by phone or email inside the tenant, or new. */
import { phoneDigits } from '../../contract/fields.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import { newId, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { outboxPut, raise } from '../events/event.ts';
import type { Key } from '../store/key.ts';
import { getItem, getItems } from '../store/read.ts';
import { insertRecord, type Revised } from '../store/revised.ts';
import type { Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { hashOf } from './change.ts';
import { changeEntry } from './changes.ts';
import { renamed } from './client-names.ts';

export interface ClientItem extends Revised {
  readonly id: number;
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Once erased, a client has no name and no contacts, and gets none. */
  readonly erasedAt?: string;
  /** What an erased client had, by which it is searched for, until every search is on its way. */
  readonly contactHashes?: string[];
  /** When the last search for what is left of an erased client began, in epoch milliseconds. */
  readonly searchedAt?: number;
}

/** As it is shown: a client that never changed is revision 1. */
export function revisionOf({ revision = 0 }: Revised): number {
  return revision + 1;
}

interface ClientRequest {
  readonly clientId?: number | undefined;
  readonly client?: SentContact | undefined;
}

interface ClientOfBooking {
  readonly id: number;
  /** What the booking keeps: as it was sent with it, or as its client has it at that time. */
  readonly contact: Booking['client'];
  /** What makes a new client exist: nothing for a known one. */
  readonly writes: readonly Write[];
}

/**
 * Which client a booking is for. The writes claim phone and email with a condition, so that of two first bookings of
 * one person one makes the client, and the other reads again and finds it. What is read for a contact is the same whether
 * it is known or not. 404 for a client whom the tenant lacks.
 */
export async function clientFor(tenantId: number, request: ClientRequest, at: number): Promise<ClientOfBooking> {
  if (request.clientId !== undefined) {
    const client = await getItem<ClientItem>('records', records.client(tenantId, request.clientId));
    if (!client || client.erasedAt) throw fail('not_found', { message: 'There is no such client.' });
    return { id: client.id, contact: contactOf(client), writes: [] };
  }
  if (!request.client) throw new Error('A booking names a client or brings one');
  const contact = contactOf(request.client);
  const known = await ownerOf(keptContactKeys(tenantId, request.client));
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

/** Phones are the same when their digits are, emails when they differ in case alone. The phone is asked first. */
export function contactsOf({ phone, email }: Contacts): Contact[] {
  const contacts: Contact[] = [];
  if (phone) contacts.push({ kind: 'phone', value: phoneDigits(phone) });
  if (email) contacts.push({ kind: 'email', value: email.toLowerCase() });
  return contacts;
}

/** By what a client with these contacts is found from now on. */
export function contactKeys(tenantId: number, contacts: Contacts): Key[] {
  return contactsOf(contacts).map(({ kind, value }) => records.contact(tenantId, kind, value));
}

/** The same, and where a phone with more zeros at its beginning than `00` was kept before they were dropped. */
export function keptContactKeys(tenantId: number, contacts: Contacts): Key[] {
  const keys = contactKeys(tenantId, contacts);
  const former = (contacts.phone ?? '').replace(/[^0-9]/g, '').replace(/^00/, '');
  const key = records.contact(tenantId, 'phone', former);
  return former === '' || keys.some(({ sk }) => sk === key.sk) ? keys : [...keys, key];
}

/** The client to whom one of these contacts belongs, the first that belongs to any. */
export async function ownerOf(contacts: readonly Key[]): Promise<number | undefined> {
  const owners = await getItems<{ clientId: number }>('records', contacts);
  return owners.find((owner) => owner !== undefined)?.clientId;
}

/** Tells contacts from each other without containing them, but can be guessed: it is personal data. */
export function contactHashes(tenantId: number, contacts: Contacts): string[] {
  return contactsOf(contacts).map(({ kind, value }) => hashOf(`${tenantId} ${kind} ${value}`));
}

/** A client who does not exist yet, with the claims of phone and email. */
export function newClient(
  tenantId: number,
  {
    name,
    phone = null,
    email = null,
    metadata,
  }: SentContact & { readonly metadata?: ClientItem['metadata'] | undefined },
  at: number,
): { readonly client: ClientItem; readonly writes: readonly Write[] } {
  const createdAt = timestamp(at);
  const client: ClientItem = {
    id: newId(),
    name,
    phone,
    email,
    ...(metadata && { metadata }),
    createdAt,
    updatedAt: createdAt,
  };
  const created = raise(
    tenantId,
    'client.created',
    { clientId: client.id, name, phone, email, createdAt, revision: revisionOf(client) },
    at,
  );
  return {
    client,
    writes: [
      insertRecord(records.client(tenantId, client.id), client),
      changeEntry(tenantId, 'CLIENT', client),
      ...contactKeys(tenantId, client).map((key) => insertRecord(key, { clientId: client.id })),
      ...renamed(tenantId, undefined, client),
      outboxPut(created),
    ],
  };
}

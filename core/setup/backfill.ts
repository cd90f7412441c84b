/**
 * Writes beside older items what is written with new ones since: the entries and contacts by which clients are found, and
 * the places of bookings and payments in indexes. A version that adds such a thing adds a row here (`npm run backfill`).
 */
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Payment } from '../../contract/account/resources.ts';
import type { BookingItem } from '../bookings/booking.ts';
import { contactKeys } from '../bookings/client-book.ts';
import { renamed } from '../bookings/client-names.ts';
import type { ClientItem } from '../bookings/clients.ts';
import { type BusinessItem, laterIndexes } from '../catalog/items.ts';
import { someAtATime } from '../chunks.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import type { Key } from '../store/key.ts';
import { getItem, getItems } from '../store/read.ts';
import { asRead, firstPut, type Revised, successorPut } from '../store/revised.ts';
import { decideAndCommit } from '../store/transact.ts';
import { check, remove, set, type Write, writeOne } from '../store/write.ts';
import { records } from '../table-keys.ts';

type Found = Required<Key> & Readonly<Record<string, unknown>>;

interface Row {
  readonly of: (place: Found) => boolean;
  /** Whether anything was written. Whoever changes the item meanwhile comes first. */
  readonly fill: (tenantId: number, item: Found) => Promise<boolean>;
}

const rows = {
  clients: { of: ({ sk }) => sk.startsWith(records.clientPrefix), fill: fillClient },
  contacts: { of: ({ sk }) => sk.startsWith(contactsWith00), fill: moveContact },
  payments: { of: ({ pk }) => pk.endsWith(paymentsEnd), fill: fillPayment },
  bookings: { of: ({ sk }) => sk.startsWith(records.bookingPrefix), fill: fillBooking },
} as const satisfies Record<string, Row>;
const contactsWith00 = records.contact(0, 'phone', '00').sk;
const paymentsEnd = records.payment(0, 0).pk.slice(records.tenant(0).length);

export type Backfilled = Readonly<Record<keyof typeof rows | 'businesses', number>>;

/** Looks at every record once and can be run at any time, and again. Returns how many items of each kind lacked something. */
export async function backfill(): Promise<Backfilled> {
  const filled = { clients: 0, contacts: 0, payments: 0, bookings: 0, businesses: 0 };
  const businesses: number[] = [];
  const scan = { TableName: env.table('records'), ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamo() }, scan)) {
    await someAtATime(Items as Found[], async (item) => {
      for (const [name, row] of Object.entries(rows) as [keyof typeof rows, Row][]) {
        if (row.of(item) && (await row.fill(tenantOf(item), item))) filled[name] += 1;
      }
      if (item.sk === records.business(0).sk) businesses.push(tenantOf(item));
    });
  }
  // Only when all that is theirs has been looked at.
  await someAtATime(businesses, async (tenantId) => {
    if (await markIndexed(tenantId)) filled.businesses += 1;
  });
  return filled;
}

function tenantOf({ pk }: Found): number {
  return Number(pk.split('#')[1]);
}

/** The entries of a name are written while the client still has it, so that none outlives it. */
function fillClient(tenantId: number, { id }: Found): Promise<boolean> {
  const place = records.client(tenantId, Number(id));
  return decideAndCommit(async () => {
    const client = await getItem<ClientItem & Revised>('records', place);
    if (!client || client.erasedAt) return { writes: [], answer: false };
    const entries = renamed(tenantId, undefined, client);
    const missing: Write[] = [];
    for (const entry of entries) {
      const { pk = '', sk = '' } = entry.Put?.Item ?? {};
      if (!(await getItem('records', { pk, sk }))) missing.push(entry);
    }
    const writes = missing.length > 0 ? [check('records', place, asRead(client)), ...missing] : [];
    return { writes, answer: missing.length > 0 };
  });
}

/**
 * 1.0.0 compared phones with their `00`. A contact in that spelling finds nobody, and neither a change nor an erasure of its
 * client gives it free. It moves to where the phone is looked for now, or goes: when that belongs to another client, or the
 * phone is no longer the client's. Erasure does not look for it, because it could not see what earlier erasures left.
 * The client gets a new revision, so that an erasure that read the contacts before decides again.
 */
function moveContact(tenantId: number, { pk, sk }: Found): Promise<boolean> {
  const place = { pk, sk };
  const kept = { writes: [], answer: false };
  return decideAndCommit(async () => {
    const contact = await getItem<{ clientId: number }>('records', place);
    if (!contact) return kept;
    const owner = { clientId: contact.clientId };
    const clientPlace = records.client(tenantId, owner.clientId);
    const client = await getItem<ClientItem>('records', clientPlace);
    if (!client) return kept;
    const keys = contactKeys(tenantId, client);
    // Of four zeros at the beginning two are the phone's.
    if (keys.some((key) => key.sk === sk)) return kept;
    const owners = await getItems('records', keys);
    const unclaimed = keys.filter((_, i) => !owners[i]);
    return {
      writes: [
        remove('records', place, owner),
        ...unclaimed.map((key) => firstPut(key, owner)),
        successorPut(clientPlace, client, client),
      ],
      answer: true,
    };
  });
}

async function fillPayment(tenantId: number, item: Found): Promise<boolean> {
  return fillPlaces(item, records.placesOfPayment(tenantId, item as unknown as Payment));
}

async function fillBooking(tenantId: number, item: Found): Promise<boolean> {
  const { id, clientId, start } = item as unknown as BookingItem;
  return fillPlaces(item, records.bookingByClient(tenantId, clientId, start, id));
}

/** Whoever writes the item writes its places as well, so what is missing is missing still. */
async function fillPlaces(item: Found, places: Readonly<Record<string, string>>): Promise<boolean> {
  const missing = Object.entries(places).filter(([name]) => item[name] === undefined);
  if (missing.length === 0) return false;
  const [pk, sk] = [item.pk, item.sk];
  const absent = Object.fromEntries(missing.map(([name]) => [name, undefined]));
  return (await writeOne(set('records', { pk, sk }, Object.fromEntries(missing), absent))) !== undefined;
}

function markIndexed(tenantId: number): Promise<boolean> {
  const place = records.business(tenantId);
  return decideAndCommit(async () => {
    const business = await getItem<BusinessItem>('records', place);
    const isWhole = !business || laterIndexes.every((index) => business.indexed?.includes(index));
    if (isWhole) return { writes: [], answer: false };
    return { writes: [successorPut(place, business, { ...business, indexed: laterIndexes })], answer: true };
  });
}

/** The list of clients that an owner manages (docs/rules.md#clients). A phone or an email belongs to one client. */
import type * as z from 'zod/mini';
import type {
  createClient as createRow,
  listClients as listRow,
  updateClient as updateRow,
} from '../../contract/account/routes.ts';
import type { Client } from '../../contract/integration/resources.ts';
import { now, timestamp } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import type { Key } from '../store/key.ts';
import { type CursorPage, listNewest } from '../store/list.ts';
import { getItem, getRecords, inPartition, loadItem } from '../store/read.ts';
import { changed, insertRecord, replaceRecord } from '../store/revised.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { changeEntry, listChanges } from './changes.ts';
import { nameEntryWrites } from './client-names.ts';
import { type ClientItem, clientData, contactKeys, newClient, ownerOf, revisionOf } from './clients.ts';
import { withMetadata } from './metadata.ts';
import { searchClients } from './search-clients.ts';

type NewClient = z.output<(typeof createRow)['body']>;
type ClientChanges = z.output<(typeof updateRow)['body']>;
type ClientsQuery = z.output<(typeof listRow)['query']>;

/**
 * Newest first, or in the order of changes; results of `search` are in the order of `searchClients`. `phone` or `email`
 * finds one client. 400 `validation_failed` for parameters that exclude each other.
 */
export async function listClients(
  { tenantId }: Principal,
  { search, phone, email, ids, sort, updatedFrom, ...page }: ClientsQuery,
): Promise<CursorPage<Client> & { hasMore?: boolean }> {
  const ways = { ids, sort, search, ...(phone === undefined ? { email } : { phone }) };
  const [, other] = Object.entries(ways).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (other !== undefined) throw invalid(other, 'cannot be combined with another order or search');
  // These lists have one page.
  if (page.cursor !== undefined && (ids ?? phone ?? email) !== undefined) {
    throw invalid('cursor', 'cannot be combined with ids, phone or email');
  }
  if (sort) {
    const { items, ...rest } = await listChanges<ClientItem>({
      ...{ tenantId, kind: 'CLIENT', itemKey: (id) => records.client(tenantId, id), updatedFrom, ...page },
      filter: {},
      matches: () => true,
    });
    return { data: items.map(toClient), ...rest };
  }
  const changedFrom = updatedFrom === undefined ? Number.NEGATIVE_INFINITY : Date.parse(updatedFrom);
  const matches = (item: ClientItem) => Date.parse(item.updatedAt) >= changedFrom;
  if (ids) {
    const found = await getRecords<ClientItem>([...new Set(ids)].map((id) => records.client(tenantId, id)));
    return { data: found.flatMap((item) => (item && matches(item) ? toClient(item) : [])), nextCursor: null };
  }
  if (phone !== undefined || email !== undefined) {
    const owned = (await clientsOf(tenantId, { phone, email })).filter(matches);
    return { data: owned.map(toClient), nextCursor: null };
  }
  if (search === undefined) {
    return listNewest({
      ...page,
      query: inPartition(records.tenant(tenantId), records.clientPrefix),
      scope: { tenantId, list: 'clients', updatedFrom },
      matches,
      keyOf: (id) => records.client(tenantId, id),
      show: toClient,
    });
  }
  const { items, nextCursor } = await searchClients(tenantId, { search, updatedFrom, ...page });
  return { data: items.filter(matches).map(toClient), nextCursor };
}

/** The client to whom all given contacts belong, if there is one. */
async function clientsOf(
  tenantId: number,
  { phone, email }: { readonly phone: string | undefined; readonly email: string | undefined },
): Promise<ClientItem[]> {
  const contacts = [...(phone === undefined ? [] : [{ phone }]), ...(email === undefined ? [] : [{ email }])];
  const ids = new Set(await Promise.all(contacts.map((contact) => ownerOf(contactKeys(tenantId, contact)))));
  const [id] = ids;
  if (ids.size > 1 || id === undefined) return [];
  const [client] = await getRecords<ClientItem>([records.client(tenantId, id)]);
  return client ? [client] : [];
}

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export async function getClient({ tenantId }: Principal, { id }: { id: number }): Promise<Client> {
  return toClient(await loadClient(tenantId, id));
}

/** Raises `client.created`. 409 `client_exists`, with the other client's id in `details`. */
export function createClient(
  { tenantId }: Principal,
  body: NewClient,
  commit: Commit = commitWithRetry,
): Promise<Client> {
  return commit(async () => {
    assertUnclaimed(await ownerOf(contactKeys(tenantId, body)));
    const { client, writes } = newClient(tenantId, body, now());
    return { writes, result: toClient(client) };
  });
}

/**
 * Raises `client.updated` with the changed fields. 409 `client_exists`, 409 `invalid_state` for an erased client, 400
 * without phone and email.
 */
export function updateClient({ tenantId }: Principal, { id }: { id: number }, body: ClientChanges): Promise<Client> {
  return commitWithRetry(async () => {
    const before = await loadClient(tenantId, id);
    if (before.erasedAt) throw fail('invalid_state', 'The client was erased.');
    const metadata = body.metadata && withMetadata(before.metadata, body.metadata);
    const { item, changedFields } = changed({ metadata: {}, ...before }, { ...body, metadata });
    if (changedFields.length === 0) return { writes: [], result: toClient(before) };
    if (item.phone === null && item.email === null) {
      throw invalid('phone', 'phone and email cannot both be null');
    }
    const at = now();
    const after = { ...item, updatedAt: timestamp(at), revision: (before.revision ?? 0) + 1 };
    const data = { ...clientData(after), changedFields, updatedAt: after.updatedAt, erased: false };
    return {
      writes: [
        replaceRecord(records.client(tenantId, id), before, after),
        changeEntry(tenantId, 'CLIENT', after),
        ...(await contactWrites(tenantId, before, after)),
        ...nameEntryWrites(tenantId, before, after),
        eventPut(tenantId, 'client.updated', data, at),
      ],
      result: toClient(after),
    };
  });
}

function assertUnclaimed(clientId: number | undefined): void {
  if (clientId !== undefined) throw fail('client_exists', { details: { clientId } });
}

/** The writes that give a client exactly its new contacts. 409 `client_exists`. */
async function contactWrites(tenantId: number, before: ClientItem, after: ClientItem): Promise<Write[]> {
  if (before.phone === after.phone && before.email === after.email) return [];
  const [had, has] = [contactKeys(tenantId, before), contactKeys(tenantId, after)];
  const isIn = (keys: readonly Key[], { sk }: Key) => keys.some((key) => key.sk === sk);
  const owners = await getRecords<{ clientId: number }>(has);
  const claims = has.map((key, i) => ({ key, owner: owners[i]?.clientId }));
  const isOfOther = (owner: number | undefined) => owner !== undefined && owner !== after.id;
  assertUnclaimed(claims.find(({ key, owner }) => isOfOther(owner) && !isIn(had, key))?.owner);
  return [
    ...claims.flatMap(({ key, owner }) => (owner === undefined ? insertRecord(key, { clientId: after.id }) : [])),
    ...(await release(
      had.filter((key) => !isIn(has, key)),
      after.id,
    )),
  ];
}

/**
 * Releases those contacts that belong to the client. After the loss of a region, two clients may have one contact: it
 * belongs to one of them, and is not released by the other.
 */
export async function release(contacts: readonly Key[], clientId: number): Promise<Write[]> {
  const owners = await Promise.all(contacts.map((key) => getItem<{ clientId: number }>('records', key)));
  return contacts.filter((_, i) => owners[i]?.clientId === clientId).map((key) => remove('records', key));
}

/** 409 `invalid_state` if the client of a booking was erased: no text about this client is stored any more. */
export async function assertNotErased(tenantId: number, { clientId }: { readonly clientId: number }): Promise<void> {
  if (await isErased(tenantId, clientId)) {
    throw fail('invalid_state', 'The client of this booking was erased.');
  }
}

/** The reason of a change as it is stored: null if the client was erased, because it may contain personal data. */
export async function reasonAbout(tenantId: number, clientId: number | null, reason = ''): Promise<string | null> {
  return reason === '' || (clientId !== null && (await isErased(tenantId, clientId))) ? null : reason;
}

/** False if the client is unknown: after the loss of a region, a booking may exist without its client. */
async function isErased(tenantId: number, clientId: number): Promise<boolean> {
  return (await getItem<ClientItem>('records', records.client(tenantId, clientId)))?.erasedAt !== undefined;
}

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export function loadClient(tenantId: number, id: number): Promise<ClientItem> {
  return loadItem(records.client(tenantId, id));
}

export function toClient(item: ClientItem): Client {
  const { id, name, phone, email, metadata = {}, createdAt, updatedAt, erasedAt = null } = item;
  const revision = revisionOf(item);
  return { id, name, phone, email, createdAt, updatedAt, erasedAt, metadata, erased: erasedAt !== null, revision };
}

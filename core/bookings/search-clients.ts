/** `GET /v1/account/clients?search=…` (docs/rules.md#clients): finds the beginning of a name, a phone or an email. */
import type * as z from 'zod/mini';
import type { listClients as row } from '../../contract/account/routes.ts';
import { phoneDigits, plainPhone } from '../../contract/fields.ts';
import { limits } from '../../contract/limits.ts';
import { badCursor, readCursor, writeCursor } from '../cursor.ts';
import type { Key } from '../store/key.ts';
import { getRecords, inPartition, queryPage } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { entriesOf, searched } from './client-names.ts';
import { type ClientItem, contactKeys } from './clients.ts';

/** Search entries of the tenant, each with the id of a client. */
interface Entry extends Required<Key> {
  readonly clientId: number;
}

/** `updatedFrom` is only for the cursor; the caller filters. */
type ClientSearch = Pick<z.output<(typeof row)['query']>, 'updatedFrom' | 'limit' | 'cursor'> & { search: string };

/**
 * Clients in the order of their names from the found word on, then clients of whom only the phone or email matches. A
 * client with several matching entries is listed once, at the first. A page reads as many entries as it may show, and
 * their clients, so it may be shorter than `limit`. 400 `validation_failed` for a cursor of another search.
 */
export async function searchClients(
  tenantId: number,
  { search, updatedFrom, limit = limits.pageSizeDefault, cursor }: ClientSearch,
): Promise<{ items: ClientItem[]; nextCursor: string | null }> {
  const scope = { tenantId, list: 'clients', search, updatedFrom };
  const prefixes = prefixesOf(tenantId, search);
  let { part, after } =
    cursor === undefined ? { part: 0, after: undefined } : positionIn(readCursor(scope, cursor), prefixes);
  const entries: Entry[] = [];
  let position: string | null = null;
  for (; part < prefixes.length; part++, after = undefined) {
    const found = await entriesAfter(tenantId, prefixes[part] ?? '', after, limit + 1 - entries.length);
    entries.push(...found);
    if (entries.length > limit) {
      const last = entries[limit - 1];
      // If the last entry of the page belongs to the previous part, the next page begins with this part.
      const isOfThisPart = found.length > 1;
      position = `${part}:${isOfThisPart ? (last?.sk ?? '') : ''}`;
      break;
    }
  }
  const shown = entries.slice(0, limit);
  const clients = await getRecords<ClientItem>(shown.map(({ clientId }) => records.client(tenantId, clientId)));
  const items = shown.flatMap(({ sk }, i) => {
    const client = clients[i];
    return client && firstEntry(tenantId, client, prefixes) === sk ? [client] : [];
  });
  return { items, nextCursor: position === null ? null : writeCursor(scope, position) };
}

/** The prefixes of sort keys, in the order of the list. An empty search finds nothing. */
function prefixesOf(tenantId: number, search: string): string[] {
  const name = searched(search);
  const digits = /^[+0-9 ()./-]+$/.test(plainPhone(search)) ? phoneDigits(search) : '';
  const email = search.trim().toLowerCase();
  return [
    ...(name === '' ? [] : [records.clientNames(name)]),
    ...(digits === '' ? [] : [records.contact(tenantId, 'phone', digits).sk]),
    ...(email === '' ? [] : [records.contact(tenantId, 'email', email).sk]),
  ];
}

/** The sort key of the first entry by which a search finds a client. */
function firstEntry(tenantId: number, client: ClientItem, prefixes: readonly string[]): string | undefined {
  const { id, name, phone, email } = client;
  const all = [
    ...entriesOf(name).map((entry) => records.clientName(tenantId, entry, id)),
    ...contactKeys(tenantId, { phone, email }),
  ]
    .map(({ sk = '' }) => sk)
    .sort();
  for (const prefix of prefixes) {
    const first = all.find((sk) => sk.startsWith(prefix));
    if (first) return first;
  }
  return undefined;
}

async function entriesAfter(
  tenantId: number,
  prefix: string,
  after: string | undefined,
  count: number,
): Promise<readonly Entry[]> {
  const pk = records.tenant(tenantId);
  const { items } = await queryPage<Entry>('records', {
    ...inPartition(pk, prefix),
    ...(after !== undefined && { ExclusiveStartKey: { pk, sk: after } }),
    ProjectionExpression: 'pk, sk, clientId',
    Limit: count,
    ConsistentRead: true,
  });
  return items;
}

/** `part:sort key` of the last entry of the previous page; without a sort key, the part begins. */
function positionIn(text: string, prefixes: readonly string[]): { part: number; after: string | undefined } {
  const [, digits = '', sk = ''] = /^([0-2]):(.*)$/s.exec(text) ?? [];
  const prefix = digits === '' ? undefined : prefixes[Number(digits)];
  if (prefix === undefined || !(sk === '' || sk.startsWith(prefix))) throw badCursor();
  return { part: Number(digits), after: sk === '' ? undefined : sk };
}

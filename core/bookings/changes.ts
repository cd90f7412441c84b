/**
 * The list of changes (docs/rules.md#changes): each write of a booking or a client adds an entry in the same
 * transaction, and the list reads these entries. So the cost of a poll depends on the number of changes, not of
 * bookings.
 */
import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import { badCursor, readCursor, writeCursor } from '../cursor.ts';
import type { Key } from '../store/key.ts';
import { getRecords, queryPage } from '../store/read.ts';
import { put, type Write } from '../store/write.ts';
import { type ChangedKind, changes } from '../table-keys.ts';

/** The fields that connect an entry with its item. A client that has never changed has no revision. */
interface Changed {
  readonly id: number;
  readonly updatedAt: string;
  readonly revision?: number;
}

/** The entry of a change, for the transaction that writes the item. Each revision of an item has an entry. */
export function changeEntry(tenantId: number, kind: ChangedKind, { id, updatedAt, revision = 0 }: Changed): Write {
  return put('records', changes.entry(tenantId, kind, { at: Date.parse(updatedAt), id, revision }));
}

interface ChangesQuery<Item> {
  readonly tenantId: number;
  readonly kind: ChangedKind;
  readonly itemKey: (id: number) => Key;
  readonly matches: (item: Item) => boolean;
  /** A point in time at which a list without a cursor begins. Default: the first entry. */
  readonly updatedFrom?: string | undefined;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface ChangesPage<Item> {
  readonly items: Item[];
  /** Never absent: it leads to later changes, even after a year. */
  readonly nextCursor: string;
  /** Whether there are more changes to read now. */
  readonly hasMore: boolean;
}

/**
 * Items in the order of their changes, each only at its newest change. Changes of the last `changesSettleSeconds` are
 * left for a later response, because a request that began before them may still commit. So no change is ever missed. A
 * page costs one query and one batch. While `hasMore` is true, it may be shorter than `limit`, or empty.
 */
export async function listChanges<Item extends Changed>(query: ChangesQuery<Item>): Promise<ChangesPage<Item>> {
  const { tenantId, kind, itemKey, matches, updatedFrom, filter, limit = limits.pageSizeDefault, cursor } = query;
  const scope = { tenantId, list: `${kind} changes`, ...filter };
  const { pk, sk: begin } = changes.before(tenantId, kind, updatedFrom === undefined ? 0 : Date.parse(updatedFrom));
  const { sk: settled } = changes.before(tenantId, kind, now() - limits.changesSettleSeconds * 1_000);
  const after = cursor === undefined ? begin : readCursor(scope, cursor);
  if (!changes.isPosition(after)) throw badCursor();
  const entries = after < settled ? await entriesBetween(pk, after, settled, limit + 1) : [];
  const shown = entries.slice(0, limit).map(({ sk }) => ({ sk, ...changes.changeAt(sk) }));
  const found = await getRecords<Item>(shown.map(({ id }) => itemKey(id)));
  const items = shown.flatMap(({ revision }, i) => {
    const item = found[i];
    // An older revision: the item is listed at its newest change, which comes later.
    return item && (item.revision ?? 0) === revision && matches(item) ? [item] : [];
  });
  return { items, nextCursor: writeCursor(scope, shown.at(-1)?.sk ?? after), hasMore: entries.length > limit };
}

async function entriesBetween(
  pk: string,
  after: string,
  end: string,
  count: number,
): Promise<readonly Required<Key>[]> {
  const { items } = await queryPage<Required<Key>>('records', {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :end',
    // The key of the entry is the only key between the two.
    ExpressionAttributeValues: { ':pk': pk, ':after': `${after}!`, ':end': end },
    Limit: count,
    ConsistentRead: true,
  });
  return items;
}

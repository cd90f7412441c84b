/** A page of an unbounded list: query, filter, and go on until the page is full or enough was read. */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { limits } from '../../contract/limits.ts';
import { dynamo } from '../clients.ts';
import { type CursorScope, readCursor, writeCursor } from '../cursor.ts';
import { env } from '../env.ts';
import type { Item } from './read.ts';

/** A filter that matches little may end a page early rather than read a tenant's whole history for it. */
const readsMax = 10;

export interface ListQuery<T> {
  readonly query: Omit<QueryCommandInput, 'TableName'>;
  readonly scope: CursorScope;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly matches: (item: T) => boolean;
  /** The text that says where an item stands, and the key of the item that stands there. */
  readonly placeOf: (item: T) => string;
  readonly keyAt: (place: string) => Item;
}

/** `nextCursor` is null at the end of the list, and only there; a page may be shorter than `limit` before it. */
export async function listPage<T>(list: ListQuery<T>): Promise<{ items: T[]; nextCursor: string | null }> {
  const limit = list.limit ?? limits.pageSizeDefault;
  const items: T[] = [];
  let from = list.cursor === undefined ? undefined : list.keyAt(readCursor(list.scope, list.cursor));
  for (let reads = 0; reads < readsMax; reads++) {
    const page = await dynamo().send(
      new QueryCommand({
        TableName: env.table('records'),
        ...list.query,
        Limit: Math.max(limit, limits.pageSizeMax),
        ExclusiveStartKey: from,
      }),
    );
    const rows = (page.Items ?? []) as T[];
    for (const [i, row] of rows.entries()) {
      if (!list.matches(row)) continue;
      items.push(row);
      const isLast = i === rows.length - 1 && !page.LastEvaluatedKey;
      if (items.length === limit && !isLast) return { items, nextCursor: writeCursor(list.scope, list.placeOf(row)) };
    }
    from = page.LastEvaluatedKey;
    if (!from) return { items, nextCursor: null };
    const last = rows.at(-1);
    if (reads === readsMax - 1 && last) return { items, nextCursor: writeCursor(list.scope, list.placeOf(last)) };
  }
  return { items, nextCursor: null };
}

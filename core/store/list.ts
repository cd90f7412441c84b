/** Reads a page of an unbounded list: queries and filters until the page is full or enough was read. */
import { limits } from '../../contract/limits.ts';
import { badCursor, type CursorScope, readCursor, writeCursor } from '../cursor.ts';
import type { Key } from './key.ts';
import { isRefusedStart, pages, type Query, type QueryPage } from './read.ts';

/** A filter with few matches may end a page early, so that one request does not read a tenant's whole history. */
const readsMax = 10;

interface ListQuery<T> {
  readonly query: Query;
  readonly scope: CursorScope;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly matches: (item: T) => boolean;
  /** Converts an item to the text of its position, and a position to the table key of its item. */
  readonly positionOf: (item: T) => string;
  readonly keyAt: (position: string) => Key;
}

/**
 * `nextCursor` is null only at the end of the list; until then, a page may be shorter than `limit`. The query looks for
 * one more match than the page shows, to find out whether there is a next page.
 */
export async function listPage<T>(list: ListQuery<T>): Promise<{ items: T[]; nextCursor: string | null }> {
  const limit = list.limit ?? limits.pageSizeDefault;
  const items: T[] = [];
  let reads = 0;
  for await (const { items: rows, isLast } of pagesFrom(list, limit)) {
    for (const row of rows) {
      const last = items.at(-1);
      if (!list.matches(row)) continue;
      if (last && items.length === limit) return { items, nextCursor: writeCursor(list.scope, list.positionOf(last)) };
      items.push(row);
    }
    const reached = rows.at(-1);
    reads += 1;
    if (!isLast && reads >= readsMax && reached) {
      return { items, nextCursor: writeCursor(list.scope, list.positionOf(reached)) };
    }
  }
  return { items, nextCursor: null };
}

async function* pagesFrom<T>(
  { query, scope, cursor, keyAt }: ListQuery<T>,
  limit: number,
): AsyncGenerator<QueryPage<T>> {
  const from = cursor === undefined ? undefined : keyAt(readCursor(scope, cursor));
  // The first read is large enough if every row matches; further reads are large, because then few rows match.
  const limitOf = (page: number) => (page === 1 ? limit + 1 : limits.pageSizeMax);
  try {
    yield* pages<T>('records', { ...query, ExclusiveStartKey: from && { ...from } }, limitOf);
  } catch (error) {
    if (from && isRefusedStart(error)) throw badCursor();
    throw error;
  }
}

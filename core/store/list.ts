/** Reads a page of an unbounded list: queries and filters until the page is full or enough was read. */
import { limits } from '../../contract/limits.ts';
import { badCursor, type CursorScope, readCursor, writeCursor } from '../cursor.ts';
import type { Key } from './key.ts';
import { inPartition, isRefusedStart, pages, type Query, type QueryPage } from './read.ts';

/** A filter with few matches may end a page early, so that one request does not read a tenant's whole history. */
const readsMax = 10;

interface ListQuery<T, Shown> {
  readonly query: Query;
  readonly scope: CursorScope;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Default: every item. */
  readonly matches?: (item: T) => boolean;
  readonly show: (item: T) => Shown;
  /** Converts an item to the text of its position, and a position to the table key of its item. */
  readonly positionOf: (item: T) => string;
  readonly keyAt: (position: string) => Key;
}

export interface CursorPage<T> {
  data: T[];
  nextCursor: string | null;
}

/** Items by their ids, newest first. `keyOf` returns the key of an id; the default query is that of its partition. */
export function listNewest<T extends { readonly id: number }, Shown>({
  keyOf,
  query = inPartition(keyOf(0).pk),
  ...list
}: Omit<ListQuery<T, Shown>, 'query' | 'positionOf' | 'keyAt'> & {
  readonly keyOf: (id: number) => Key;
  readonly query?: Query | undefined;
}): Promise<CursorPage<Shown>> {
  return listPage({
    ...list,
    query: { ...query, ScanIndexForward: false },
    positionOf: ({ id }) => String(id),
    keyAt: (id) => keyOf(Number(id)),
  });
}

/**
 * `nextCursor` is null only at the end of the list; until then, a page may be shorter than `limit`. The query looks for
 * one more match than the page shows, to find out whether there is a next page.
 */
export async function listPage<T, Shown>(list: ListQuery<T, Shown>): Promise<CursorPage<Shown>> {
  const { limit = limits.pageSizeDefault, matches = () => true } = list;
  const found: T[] = [];
  const page = (end?: T): CursorPage<Shown> => ({
    data: found.map(list.show),
    nextCursor: end ? writeCursor(list.scope, list.positionOf(end)) : null,
  });
  let reads = 0;
  for await (const { items: rows, isLast } of pagesFrom(list, limit)) {
    for (const row of rows) {
      if (!matches(row)) continue;
      if (found.length === limit) return page(found.at(-1));
      found.push(row);
    }
    reads += 1;
    if (!isLast && reads >= readsMax && rows.length > 0) return page(rows.at(-1));
  }
  return page();
}

async function* pagesFrom<T>(
  { query, scope, cursor, keyAt }: ListQuery<T, unknown>,
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

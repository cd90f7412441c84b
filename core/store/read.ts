/** Reads of tables that handle the pages and the unprocessed keys of DynamoDB. */
import {
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Store } from '../../contract/system/needs.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';
import { batchGet } from './batch-get.ts';
import { type Key, keyOf } from './key.ts';

/** One item by a consistent read, or undefined. */
export async function getItem<T>(store: Store, key: Key): Promise<T | undefined> {
  const { Item } = await dynamo().send(
    new GetCommand({ TableName: env.table(store), Key: keyOf(key), ConsistentRead: true }),
  );
  return Item as T | undefined;
}

/** An item of the records table, or 404 `not_found` for an unknown id, and for an id of another tenant. */
export async function loadItem<T>(key: Key): Promise<T> {
  const item = await getItem<T>('records', key);
  if (!item) throw fail('not_found');
  return item;
}

/** Items of one table by consistent reads, in the order of the keys; undefined for an item that does not exist. */
export async function getItems<T>(store: Store, keys: readonly Key[]): Promise<(T | undefined)[]> {
  const lookup = await batchGet(keys.map((key) => ({ store, key })));
  return keys.map((key) => lookup<T>({ store, key }));
}

/** Items of the table `records` by consistent reads, as `getItems` returns them. */
export function getRecords<T>(keys: readonly Key[]): Promise<(T | undefined)[]> {
  return getItems<T>('records', keys);
}

export type Query = Omit<QueryCommandInput, 'TableName'>;

export interface QueryPage<T> {
  readonly items: readonly T[];
  readonly isLast: boolean;
  /** The start of the next page, if there is one. */
  readonly next?: Readonly<Record<string, unknown>>;
}

/** One page of a query: the first, or the one at `ExclusiveStartKey`. */
export async function queryPage<T>(store: Store, query: Query): Promise<QueryPage<T>> {
  const { Items = [], LastEvaluatedKey: next } = await dynamo().send(
    new QueryCommand({ TableName: env.table(store), ...query }),
  );
  return { items: Items as T[], isLast: !next, ...(next && { next }) };
}

/**
 * The pages of a query, each read when it is requested, so a caller that stops early reads no more. `limitOf` returns
 * the size of a page by its number; the first page has number 1.
 */
export async function* pages<T>(
  store: Store,
  query: Query,
  limitOf: (page: number) => number | undefined = () => query.Limit,
): AsyncGenerator<QueryPage<T>, void> {
  let from = query.ExclusiveStartKey;
  for (let page = 1; page === 1 || from; page++) {
    const found = await queryPage<T>(store, { ...query, Limit: limitOf(page), ExclusiveStartKey: from });
    from = found.next;
    yield found;
  }
}

/** Whether DynamoDB refused a start key outside the range of the query, as from a forged cursor. */
export function isRefusedStart(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationException';
}

/** All results of a query, over all pages. */
export async function queryAll<T>(store: Store, query: Query): Promise<T[]> {
  const all: T[] = [];
  for await (const { items } of pages<T>(store, query)) all.push(...items);
  return all;
}

/** The condition of a query for the items of one partition, or for those whose sort key begins with a prefix. */
export function inPartition(pk: string, prefix?: string) {
  const all = 'pk = :pk';
  return {
    KeyConditionExpression: prefix === undefined ? all : `${all} AND begins_with(sk, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  };
}

/** All items of one partition whose sort key begins with a prefix, in key order. */
export function queryPrefix<T>(store: Store, pk: string, prefix: string): Promise<T[]> {
  return queryAll<T>(store, { ...inPartition(pk, prefix), ConsistentRead: true });
}

const scanSegments = 8;

/** All items of a table that match a filter, in no order. Several parts of the table are read concurrently. */
export async function* scanAll<T>(store: Store, filter: Omit<ScanCommandInput, 'TableName'>): AsyncGenerator<T, void> {
  let parts = Array.from({ length: scanSegments }, (_, Segment): Partial<ScanCommandInput> => ({ Segment }));
  while (parts.length > 0) {
    const pages = await Promise.all(
      parts.map(async (part) => {
        const scan = {
          TableName: env.table(store),
          TotalSegments: scanSegments,
          ConsistentRead: true,
          ...filter,
          ...part,
        };
        const { Items = [], LastEvaluatedKey } = await dynamo().send(new ScanCommand(scan));
        return { Items, next: LastEvaluatedKey && { ...part, ExclusiveStartKey: LastEvaluatedKey } };
      }),
    );
    for (const { Items } of pages) yield* Items as T[];
    parts = pages.flatMap(({ next }) => next ?? []);
  }
}

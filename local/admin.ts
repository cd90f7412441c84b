/** Access to the tables of a local run without an endpoint: for seeding, and for tests. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Store } from '../contract/system/needs.ts';
import { chunksOf, forEachConcurrently } from '../core/chunks.ts';
import { inPartition } from '../core/store/read.ts';
import { adminClientOptions } from '../packages/local-cloud/src/start-cloud.ts';
import type { LocalRun } from './start-local.ts';

export interface Admin {
  readonly db: DynamoDBDocumentClient;
  /** The physical name of a store's table. */
  readonly table: (store: Store) => string;
}

/** An admin of the run. Call `admin.db.destroy()` at the end. */
export function adminOf(run: Pick<LocalRun, 'awsEndpoint' | 'adminAccessKeyId' | 'resources'>): Admin {
  const client = new DynamoDBClient(adminClientOptions(run));
  return {
    db: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    table: (store) => {
      const name = run.resources.tables[store];
      if (!name) throw new Error(`The local run has no table for the store '${store}'.`);
      return name;
    },
  };
}

/** DynamoDB's limit of one BatchWriteItem. */
const putsPerCall = 25;

/** Writes items without conditions. */
export async function putAll({ db, table }: Admin, store: Store, items: readonly object[]): Promise<void> {
  await forEachConcurrently(chunksOf(items, putsPerCall), async (some) => {
    const RequestItems = { [table(store)]: some.map((item) => ({ PutRequest: { Item: { ...item } } })) };
    const { UnprocessedItems = {} } = await db.send(new BatchWriteCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems).length > 0) throw new Error(`Some items of ${store} were not written.`);
  });
}

/** The items of a partition, or those whose sort keys begin with the prefix. */
export async function itemsIn({ db, table }: Admin, store: Store, pk: string, prefix?: string): Promise<unknown[]> {
  const query = { TableName: table(store), ...inPartition(pk, prefix), ConsistentRead: true };
  const pages = paginateQuery({ client: db }, query);
  const items: unknown[] = [];
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}

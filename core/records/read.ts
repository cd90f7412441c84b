/** Reads of the tables, with the paging and the leftover keys of DynamoDB kept out of the verbs. */
import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Store } from '../../contract/needs.ts';
import { dynamo } from '../clients.ts';
import { randomFraction, sleep } from '../clock.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';

export type Item = Record<string, unknown>;
export interface Key extends Record<string, string> {
  pk: string;
  sk: string;
}

/** One item, read consistently, or undefined. */
export async function getItem<T>(store: Store, key: Key): Promise<T | undefined> {
  const { Item } = await dynamo().send(new GetCommand({ TableName: env.table(store), Key: key, ConsistentRead: true }));
  return Item as T | undefined;
}

/** Up to 100 items, read consistently in one call, in the order of their keys; undefined for what is not there. */
export async function getItems<T>(store: Store, keys: readonly Key[]): Promise<(T | undefined)[]> {
  const table = env.table(store);
  const found = new Map<string, T>();
  let rest: readonly Key[] = [...new Map(keys.map((key) => [label(key), key])).values()];
  for (let attempt = 0; rest.length > 0; attempt++) {
    if (attempt === 5)
      throw fail('temporarily_unavailable', { cause: new Error('BatchGetItem left keys unprocessed') });
    if (attempt > 0) await sleep(randomFraction() * 2 ** attempt * 25);
    const answer = await dynamo().send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: [...rest], ConsistentRead: true } } }),
    );
    for (const item of answer.Responses?.[table] ?? []) found.set(label(item as Key), item as T);
    rest = (answer.UnprocessedKeys?.[table]?.Keys ?? []) as Key[];
  }
  return keys.map((key) => found.get(label(key)));
}

function label(key: Key): string {
  return `${key.pk} ${key.sk}`;
}

/** Everything a query finds, over as many pages as it takes. */
export async function queryAll<T>(store: Store, query: Omit<QueryCommandInput, 'TableName'>): Promise<T[]> {
  const items: T[] = [];
  let from: Item | undefined;
  do {
    const page = await dynamo().send(
      new QueryCommand({ TableName: env.table(store), ...query, ExclusiveStartKey: from }),
    );
    items.push(...((page.Items ?? []) as T[]));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}

/** All items of one partition whose sort key begins with a prefix, in key order. */
export function queryPrefix<T>(store: Store, pk: string, prefix: string): Promise<T[]> {
  return queryAll<T>(store, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    ConsistentRead: true,
  });
}

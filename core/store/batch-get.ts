/** Reads items of several tables in as few calls as possible. */
import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Store } from '../../contract/system/needs.ts';
import { chunksOf } from '../chunks.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';
import { RETRY, retrying, unprocessedRetries } from '../retrying.ts';
import { type Key, keyOf } from './key.ts';

export interface ItemRequest {
  readonly store: Store;
  readonly key: Key;
  /** Default: all fields. A read may return more fields, which another read of the same table needs. */
  readonly fields?: readonly string[];
}

/**
 * Returns an item that `batchGet` has read, with the type that the caller states. Throws for a key that was not
 * requested.
 */
export type Lookup = <Item>(wanted: ItemRequest) => Item | undefined;

/** DynamoDB's limit of one BatchGetItem. */
const keysPerCall = 100;

/**
 * Consistent reads. A key that is requested twice is read once. Throws if some items cannot be read after some
 * attempts.
 */
export async function batchGet(wanted: readonly ItemRequest[]): Promise<Lookup> {
  const requestsByAddress = new Map(wanted.map((one) => [address(one), one]));
  const found = new Map<string, unknown>();
  await Promise.all(chunksOf([...requestsByAddress.values()], keysPerCall).map((chunk) => readChunk(chunk, found)));
  return <Item>(one: ItemRequest) => {
    const key = address(one);
    // "Not found" means deleted, and a message may be acknowledged because of it. So an unread item must never count as
    // not found.
    if (!requestsByAddress.has(key)) throw new Error(`No read asked for ${key}`);
    return found.get(key) as Item | undefined;
  };
}

async function readChunk(chunk: readonly ItemRequest[], found: Map<string, unknown>): Promise<void> {
  const storeOf = new Map(chunk.map(({ store }) => [env.table(store), store]));
  let left = requestOf(chunk);
  const end = await retrying(unprocessedRetries, async () => {
    const { Responses, UnprocessedKeys } = await dynamo().send(new BatchGetCommand({ RequestItems: left }));
    for (const [table, items] of Object.entries(Responses ?? {})) {
      const store = storeOf.get(table);
      if (!store) continue;
      for (const item of items) found.set(address({ store, key: item as unknown as Key }), item);
    }
    if (!UnprocessedKeys || Object.keys(UnprocessedKeys).length === 0) return 'read';
    left = UnprocessedKeys;
    return RETRY;
  });
  if (end === RETRY) {
    throw fail('temporarily_unavailable', { cause: new Error('DynamoDB left keys of a batch unread') });
  }
}

function requestOf(chunk: readonly ItemRequest[]): NonNullable<BatchGetCommandInput['RequestItems']> {
  const byStore = Map.groupBy(chunk, ({ store }) => store);
  return Object.fromEntries(
    [...byStore].map(([store, some]) => [
      env.table(store),
      { ConsistentRead: true, Keys: some.map(({ key }) => keyOf(key)), ...projectionOf(some) },
    ]),
  );
}

/** The fields that a read returns, with placeholders, because DynamoDB reserves some names, such as `status`. */
export function onlyFields(names: readonly string[]) {
  return {
    ProjectionExpression: names.map((_, i) => `#${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
  };
}

/** The fields to read: one call of DynamoDB reads the same fields of all items in a table. */
function projectionOf(some: readonly ItemRequest[]) {
  const wanted = new Set<string>();
  for (const { fields } of some) {
    if (!fields) return {};
    for (const name of fields) wanted.add(name);
  }
  return onlyFields([...wanted]);
}

function address({ store, key }: ItemRequest): string {
  return `${store} ${key.pk} ${key.sk ?? ''}`;
}

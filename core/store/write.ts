/**
 * Writes of one item, for a transaction (`transact`, `commitWithRetry`); `writeOne` makes a single update. Each write
 * can have conditions on the item (`Expected`), and fails if they are false.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type TransactWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Store } from '../../contract/system/needs.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import { type Expected, isNew, isThere, Placeholders } from './expected.ts';
import { type Key, keyOf } from './key.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Update = { readonly Update: NonNullable<Write['Update']> };

/** Replaces an item that fulfils the conditions; without conditions, any item. */
export function put<Item extends Key>(store: Store, item: Item, expected: Expected = {}) {
  const used = new Placeholders();
  return { Put: { TableName: env.table(store), Item: item, ...used.condition(expected), ...used.used() } };
}

/** An item that must not exist yet. */
export function putNew<Item extends Key>(store: Store, item: Item) {
  return put(store, item, isNew);
}

/** As the new value of a field, this symbol removes the field. */
export const REMOVE = Symbol('remove');

/** Sets fields of an existing item. Undefined fields do not change; `REMOVE` removes a field. */
export function set(store: Store, key: Key, fields: object, expected: Expected = {}): Update {
  return setOrCreate(store, key, fields, { ...isThere, ...expected });
}

/** Sets fields of an item, and creates the item if it does not exist. */
export function setOrCreate(store: Store, key: Key, fields: object, expected: Expected = {}): Update {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return update(store, key, { verb: 'SET', between: ' = ' }, defined, expected);
}

/** Adds to numbers of an item. A missing number or item counts as 0. */
export function add(
  store: Store,
  key: Key,
  amounts: Readonly<Record<string, number>>,
  expected: Expected = {},
): Update {
  return update(store, key, { verb: 'ADD', between: ' ' }, Object.entries(amounts), expected);
}

function update(
  store: Store,
  key: Key,
  { verb, between }: { readonly verb: 'SET' | 'ADD'; readonly between: string },
  fields: readonly (readonly [string, unknown])[],
  expected: Expected,
): Update {
  const used = new Placeholders();
  const changes = fields
    .filter(([, value]) => value !== REMOVE)
    .map(([name, value]) => used.field(name) + between + used.value(name, value));
  const removals = fields.filter(([, value]) => value === REMOVE).map(([name]) => used.field(name));
  return {
    Update: {
      TableName: env.table(store),
      Key: keyOf(key),
      UpdateExpression: [
        ...(changes.length > 0 ? [`${verb} ${changes.join(', ')}`] : []),
        ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
      ].join(' '),
      ...used.condition(expected),
      ...used.used(),
    },
  };
}

/** Deletes an item. If the item does not exist, this is an error only if there are conditions. */
export function remove(store: Store, key: Key, expected: Expected = {}): Write {
  const used = new Placeholders();
  return { Delete: { TableName: env.table(store), Key: keyOf(key), ...used.condition(expected), ...used.used() } };
}

/** Changes nothing; the transaction fails unless the item exists. */
export function check(store: Store, key: Key): Write {
  const used = new Placeholders();
  const { ConditionExpression = '' } = used.condition(isThere);
  return { ConditionCheck: { TableName: env.table(store), Key: keyOf(key), ConditionExpression, ...used.used() } };
}

/** A single update outside a transaction: returns the new item, or undefined if a condition was false. */
export async function writeOne<T>({ Update }: Update): Promise<T | undefined> {
  try {
    const { Attributes } = await dynamo().send(new UpdateCommand({ ...Update, ReturnValues: 'ALL_NEW' }));
    return Attributes as T;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

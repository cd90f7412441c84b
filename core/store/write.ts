/**
 * Writes of one item, as elements of a transaction: `transact` and `commitWithRetry` take them, `writeOne` does an update
 * by itself. Each names what the item must be like (`Expected`), and is refused otherwise.
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

/** Replaces the item that is expected; without expectations, whatever was there. */
export function put<Item extends Key>(store: Store, item: Item, expected: Expected = {}) {
  const used = new Placeholders();
  return { Put: { TableName: env.table(store), Item: item, ...used.condition(expected), ...used.used() } };
}

/** An item that must not exist yet. */
export function putNew<Item extends Key>(store: Store, item: Item) {
  return put(store, item, isNew);
}

/** As the new value of a field: the field is removed. */
export const REMOVE = Symbol('remove');

/** Sets fields of an item, which must be there. Undefined fields stay as they are; `REMOVE` removes one. */
export function set(store: Store, key: Key, fields: object, expected: Expected = {}): Update {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return update(store, key, { verb: 'SET', between: ' = ' }, given, { ...isThere, ...expected });
}

/** Adds to numbers of an item. What is not there, a number or the whole item, counts as 0. */
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

/** Deletes an item. One that is gone already is no refusal unless something is expected of it. */
export function remove(store: Store, key: Key, expected: Expected = {}): Write {
  const used = new Placeholders();
  return { Delete: { TableName: env.table(store), Key: keyOf(key), ...used.condition(expected), ...used.used() } };
}

/** Changes nothing, but refuses the transaction unless the item is there. */
export function check(store: Store, key: Key): Write {
  const used = new Placeholders();
  const { ConditionExpression = '' } = used.condition(isThere);
  return { ConditionCheck: { TableName: env.table(store), Key: keyOf(key), ConditionExpression, ...used.used() } };
}

/** An update by itself, outside of transactions: the item as it is now, or undefined if it was not as expected. */
export async function writeOne<T>({ Update }: Update): Promise<T | undefined> {
  try {
    const { Attributes } = await dynamo().send(new UpdateCommand({ ...Update, ReturnValues: 'ALL_NEW' }));
    return Attributes as T;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

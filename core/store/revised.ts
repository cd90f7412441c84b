/**
 * Items with a revision. Every write increments it, and fails if it has changed since the item was read. An item that
 * has never changed may have none. So a decision can be committed on the condition that an item on which it depends has
 * not changed.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Expected, isThere } from './expected.ts';
import type { Key } from './key.ts';
import { put, putNew, remove, type Write } from './write.ts';

export interface Revised {
  readonly revision?: number;
}

/** The item has not been written since it was read. */
export function asRead({ revision }: Revised): Expected {
  return { ...isThere, revision };
}

/** The write of an item of the table `records` that must not exist yet. */
export function insertRecord(key: Key, item: object): Write {
  return putNew('records', { ...item, ...key });
}

/** The write that replaces an item, if it has not changed since it was read. */
export function replaceRecord(key: Key, before: Revised, item: object): Write {
  return put('records', { ...item, ...key, revision: (before.revision ?? 0) + 1 }, asRead(before));
}

/** The write that deletes an item, if it has not changed since it was read. */
export function deleteRecord(key: Key, before: Revised): Write {
  return remove('records', key, asRead(before));
}

/** The new values of fields; absent and undefined fields do not change. */
type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** An item with its changes, and the names of the changed fields. */
export function changed<T extends object>(before: T, changes: Changes<T>): { item: T; changedFields: string[] } {
  const item = { ...before };
  const changedFields: string[] = [];
  for (const name of Object.keys(changes) as (keyof T & string)[]) {
    const value = changes[name];
    if (value === undefined || isDeepStrictEqual(value, before[name])) continue;
    item[name] = value as T[typeof name];
    changedFields.push(name);
  }
  return { item, changedFields };
}

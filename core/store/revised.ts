/**
 * Items that change as a whole, under the revision that was read. An item that never changed may have none. Every write
 * of such an item counts, so a decision that rests on one read of it can be committed on the condition that it still is
 * what was read.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Expected, isThere } from './expected.ts';
import type { Key } from './key.ts';
import { put, putNew, remove, type Write } from './write.ts';

export interface Revised {
  readonly revision?: number;
}

/** The item was not written since it was read. */
export function asRead({ revision }: Revised): Expected {
  return { ...isThere, revision };
}

/** The write of an item of the records table that must not exist yet. */
export function insertRecord(key: Key, item: object): Write {
  return putNew('records', { ...item, ...key });
}

/** The write that replaces an item, if it still is what was read. */
export function replaceRecord(key: Key, before: Revised, item: object): Write {
  return put('records', { ...item, ...key, revision: (before.revision ?? 0) + 1 }, asRead(before));
}

/** The write that deletes an item, if it still is what was read. */
export function deleteRecord(key: Key, before: Revised): Write {
  return remove('records', key, asRead(before));
}

/** What of an item is to change: absent and undefined fields stay. */
type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** An item with its changes, and the names of the fields that really differ. */
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

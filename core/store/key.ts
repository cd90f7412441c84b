/** The primary key of an item. */
import { createHash } from 'node:crypto';

/** The table `keys` has no sort key. */
export interface Key {
  readonly pk: string;
  readonly sk?: string;
}

/** The table key of an item. */
export function keyOf({ pk, sk }: Key): Record<string, string> {
  return sk === undefined ? { pk } : { pk, sk };
}

/** SHA-256 in hex of a text that is part of a table key, so that its length and its characters do not matter. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The primary key of an item. */

/** Alone in the table of keys, an item has no sort key. */
export interface Key {
  readonly pk: string;
  readonly sk?: string;
}

/** The key alone, of whatever carries one. */
export function keyOf({ pk, sk }: Key): Record<string, string> {
  return sk === undefined ? { pk } : { pk, sk };
}

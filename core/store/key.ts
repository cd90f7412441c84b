/** The primary key of an item. */

/** The table `keys` has no sort key. */
export interface Key {
  readonly pk: string;
  readonly sk?: string;
}

/** The table key of an item. */
export function keyOf({ pk, sk }: Key): Record<string, string> {
  return sk === undefined ? { pk } : { pk, sk };
}

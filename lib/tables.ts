/** The four tables as rows (docs/rules.md#tables). Their key shapes and items are in `core/table-keys.ts`. */
import type { Store } from '../contract/system/needs.ts';

export interface TableRow {
  /** Every table has `pk`, a string; all but one have `sk`, a string. */
  readonly sortKey: boolean;
  /** The attribute with the expiry time of an item in epoch seconds. */
  readonly timeToLive?: string;
  /** Whether new images of changed items are written to the table's stream. */
  readonly stream?: true;
  /** Whether the table is encrypted with a key of its own, which only functions that need the table may use. */
  readonly ownKey?: true;
}

export const tables = {
  keys: { sortKey: false, timeToLive: 'expiresAtSeconds' },
  records: { sortKey: true, timeToLive: 'expiresAtSeconds', stream: true },
  deliveries: { sortKey: true, timeToLive: 'expiresAtSeconds' },
  secrets: { sortKey: true, ownKey: true },
} as const satisfies Record<Store, TableRow>;

/** The shapes of the four tables for a store in memory. */
import { indexes, type Store, stores } from '../contract/system/needs.ts';
import { tables } from '../lib/tables.ts';
import type { TableShape } from '../packages/memory-dynamo/src/table.ts';

export function tableShapes(nameOf: (store: Store) => string): Record<string, TableShape> {
  const named = Object.entries(indexes);
  return Object.fromEntries(
    stores.map((store): [string, TableShape] => {
      const own = named.filter(([, index]) => index.store === store);
      const shapes = own.map(([name, { partitionKey, sortKey }]) => [name, [partitionKey, sortKey] as const] as const);
      return [
        nameOf(store),
        { key: tables[store].sortKey ? ['pk', 'sk'] : ['pk'], indexes: Object.fromEntries(shapes) },
      ];
    }),
  );
}

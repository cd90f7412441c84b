/** The four tables as the simulation's store sees them. */
import { indexes, type Store, stores } from '../../contract/needs.ts';
import type { TableShape } from './memory-dynamo/table.ts';

export function tableShapes(nameOf: (store: Store) => string): Record<string, TableShape> {
  return Object.fromEntries(
    stores.map((store): [string, TableShape] => [
      nameOf(store),
      { key: store === 'keys' ? ['pk'] : ['pk', 'sk'], ...(indexes[store] && { indexes: indexes[store] }) },
    ]),
  );
}

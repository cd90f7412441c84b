/** Finds the created resources by the names of the contract's tables. */
import { type Store, stores } from '../contract/system/needs.ts';
import { queues as queueRows } from '../contract/system/queues.ts';
import type { CloudQueue } from '../packages/local-cloud/src/sqs.ts';
import type { CloudResources } from '../packages/local-cloud/src/start-cloud.ts';

export interface LocalResources {
  /** The physical names of the tables, by store of `contract/system/needs.ts`. */
  readonly tables: Readonly<Partial<Record<Store, string>>>;
  /** The queues by row of `contract/system/queues.ts`. */
  readonly queues: Readonly<Record<string, CloudQueue>>;
}

export function localResources({ functions, queues }: CloudResources): LocalResources {
  return {
    tables: Object.fromEntries(
      stores.flatMap((store) => {
        // Environments of functions name tables by store, so they show which table is which.
        const variable = `TABLE_${store.toUpperCase()}`;
        const name = functions.map(({ environment }) => environment[variable]).find((found) => found);
        return name === undefined ? [] : [[store, name]];
      }),
    ),
    queues: Object.fromEntries(
      Object.keys(queueRows).flatMap((row) => {
        const found = queues.find(({ name }) => name.toLowerCase().endsWith(row.toLowerCase()));
        return found === undefined ? [] : [[row, found]];
      }),
    ),
  };
}

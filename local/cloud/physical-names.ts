/** Finds what was stood up by the names that the contract's tables use. */

import { stores } from '../../contract/needs.ts';
import { queues as queueRows } from '../../contract/queues.ts';
import { queueArn } from './aws-permissions.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './sqs.ts';

export interface LocalQueue {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
}

/** Physical names of what was stood up. */
export interface LocalResources {
  /** Table name by store of `contract/needs.ts`. */
  readonly tables: Readonly<Record<string, string>>;
  /** Queues by row of `contract/queues.ts`. */
  readonly queues: Readonly<Record<string, LocalQueue & { readonly deadLetterQueue?: LocalQueue }>>;
  readonly eventBus: string;
}

export function physicalNames(functions: Functions, queues: Queues, busNames: readonly string[]): LocalResources {
  return {
    tables: Object.fromEntries(
      stores.flatMap((store) => {
        // Functions know their tables by store, so their environments tell which table is which.
        const variable = `TABLE_${store.toUpperCase()}`;
        const name = functions.all.map(({ environment }) => environment[variable]).find((found) => found);
        return name === undefined ? [] : [[store, name]];
      }),
    ),
    queues: Object.fromEntries(
      Object.keys(queueRows).flatMap((row) => {
        const name = workQueues(queues).find((candidate) => candidate.toLowerCase().endsWith(row.toLowerCase()));
        if (name === undefined) return [];
        const dead = queues.deadLetterOf.get(queueArn(name))?.split(':').at(-1);
        const deadLetterQueue = dead === undefined ? {} : { deadLetterQueue: describe(dead, queues) };
        return [[row, { ...describe(name, queues), ...deadLetterQueue }]];
      }),
    ),
    eventBus: busNames[0] ?? 'default',
  };
}

function workQueues({ names, deadLetterOf }: Queues): string[] {
  const dead = new Set(deadLetterOf.values());
  return names.filter((name) => !dead.has(queueArn(name)));
}

function describe(name: string, { urlOf }: Queues): LocalQueue {
  return { name, url: urlOf(name), arn: queueArn(name) };
}

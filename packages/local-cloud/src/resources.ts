/** The created resources by physical name, for tools that access tables and queues from outside. */
import { queueArn } from './aws-permissions.ts';
import type { Tables } from './dynamodb.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './sqs.ts';

export interface CloudQueue {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  readonly deadLetterQueue?: Omit<CloudQueue, 'deadLetterQueue'>;
}

export interface CloudResources {
  readonly tables: readonly string[];
  /** All queues except those that are only dead-letter queues of others. */
  readonly queues: readonly CloudQueue[];
  readonly functions: readonly { readonly name: string; readonly environment: Readonly<Record<string, string>> }[];
}

interface CreatedResources {
  readonly tables: Tables;
  readonly queues: Queues;
  readonly functions: Functions;
}

export function resourcesOf({ tables, queues, functions }: CreatedResources): CloudResources {
  const { names, deadLetterOf, urlOf } = queues;
  const described = (name: string) => ({ name, url: urlOf(name), arn: queueArn(name) });
  const dead = new Set(deadLetterOf.values());
  return {
    tables: tables.names,
    queues: names
      .filter((name) => !dead.has(queueArn(name)))
      .map((name) => {
        const deadName = deadLetterOf.get(queueArn(name))?.split(':').at(-1);
        return { ...described(name), ...(deadName !== undefined && { deadLetterQueue: described(deadName) }) };
      }),
    functions: functions.all.map(({ name, environment }) => ({ name, environment })),
  };
}

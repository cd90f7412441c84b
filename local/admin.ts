/** Access to the tables of a local run without an endpoint: for seeding, and for tests. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Store } from '../contract/system/needs.ts';
import { adminClientOptions } from '../packages/local-cloud/src/start-cloud.ts';
import type { LocalRun } from './start-local.ts';

export interface Admin {
  readonly db: DynamoDBDocumentClient;
  /** The physical name of a store's table. */
  readonly table: (store: Store) => string;
}

/** An admin of the run. Call `admin.db.destroy()` at the end. */
export function adminOf(run: Pick<LocalRun, 'awsEndpoint' | 'adminAccessKeyId' | 'resources'>): Admin {
  const client = new DynamoDBClient(adminClientOptions(run));
  return {
    db: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    table: (store) => {
      const name = run.resources.tables[store];
      if (!name) throw new Error(`The local run has no table for the store '${store}'.`);
      return name;
    },
  };
}

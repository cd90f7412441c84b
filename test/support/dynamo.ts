/** A DynamoDB emulator for a test file, in memory, on a free loopback port. */
import { CreateTableCommand, DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { indexes, type Store, stores } from '../../contract/system/needs.ts';
import { type TableRow, tables } from '../../lib/tables.ts';
import { startDynamoEmulator } from '../../packages/local-cloud/src/dynamodb-emulator.ts';
import { type Program, programs } from '../../packages/local-cloud/src/dynamodb-programs.ts';

export interface Emulator {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export type StartEmulator = () => Promise<Emulator>;

/** Starts the given emulator, or the one that a local run uses on this machine. Stop it in `afterAll`. */
export async function startDynamo(program?: Program): Promise<Emulator> {
  const { url, stop } = await startDynamoEmulator({ ...(program && { program }) });
  return { endpoint: url, stop };
}

/** Amazon's DynamoDB Local, or undefined without Java. */
export async function amazonsDynamo(): Promise<StartEmulator | undefined> {
  const program = await programs.amazon();
  return program && (() => startDynamo(program));
}

/** A document client for that emulator, like that of `core/clients.ts`. Destroy it in `afterAll`. */
export function connect(endpoint: string): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** A partition key, and perhaps a sort key. */
const keySchema = (names: readonly string[]) =>
  names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? ('HASH' as const) : ('RANGE' as const) }));

export const tableName = (store: Store): string => `test-${store}`;

/**
 * Creates the four tables with their keys, streams and TTL (docs/rules.md#tables). Their names are `test-<store>`.
 * `connectFunctions` directs code under test to them.
 */
export async function createTables(endpoint: string): Promise<void> {
  const client = connect(endpoint);
  for (const store of stores) {
    const { sortKey: sorted, timeToLive, stream }: TableRow = tables[store];
    const own = sorted ? ['pk', 'sk'] : ['pk'];
    const ofStore = Object.entries(indexes)
      .filter(([, index]) => index.store === store)
      .map(([name, { partitionKey, sortKey }]) => ({ name, keys: [partitionKey, sortKey] }));
    const creation = client.send(
      new CreateTableCommand({
        TableName: tableName(store),
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keySchema(own),
        AttributeDefinitions: [...own, ...ofStore.flatMap(({ keys }) => keys)].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        ...(ofStore.length > 0 && {
          GlobalSecondaryIndexes: ofStore.map(({ name, keys }) => ({
            IndexName: name,
            KeySchema: keySchema(keys),
            Projection: { ProjectionType: 'ALL' },
          })),
        }),
        ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' as const } }),
      }),
    );
    // An emulator that was running already has the tables of an earlier run.
    await creation.catch((error: Error) => {
      if (error.name !== 'ResourceInUseException') throw error;
    });
    if (timeToLive) {
      await client.send(
        new UpdateTimeToLiveCommand({
          TableName: tableName(store),
          TimeToLiveSpecification: { Enabled: true, AttributeName: timeToLive },
        }),
      );
    }
  }
  client.destroy();
}

/**
 * Sets the environment variables that `core/env.ts` and the SDK read, so that functions of `core/` and handlers use the
 * emulator. Call it before `core/clients.ts` creates its first client.
 */
export function connectFunctions(endpoint: string): void {
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...Object.fromEntries(stores.map((store) => [`TABLE_${store.toUpperCase()}`, tableName(store)])),
  });
}

/** The contenders of `bench/keys.ts`: this project, two common designs, and one that fails with different clocks. */
import { ConditionalCheckFailedException, CreateTableCommand, DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { RateLimiterDynamo, RateLimiterRes } from 'rate-limiter-flexible';
import { limits } from '../../contract/limits.ts';
import { keyChecker } from '../../core/keys/check-key.ts';
import { windowsAt } from '../../core/limits/windows.ts';
import { type Emulator, tableName } from '../../test/support/dynamo.ts';
import { type RecordedCall, scriptDynamo } from '../../test/support/scripted-dynamo.ts';

const limiterTable = 'bench-limiter';
/** Counters of the naive check are items with the key's hash and the window's name. */
const counterTable = 'bench-counters';

/** Returns whether a request passes. `hash` is the SHA-256 of the key's value. */
type Check = (hash: string) => Promise<boolean>;

export interface Contender {
  container(now?: () => number): Check;
  readonly calls: RecordedCall[];
  close(): void;
}

export function connection(emulator: Emulator): {
  client: DynamoDB;
  documents: DynamoDBDocumentClient;
  calls: RecordedCall[];
} {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDB({ endpoint: emulator.endpoint, region: 'eu-central-1', credentials });
  const documents = DynamoDBDocumentClient.from(client);
  return { client, documents, calls: scriptDynamo([], { client: documents, attempts: true }).calls };
}

export function ours(emulator: Emulator): Contender {
  const { client, documents, calls } = connection(emulator);
  return {
    calls,
    container: (now = Date.now) => {
      const check = keyChecker({ now, client: () => documents });
      return async (hash) => (await check(hash)).outcome === 'accepted';
    },
    close: () => client.destroy(),
  };
}

interface StoredKey {
  readonly status: string;
  readonly expiresAt?: number;
}

async function isActive(documents: DynamoDBDocumentClient, hash: string, now: number): Promise<boolean> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName('keys'), Key: { pk: hash }, ConsistentRead: true }),
  );
  const key = Item as StoredKey | undefined;
  return key?.status === 'active' && (key.expiresAt === undefined || key.expiresAt > now);
}

async function holds(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Reads the key, and then counts in the minute and in the day if there is room. */
export function naive(emulator: Emulator): Contender {
  const { client, documents, calls } = connection(emulator);
  const countIn = (hash: string, window: string, limit: number) =>
    holds(
      documents.send(
        new UpdateCommand({
          TableName: counterTable,
          Key: { key: `${hash} ${window}` },
          UpdateExpression: 'ADD points :one',
          ConditionExpression: 'attribute_not_exists(points) OR points < :limit',
          ExpressionAttributeValues: { ':one': 1, ':limit': limit },
        }),
      ),
    );
  return {
    calls,
    container:
      (now = Date.now) =>
      async (hash) => {
        const { minuteName, dayName } = windowsAt(now());
        if (!(await isActive(documents, hash, now()))) return false;
        return (
          (await countIn(hash, minuteName, limits.requests.key.perMinute)) &&
          (await countIn(hash, dayName, limits.requests.key.perDay))
        );
      },
    close: () => client.destroy(),
  };
}

/** Reads the key and calls two limiters. */
export function flexible(emulator: Emulator): Contender {
  const { client, documents, calls } = connection(emulator);
  const limiter = (points: number, duration: number) =>
    new RateLimiterDynamo({
      storeClient: client,
      tableName: limiterTable,
      tableCreated: true,
      ttlSet: true,
      keyPrefix: String(duration),
      points,
      duration,
    });
  return {
    calls,
    container: () => {
      const perMinute = limiter(limits.requests.key.perMinute, 60);
      const perDay = limiter(limits.requests.key.perDay, 86_400);
      const consume = async (one: RateLimiterDynamo, hash: string) => {
        try {
          await one.consume(hash);
          return true;
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) return false;
          throw refusal;
        }
      };
      return async (hash) => {
        if (!(await isActive(documents, hash, Date.now()))) return false;
        return (await consume(perMinute, hash)) && (await consume(perDay, hash));
      };
    },
    close: () => client.destroy(),
  };
}

/** Uses one counter that restarts when the stored window is not the container's, which fails if clocks differ. */
export function rollingOver(emulator: Emulator): Contender {
  const { client, documents, calls } = connection(emulator);
  const update = (hash: string, UpdateExpression: string, ConditionExpression: string, values: object) =>
    holds(
      documents.send(
        new UpdateCommand({
          TableName: counterTable,
          Key: { key: `${hash} rolling` },
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeNames: { '#window': 'window' },
          ExpressionAttributeValues: { ':one': 1, ...values },
        }),
      ),
    );
  return {
    calls,
    container:
      (now = Date.now) =>
      async (hash) => {
        const own = { ':window': windowsAt(now()).minuteName };
        return (
          (await update(hash, 'ADD points :one', '#window = :window AND points < :limit', {
            ...own,
            ':limit': limits.requests.key.perMinute,
          })) ||
          (await update(
            hash,
            'SET points = :one, #window = :window',
            'attribute_not_exists(#window) OR #window <> :window',
            own,
          ))
        );
      },
    close: () => client.destroy(),
  };
}

export async function createCounterTables({ client }: { client: DynamoDB }): Promise<void> {
  for (const TableName of [limiterTable, counterTable]) {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
      }),
    );
  }
}

/**
 * `npm run bench -- keys`: the check of an API key with both its limits (docs/rules.md#goals), by this project, by a
 * read and two conditional counters, and by a read and two limiters of `rate-limiter-flexible`. All speak to one local
 * engine in the same run. That all decide alike, up to the 61st request and for a revoked key, is compared before
 * anything is timed.
 *
 * The engine is a process on this machine: a call to it costs what the SDK costs and little more. In the cloud a call is
 * milliseconds away, and what counts is the number of calls.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { ConditionalCheckFailedException, CreateTableCommand, DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { RateLimiterDynamo, RateLimiterRes } from 'rate-limiter-flexible';
import { limits } from '../contract/limits.ts';
import { keyChecker } from '../core/keys/check-key.ts';
import { windowsAt } from '../core/limits/windows.ts';
import { issueKey } from '../test/support/api-keys.ts';
import { countCalls } from '../test/support/count-calls.ts';
import { connectFunctions, createTables, type Engine, startDynamo, tableName } from '../test/support/dynamo.ts';
import type { Row } from './row.ts';
import { median, ratioOf, type Size, takeTurns, together } from './turns.ts';

const sizes = {
  full: { keys: 12, requestsPerKey: 40, rounds: 11, flood: 2_000, skewStepMs: 2 },
  tiny: { keys: 2, requestsPerKey: 3, rounds: 1, flood: 200, skewStepMs: 50 },
} as const;

/** Requests on their way at the same time. */
const width = 16;
const skewsMs = [-60, 0, 60];
const limiterTable = 'bench-limiter';
/** Counters of the naive check are items: the key's hash and the window's name. */
const counterTable = 'bench-counters';

/** Whether a request passes. `hash` is the SHA-256 of the key's value. */
type Check = (hash: string) => Promise<boolean>;

interface Party {
  /** The check of one container. */
  container(now?: () => number): Check;
  /** Every call it made, by the name of its command. */
  readonly calls: string[];
  close(): void;
}

function connection(engine: Engine): { client: DynamoDB; documents: DynamoDBDocumentClient; calls: string[] } {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDB({ endpoint: engine.endpoint, region: 'eu-central-1', credentials });
  const documents = DynamoDBDocumentClient.from(client);
  return { client, documents, calls: countCalls(documents) };
}

function ours(engine: Engine): Party {
  const { client, documents, calls } = connection(engine);
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

/** Reads the key, counts in the minute if there is room, then in the day. */
function naive(engine: Engine): Party {
  const { client, documents, calls } = connection(engine);
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

/** Reads the key and asks two limiters. With `blocks` they remember who is over, as ours does. */
function flexible(engine: Engine, { blocks = false } = {}): Party {
  const { client, documents, calls } = connection(engine);
  const limiter = (points: number, duration: number) =>
    new RateLimiterDynamo({
      storeClient: client,
      tableName: limiterTable,
      tableCreated: true,
      ttlSet: true,
      keyPrefix: `${blocks ? 'blocks-' : ''}${duration}`,
      points,
      duration,
      ...(blocks && { inMemoryBlockOnConsumed: points + 1 }),
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

/** One counter that begins anew when the stored window is not the container's own: what clocks that differ undo. */
function rollingOver(engine: Engine): Party {
  const { client, documents, calls } = connection(engine);
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

async function createCounterTables({ client }: { client: DynamoDB }): Promise<void> {
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

/** Of 61 requests in a minute 60 pass; a revoked key, an expired one and an unknown one never do. */
async function assertSameDecisions(parties: readonly Party[], documents: DynamoDBDocumentClient): Promise<void> {
  // The windows of the two that count by the clock do not change meanwhile.
  const at = Date.now();
  const expected = [...Array.from({ length: limits.requests.key.perMinute }, () => true), false, false, false, false];
  for (const party of parties) {
    const check = party.container(() => at);
    const { hash } = await issueKey(documents);
    const revoked = await issueKey(documents, { status: 'revoked' });
    const expired = await issueKey(documents, { expiresAt: at - 1 });
    const asked = [...Array.from({ length: limits.requests.key.perMinute + 1 }, () => hash)];
    const decisions: boolean[] = [];
    for (const one of [...asked, revoked.hash, expired.hash, 'unknown']) decisions.push(await check(one));
    deepStrictEqual(decisions, expected);
  }
}

/** Calls a request over the limit: one key, its minute used up, four containers. */
async function flood(party: Party, documents: DynamoDBDocumentClient, requests: number): Promise<number> {
  const at = Date.now();
  const { hash } = await issueKey(documents);
  const containers = Array.from({ length: 4 }, () => party.container(() => at));
  const [first] = containers;
  for (let i = 0; i < limits.requests.key.perMinute; i++) await first?.(hash);
  const before = party.calls.length;
  const passed = await Promise.all(
    containers.map((check) => together(Array.from({ length: requests / containers.length }), width, () => check(hash))),
  );
  deepStrictEqual(passed.flat().filter(Boolean), []);
  return (party.calls.length - before) / requests;
}

/** Requests that passed beyond the limit, while three containers whose clocks differ pass the edge of a minute. */
async function overAdmission(party: Party, documents: DynamoDBDocumentClient, stepMs: number): Promise<number> {
  const { hash } = await issueKey(documents);
  let time = 0;
  const containers = skewsMs.map((skew) => party.container(() => time + skew));
  const edge = (windowsAt(Date.now()).minute + 1) * 60_000;
  let passed = 0;
  for (time = edge - 100; time <= edge + 100; time += stepMs) {
    const asked = containers.flatMap((check) => [check, check, check, check]);
    passed += (await Promise.all(asked.map((check) => check(hash)))).filter(Boolean).length;
  }
  return Math.max(0, passed - 2 * limits.requests.key.perMinute);
}

/** The rows (docs/rules.md#goals) about the key check. Takes about a minute. */
export async function keysBench(size: Size = 'full'): Promise<Row[]> {
  const { keys, requestsPerKey, rounds, flood: floodRequests, skewStepMs } = sizes[size];
  const engine = await startDynamo();
  await createTables(engine.endpoint);
  connectFunctions(engine.endpoint);
  const admin = connection(engine);
  await createCounterTables(admin);
  const parties = { ours: ours(engine), naive: naive(engine), flexible: flexible(engine) };
  const blocking = flexible(engine, { blocks: true });
  const rolling = rollingOver(engine);
  try {
    await assertSameDecisions([...Object.values(parties), blocking], admin.documents);

    let hashes: string[] = [];
    const callsOf: Record<string, number> = {};
    const requests = keys * requestsPerKey;
    const times = await takeTurns(
      Object.entries(parties).map(([name, party]) => {
        const check = party.container();
        return {
          name,
          prepare: async () => {
            hashes = (await together(Array.from({ length: keys }), width, () => issueKey(admin.documents))).map(
              ({ hash }) => hash,
            );
            party.calls.length = 0;
          },
          run: async () => {
            const asked = Array.from({ length: requests }, (_, i) => hashes[i % keys] ?? '');
            deepStrictEqual(new Set(await together(asked, width, check)), new Set([true]));
            callsOf[name] = party.calls.length / requests;
          },
        };
      }),
      rounds,
    );
    const perSecond = (name: string) => (requests / median(times.wall.get(name) ?? [])) * 1_000;
    const versusNaive = ratioOf(times.wall, 'naive', 'ours');
    const versusFlexible = ratioOf(times.wall, 'flexible', 'ours');
    const processor = (name: string, party: string): Row => ({
      name: `keys: ${name}, processor time of this process`,
      value: (1_000 * median(times.processor.get(party) ?? [])) / requests,
      unit: 'µs a request',
      ratio: party === 'ours' ? '' : `${ratioOf(times.processor, party, 'ours').toFixed(2)} × ours`,
    });

    const flooded = {
      ours: await flood(parties.ours, admin.documents, floodRequests),
      naive: await flood(parties.naive, admin.documents, floodRequests),
      flexible: await flood(parties.flexible, admin.documents, floodRequests),
      blocking: await flood(blocking, admin.documents, floodRequests),
    };
    const over = {
      ours: await overAdmission(parties.ours, admin.documents, skewStepMs),
      rolling: await overAdmission(rolling, admin.documents, skewStepMs),
    };

    const calls = (name: string, value: number | undefined): Row => ({
      name: `keys: ${name}`,
      value: value ?? Number.NaN,
      unit: 'DynamoDB calls a request',
    });
    return [
      { ...calls('ours', callsOf.ours), goal: 'exactly 1.00', met: callsOf.ours === 1 },
      calls('read and two counters', callsOf.naive),
      calls('read and rate-limiter-flexible × 2', callsOf.flexible),
      { name: 'keys: ours', value: perSecond('ours'), unit: 'requests/s' },
      {
        name: 'keys: read and two counters',
        value: perSecond('naive'),
        unit: 'requests/s',
        ratio: `ours is ${versusNaive.toFixed(2)} ×`,
        goal: 'ours ≥ 2.5 ×',
        met: versusNaive >= 2.5,
      },
      {
        name: 'keys: read and rate-limiter-flexible × 2',
        value: perSecond('flexible'),
        unit: 'requests/s',
        ratio: `ours is ${versusFlexible.toFixed(2)} ×`,
        goal: 'ours ≥ 4.5 ×',
        met: versusFlexible >= 4.5,
      },
      processor('ours', 'ours'),
      processor('read and two counters', 'naive'),
      processor('read and rate-limiter-flexible × 2', 'flexible'),
      { ...calls('flood over the limit, ours', flooded.ours), goal: '≤ 0.05', met: flooded.ours <= 0.05 },
      calls('flood over the limit, read and two counters', flooded.naive),
      calls('flood over the limit, read and rate-limiter-flexible × 2', flooded.flexible),
      calls('flood over the limit, the same with its memory of who is over', flooded.blocking),
      {
        name: 'keys: clocks ± 60 ms apart at the edge of a minute, ours',
        value: over.ours,
        unit: 'requests too many',
        goal: '0',
        met: over.ours === 0,
      },
      {
        name: 'keys: the same, one counter that rolls over',
        value: over.rolling,
        unit: 'requests too many',
        ratio: `${((100 * over.rolling) / (2 * limits.requests.key.perMinute)).toFixed(0)} % over`,
      },
    ];
  } finally {
    for (const party of [...Object.values(parties), blocking, rolling]) party.close();
    admin.client.destroy();
    await engine.stop();
  }
}

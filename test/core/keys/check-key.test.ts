import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KeyCheck, keyChecker } from '../../../core/keys/check-key.ts';
import { windowsAt } from '../../../core/keys/windows.ts';
import { issueKey, readKey } from '../../support/api-keys.ts';
import { countCalls } from '../../support/count-calls.ts';
import { connect, connectFunctions, createTables, type Engine, startDynamo, tableName } from '../../support/dynamo.ts';

const noon = Date.parse('2026-12-01T12:00:10.000Z');
const minuteMs = 60_000;

let engine: Engine;
let client: DynamoDBDocumentClient;
let calls: string[];

beforeAll(async () => {
  engine = await startDynamo();
  await createTables(engine.endpoint);
  connectFunctions(engine.endpoint);
  client = connect(engine.endpoint);
  calls = countCalls(client);
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});

/** A container whose clock stands at `time`, or runs with the function given. */
function container(time: number | (() => number) = noon) {
  return keyChecker({ now: typeof time === 'number' ? () => time : time, client: () => client });
}

function accepted(checks: readonly KeyCheck[]): number {
  return checks.filter(({ outcome }) => outcome === 'accepted').length;
}

describe('one call', () => {
  test('accepts a request, counts it in both windows and says what is left', async () => {
    const { hash } = await issueKey(client, { id: 5, origins: ['example.com'], scopes: ['slots:read'] });
    calls.length = 0;
    expect(await container()(hash)).toEqual({
      outcome: 'accepted',
      key: { id: 5, businessId: 7, scopes: ['slots:read'], test: false },
      origins: ['example.com'],
      usage: {
        remaining: 59,
        resetsMs: Date.parse('2026-12-01T12:01:00Z'),
        dayRemaining: 9_999,
        dayResetsMs: Date.parse('2026-12-02T00:00:00Z'),
      },
    });
    expect(calls).toHaveLength(1);
  });

  const { minuteName, dayName } = windowsAt(noon);
  test.each([
    ['revoked', { status: 'revoked' }, 'revoked'],
    ['revoked and out of requests', { status: 'revoked', [minuteName]: 60, [dayName]: 10_000 }, 'revoked'],
    ['expired this very millisecond', { expiresAt: noon }, 'expired'],
    ['out of requests this minute', { [minuteName]: 60, [dayName]: 60 }, 'minute_exhausted'],
    ['out of requests today', { [dayName]: 10_000 }, 'day_exhausted'],
    ['out of requests in both windows', { [minuteName]: 60, [dayName]: 10_000 }, 'day_exhausted'],
  ])('explains a key that is %s, and writes nothing', async (_, attributes, outcome) => {
    const { hash } = await issueKey(client, attributes);
    const before = await readKey(client, hash);
    calls.length = 0;
    expect(await container()(hash)).toMatchObject({ outcome });
    expect(calls).toHaveLength(1);
    expect(await readKey(client, hash)).toEqual(before);
  });

  test('explains a key that does not exist, and does not create it', async () => {
    expect(await container()('0'.repeat(64))).toEqual({ outcome: 'unknown' });
    expect(calls).toHaveLength(1);
    expect(await readKey(client, '0'.repeat(64))).toEqual({});
  });

  test('a key is accepted until the millisecond before it expires', async () => {
    const { hash } = await issueKey(client, { expiresAt: noon + 1 });
    expect(await container()(hash)).toMatchObject({ outcome: 'accepted' });
  });

  test('what is left of the minute is never more than what is left of the day', async () => {
    const { hash } = await issueKey(client, { [dayName]: 9_997 });
    expect(await container()(hash)).toMatchObject({ usage: { remaining: 2, dayRemaining: 2 } });
  });
});

describe('no call', () => {
  test('after a 429 the container answers without the table until the window ends', async () => {
    let time = noon;
    const { hash } = await issueKey(client, { [windowsAt(noon).minuteName]: 60 });
    const check = container(() => time);
    const first = await check(hash);
    calls.length = 0;
    for (let i = 0; i < 100; i++) expect(await check(hash)).toEqual(first);
    expect(calls).toHaveLength(0);

    time = windowsAt(noon).minuteEndsMs;
    expect(await check(hash)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('a revoked key', () => {
  /** What the second of two requests gets, when the key is revoked between them. */
  async function afterRevocation(check: (hash: string) => Promise<KeyCheck>): Promise<KeyCheck> {
    const { hash } = await issueKey(client);
    expect(await check(hash)).toMatchObject({ outcome: 'accepted' });
    await client.send(
      new UpdateCommand({
        TableName: tableName('keys'),
        Key: { pk: hash },
        UpdateExpression: 'SET #status = :revoked',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':revoked': 'revoked' },
      }),
    );
    return check(hash);
  }

  test('is refused by the very next request', async () => {
    expect(await afterRevocation(container())).toEqual({ outcome: 'revoked' });
  });

  test('with the bug planted (accepted keys are remembered) it is accepted', async () => {
    const remembered = new Map<string, KeyCheck>();
    const check = container();
    const caching = async (hash: string) => {
      const found = remembered.get(hash) ?? (await check(hash));
      remembered.set(hash, found);
      return found;
    };
    expect(await afterRevocation(caching)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('the minute limit under concurrency', () => {
  /** 500 requests at once over ten containers; returns how many got through. */
  async function flood(check: (hash: string, i: number) => Promise<KeyCheck>): Promise<number> {
    const { hash } = await issueKey(client);
    return accepted(await Promise.all(Array.from({ length: 500 }, (_, i) => check(hash, i))));
  }

  test('of 500 concurrent requests exactly 60 pass', async () => {
    const containers = Array.from({ length: 10 }, () => container());
    expect(await flood((hash, i) => containers[i % 10]?.(hash) ?? Promise.reject())).toBe(60);
  });

  test('with the bug planted (read, compare, write back) more than 60 pass', async () => {
    const { minuteName } = windowsAt(noon);
    const readThenWrite = async (hash: string): Promise<KeyCheck> => {
      const key = { TableName: tableName('keys'), Key: { pk: hash } };
      const { Item = {} } = await client.send(new GetCommand(key));
      const count = Number(Item[minuteName] ?? 0);
      if (count >= 60) return { outcome: 'unknown' };
      await client.send(new PutCommand({ TableName: key.TableName, Item: { ...Item, [minuteName]: count + 1 } }));
      return { outcome: 'accepted' } as KeyCheck;
    };
    expect(await flood(readThenWrite)).toBeGreaterThan(60);
  });
});

describe('the edge of a minute, with clocks 60 ms apart', () => {
  const edge = windowsAt(noon).minuteEndsMs;
  const skews = [-60, 0, 60];

  /** Requests of three containers from 100 ms before the edge to 100 ms after; returns those admitted, by window. */
  async function acrossTheEdge(check: (hash: string, time: number) => Promise<boolean>): Promise<Map<number, number>> {
    const { hash } = await issueKey(client);
    const admitted = new Map<number, number>();
    for (let trueTime = edge - 100; trueTime < edge + 100; trueTime += 2) {
      for (const skew of skews) {
        const time = trueTime + skew;
        if (!(await check(hash, time))) continue;
        const { minute } = windowsAt(time);
        admitted.set(minute, (admitted.get(minute) ?? 0) + 1);
      }
    }
    return admitted;
  }

  test('each window admits exactly 60', async () => {
    let time = 0;
    // Containers without memory, so that the deny cache cannot hide what the table would have admitted.
    const admitted = await acrossTheEdge(async (hash, at) => {
      time = at;
      return (await container(() => time)(hash)).outcome === 'accepted';
    });
    expect([...admitted.values()]).toEqual([60, 60]);
  });

  test('with the bug planted (one counter, reset when the window differs) more than 60 are admitted', async () => {
    const admitted = await acrossTheEdge(async (hash, at) => {
      const { minute } = windowsAt(at);
      const TableName = tableName('keys');
      const { Item = {} } = await client.send(new GetCommand({ TableName, Key: { pk: hash } }));
      const used = Item.window === minute ? Number(Item.used) : 0;
      if (used >= 60) return false;
      await client.send(new PutCommand({ TableName, Item: { ...Item, window: minute, used: used + 1 } }));
      return true;
    });
    expect(Math.max(...admitted.values())).toBeGreaterThan(60);
  });
});

describe('old windows', () => {
  /** Rough size as DynamoDB counts it: names and values in UTF-8. */
  const sizeOf = (item: Record<string, unknown>) => Buffer.byteLength(JSON.stringify(item));
  const counters = (item: Record<string, unknown>) => Object.keys(item).filter((name) => /^[md]#/.test(name));

  test('a request every few minutes for 1000 times leaves a small item, at one call each', async () => {
    let time = noon;
    const { hash } = await issueKey(client);
    const check = container(() => time);
    calls.length = 0;
    for (let i = 0; i < 1_000; i++) {
      time += 7 * minuteMs;
      await check(hash);
    }
    expect(calls).toHaveLength(1_000);
    const item = await readKey(client, hash);
    expect(counters(item).length).toBeLessThanOrEqual(6);
    expect(sizeOf(item)).toBeLessThan(1_024);
  });

  test('also when every request meets a new container, at less than 1.07 calls each', async () => {
    let time = noon;
    let largest = 0;
    const { hash } = await issueKey(client);
    calls.length = 0;
    for (let i = 0; i < 1_000; i++) {
      time += 7 * minuteMs;
      await container(time)(hash);
      if (i % 16 === 15) largest = Math.max(largest, sizeOf(await readKey(client, hash)));
    }
    const updates = calls.filter((name) => name.includes('Update'));
    expect(updates.length).toBeLessThan(1_070);
    expect(largest).toBeLessThan(1_024);
  });

  test('counters of the previous window survive, for containers whose clock is still in it', async () => {
    const { hash } = await issueKey(client);
    const { minuteName, minuteEndsMs } = windowsAt(noon);
    for (let i = 0; i < 60; i++) await container()(hash);
    expect(await container(minuteEndsMs + 1)(hash)).toMatchObject({ outcome: 'accepted' });
    expect(await readKey(client, hash)).toMatchObject({ [minuteName]: 60 });
    expect(await container()(hash)).toMatchObject({ outcome: 'minute_exhausted' });
  });
});

test('a key that has used up its day and is revoked says so within a minute', async () => {
  const { dayName, minuteEndsMs } = windowsAt(noon);
  const { hash } = await issueKey(client, { [dayName]: 10_000 });
  let time = noon;
  const check = keyChecker({ now: () => time, client: () => client });
  expect(await check(hash)).toMatchObject({ outcome: 'day_exhausted' });
  await client.send(
    new UpdateCommand({
      TableName: tableName('keys'),
      Key: { pk: hash },
      UpdateExpression: 'SET #status = :revoked',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':revoked': 'revoked' },
    }),
  );
  calls.length = 0;
  time = minuteEndsMs - 1;
  expect(await check(hash)).toMatchObject({ outcome: 'day_exhausted' });
  expect(calls).toEqual([]);
  time = minuteEndsMs;
  expect(await check(hash)).toEqual({ outcome: 'revoked' });
});

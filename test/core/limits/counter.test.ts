/** Guarantees of request counting for every kind of principal (docs/rules.md#limits). */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { keyChecker } from '../../../core/keys/check-key.ts';
import type { Container } from '../../../core/limits/counter.ts';
import { windowsAt } from '../../../core/limits/windows.ts';
import { log } from '../../../core/log.ts';
import { ownerCounter } from '../../../core/owners/count-owner.ts';
import { sessionCounter } from '../../../core/sessions/check-session.ts';
import { keys } from '../../../core/table-keys.ts';
import { itemSize } from '../../../packages/memory-dynamo/src/capacity.ts';
import { issueKey, readCounted } from '../../support/api-keys.ts';
import { tableName } from '../../support/dynamo.ts';
import { scriptTest } from '../../support/script-test.ts';
import type { RecordedCall } from '../../support/scripted-dynamo.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const noon = Date.parse('2026-12-01T12:00:10.000Z');
const minuteMs = 60_000;

const fixture = useTestBusiness();
let client: DynamoDBDocumentClient;
let calls: RecordedCall[];
beforeEach(() => {
  client = fixture.admin.db;
  ({ calls } = scriptTest([], { client, attempts: true }));
});

/** A container with a fixed clock, or with the clock of a function. */
function at(time: number | (() => number) = noon): Container {
  return { now: typeof time === 'number' ? () => time : time, client: () => client };
}

const store = (Item: Readonly<Record<string, unknown>>) =>
  client.send(new PutCommand({ TableName: tableName('keys'), Item }));

/** A principal: its item, and how a container counts its requests. */
interface Caller {
  readonly pk: string;
  countedBy(container: Container): () => Promise<{ readonly outcome: string; readonly usage?: unknown }>;
}

let subjects = 0;

/** By kind, a new principal with the usage in `used`. */
const callers: Readonly<
  Record<keyof typeof limits.requests, (used?: Readonly<Record<string, number>>) => Promise<Caller>>
> = {
  async key(used = {}) {
    const { hash } = await issueKey(client, used);
    return { pk: hash, countedBy: (container) => keyChecker(container).bind(undefined, hash) };
  },
  async session(used = {}) {
    const pk = `session-${++subjects}`;
    const session = { id: subjects, tenantId: 7, keyId: 5, rights: [], expiresAt: noon + 90 * 86_400_000 };
    await store({ pk, ...session, ...used });
    return { pk, countedBy: (container) => sessionCounter(container).bind(undefined, pk) };
  },
  async owner(used = {}) {
    const owner = { tenantId: 7, subject: `subject-${++subjects}` };
    const { pk } = keys.owner(owner.tenantId, owner.subject);
    if (Object.keys(used).length > 0) await store({ pk, ...used });
    return { pk, countedBy: (container) => ownerCounter(container).bind(undefined, owner) };
  },
};

const kinds = Object.entries(limits.requests).map(([kind, limit]) => ({
  kind,
  who: `one ${kind === 'key' ? 'API key' : kind}`,
  ...limit,
  caller: callers[kind as keyof typeof callers],
}));

describe.each(kinds)('requests of one $kind', ({ who, perMinute, perDay, caller }) => {
  const { minuteName, dayName } = windowsAt(noon);

  test(`One DynamoDB call counts a request of ${who} for the minute and the day, and returns the remaining requests`, async () => {
    const { pk, countedBy } = await caller();
    const count = countedBy(at());
    calls.length = 0;
    expect(await count()).toMatchObject({
      outcome: 'accepted',
      usage: {
        limits: { perMinute, perDay },
        remaining: perMinute - 1,
        resetsMs: Date.parse('2026-12-01T12:01:00Z'),
        dayRemaining: perDay - 1,
        dayResetsMs: Date.parse('2026-12-02T00:00:00Z'),
      },
    });
    expect(calls).toHaveLength(1);
    expect(await readCounted(client, pk)).toMatchObject({ [minuteName]: 1, [dayName]: 1 });
  });

  test.each([
    ['this minute', { [minuteName]: perMinute, [dayName]: perMinute }, 'minute_exhausted'],
    ['today', { [dayName]: perDay }, 'day_exhausted'],
    ['this minute and today', { [minuteName]: perMinute, [dayName]: perDay }, 'day_exhausted'],
  ])(
    'A request of a caller that has used up its requests is refused with one DynamoDB call, and nothing is written (used up: %s)',
    async (_, used, outcome) => {
      const { pk, countedBy } = await caller(used);
      const before = await readCounted(client, pk);
      const count = countedBy(at());
      calls.length = 0;
      expect(await count()).toMatchObject({ outcome });
      expect(calls).toHaveLength(1);
      expect(await readCounted(client, pk)).toEqual(before);
    },
  );

  test('The remaining requests that a response shows for this minute are never more than those for today', async () => {
    const { countedBy } = await caller({ [dayName]: perDay - 3 });
    expect(await countedBy(at())()).toMatchObject({ usage: { remaining: 2, dayRemaining: 2 } });
  });

  test('After a caller has used up its requests, further requests in the same minute are refused without a call to DynamoDB', async () => {
    let time = noon;
    const { countedBy } = await caller({ [minuteName]: perMinute });
    const count = countedBy(at(() => time));
    const first = await count();
    calls.length = 0;
    for (let i = 0; i < 100; i++) expect(await count()).toEqual(first);
    expect(calls).toHaveLength(0);

    time = windowsAt(noon).minuteEndsMs;
    expect(await count()).toMatchObject({ outcome: 'accepted' });
  });

  test('When the stored request counters are unavailable, no caller is refused as unknown or as over the limit', async () => {
    const { countedBy } = await caller();
    const down = new Error('Down');
    scriptTest([{ when: 'UpdateItem', fail: () => down }], { client });
    await expect(countedBy(at())()).rejects.toBe(down);
  });

  const atOnce = perMinute + 440;

  /** Returns how many of the concurrent requests were admitted. */
  async function flood(admits: (i: number) => Promise<boolean>): Promise<number> {
    const admitted = await Promise.all(Array.from({ length: atOnce }, (_, i) => admits(i)));
    return admitted.filter(Boolean).length;
  }

  test(`Of ${atOnce} concurrent requests of ${who} to ten Lambda containers, exactly ${perMinute} are accepted`, async () => {
    const { countedBy } = await caller();
    const containers = Array.from({ length: 10 }, () => countedBy(at()));
    const passed = await flood(async (i) => (await containers[i % 10]?.())?.outcome === 'accepted');
    expect(passed).toBe(perMinute);
  });

  test('Negative control: if a stored counter is read, compared and written in three steps, too many requests are accepted', async () => {
    const { pk } = await caller({ [dayName]: 1 });
    const passed = await flood(async () => {
      const item = await readCounted(client, pk);
      const count = Number(item[minuteName] ?? 0);
      if (count >= perMinute) return false;
      await store({ ...item, [minuteName]: count + 1 });
      return true;
    });
    expect(passed).toBeGreaterThan(perMinute);
  });

  const edge = windowsAt(noon).minuteEndsMs;
  const skews = [-60, 0, 60];
  /** The rest of the limit in each of the two minutes. */
  const room = 60;
  const used = Object.fromEntries([noon, edge].map((time) => [windowsAt(time).minuteName, perMinute - room]));

  /** Requests of three containers from 100 ms before the edge to 100 ms after; returns those admitted, by window. */
  async function acrossTheEdge(admits: (time: number) => Promise<boolean>): Promise<Map<number, number>> {
    const admitted = new Map<number, number>();
    for (let trueTime = edge - 100; trueTime < edge + 100; trueTime += 2) {
      for (const skew of skews) {
        const time = trueTime + skew;
        if (!(await admits(time))) continue;
        const { minute } = windowsAt(time);
        admitted.set(minute, (admitted.get(minute) ?? 0) + 1);
      }
    }
    return admitted;
  }

  test('In each minute exactly the limit of requests is accepted, even if the clocks of Lambda containers differ by 60 ms', async () => {
    const { countedBy } = await caller(used);
    // These containers have no cache, so that the deny cache cannot hide what the table would admit.
    const admitted = await acrossTheEdge(async (time) => (await countedBy(at(time))()).outcome === 'accepted');
    expect([...admitted.values()]).toEqual([room, room]);
  });

  test('Negative control: if one stored counter restarts each minute, too many requests are accepted when clocks differ', async () => {
    const { pk } = await caller(used);
    const admitted = await acrossTheEdge(async (time) => {
      const { minute } = windowsAt(time);
      const item = await readCounted(client, pk);
      const count = item.window === minute ? Number(item.used) : 0;
      if (count >= room) return false;
      await store({ ...item, window: minute, used: count + 1 });
      return true;
    });
    expect(Math.max(...admitted.values())).toBeGreaterThan(room);
  });

  const ofKind = (kind: 'm' | 'd', item: Record<string, unknown>) =>
    Object.keys(item).filter((name) => name.startsWith(`${kind}#`));

  test.each([
    [7, 'one Lambda container', true, 300],
    [7, 'new Lambda containers', false, 320],
    [3, 'new Lambda containers', false, 300],
  ])(
    'Counting a request every %i minutes in %s costs at most 1.07 DynamoDB calls a request, and less than 1 KB of storage',
    async (minutes, _, isOne, most) => {
      let time = noon;
      let largest = 0;
      const { pk, countedBy } = await caller();
      const one = countedBy(at(() => time));
      calls.length = 0;
      for (let i = 0; i < 300; i++) {
        time += minutes * minuteMs;
        await (isOne ? one : countedBy(at(time)))();
        if (i % 16 === 15) largest = Math.max(largest, itemSize(await readCounted(client, pk)));
      }
      expect(calls.filter(({ operation }) => operation === 'UpdateItem').length).toBeLessThanOrEqual(most);
      expect(largest).toBeLessThan(1_024);
      if (isOne) expect(ofKind('m', await readCounted(client, pk)).length).toBeLessThanOrEqual(4);
    },
  );

  test('Daily request counters are kept for thirty days in an item below 1 KB, and each request costs one DynamoDB call', async () => {
    let time = noon;
    const { pk, countedBy } = await caller();
    const count = countedBy(at(() => time));
    calls.length = 0;
    for (let i = 0; i < 3 * 60; i++) {
      time += 8 * 60 * minuteMs;
      await count();
    }
    expect(calls).toHaveLength(3 * 60);
    const item = await readCounted(client, pk);
    expect(ofKind('d', item)).toHaveLength(30);
    const busy = Object.fromEntries(
      Object.keys(item).map((name) => [name, name.startsWith('d#') ? perDay : item[name]]),
    );
    expect(itemSize(busy)).toBeLessThan(1_024);
  });
});

test('A request is accepted even if expired request counters of its caller cannot be removed', async () => {
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  const { minute } = windowsAt(noon);
  const old = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`m#${minute - 100 - i}`, 1]));
  const { countedBy } = await callers.key(old);
  scriptTest([{ when: 'UpdateItem', nth: 2, fail: 'Down' }], { client });
  expect(await countedBy(at())()).toMatchObject({ outcome: 'accepted' });
  expect(log.warn).toHaveBeenCalledOnce();
});

test('A thousand expired request counters of a caller are removed by its next ten requests', async () => {
  const { minute } = windowsAt(noon);
  const old = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`m#${minute - 100 - i}`, 1]));
  const { pk, countedBy } = await callers.key(old);
  for (let request = 0; request < 10; request++) await countedBy(at())();
  expect(Object.keys(await readCounted(client, pk)).filter((name) => name.startsWith('m#'))).toHaveLength(1);
});

test('Requests are counted separately for each owner of a business and each business of an owner', async () => {
  const count = ownerCounter(at());
  const owners = [
    { tenantId: 7, subject: 'one' },
    { tenantId: 7, subject: 'two' },
    { tenantId: 8, subject: 'one' },
  ];
  for (const owner of owners) expect(await count(owner)).toMatchObject({ usage: { remaining: 599 } });
});

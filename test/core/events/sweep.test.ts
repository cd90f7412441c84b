import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { events } from '../../../contract/events.ts';
import { schedules } from '../../../contract/schedules.ts';
import { dynamo, eventBridge } from '../../../core/clients.ts';
import { newId, now, setWorld } from '../../../core/clock.ts';
import { type Event, type Notice, type OutboxItem, outboxPut, overdueMs, raise } from '../../../core/events/event.ts';
import { inTurns, isTurn, slice, sweep } from '../../../core/events/sweep.ts';
import { log } from '../../../core/log.ts';
import { records } from '../../../core/table-keys.ts';

vi.mock('../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../core/table-keys.ts')>()),
  outboxShards: 64,
}));

const start = Date.UTC(2026, 10, 24);
const hour = 3_600_000;
const dynamoMock = mockClient(dynamo());
const bus = mockClient(eventBridge());
let at = start;
/** The outbox, by sort key. */
const outbox = new Map<string, OutboxItem>();
/** The time of a run is over then. */
let endsAt = Number.POSITIVE_INFINITY;
const time = { getRemainingTimeInMillis: () => endsAt - at };
let planning = (_id: number) => true;

beforeEach(() => {
  process.env.TABLE_RECORDS = 'test-records';
  process.env.EVENT_BUS = 'bus';
  process.env.METRICS_NAMESPACE = 'test';
  log.setLogLevel('SILENT');
  at = start;
  endsAt = start + 1_000 * hour;
  outbox.clear();
  planning = () => true;
  setWorld({
    now: () => at,
    sleep: (ms) => {
      at += ms;
      return Promise.resolve();
    },
  });
  dynamoMock.reset();
  bus.reset();
  takeEvents();
  dynamoMock.on(QueryCommand).callsFake(query);
  dynamoMock.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const asked: { sk: string }[] = RequestItems['test-records'].Keys;
    return { Responses: { 'test-records': asked.flatMap(({ sk }) => outbox.get(sk) ?? []) } };
  });
});
afterEach(() => setWorld());

/** What is published is planned a little later, and leaves the outbox. */
function takeEvents(): void {
  bus.on(PutEventsCommand).callsFake(({ Entries }) => {
    at += 200;
    for (const id of idsOf(Entries)) if (planning(id)) outbox.delete(records.outboxId(id));
    return { FailedEntryCount: 0 };
  });
}

interface Asked {
  readonly ExpressionAttributeValues: Record<':shard' | ':before', string>;
  readonly Limit: number;
  readonly ExclusiveStartKey?: { readonly sk: string };
}

function query({ ExpressionAttributeValues: values, Limit, ExclusiveStartKey }: Asked) {
  const after = ExclusiveStartKey?.sk ?? '';
  // Events were put in the order of their ids.
  const all = [...outbox.values()].filter(
    ({ pk, sk }) => pk === values[':shard'] && sk < values[':before'] && sk > after,
  );
  const Items = all.slice(0, Limit);
  const last = Items.length < all.length ? Items.at(-1) : undefined;
  return { Items, ...(last && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
}

const idsOf = (entries: readonly { Detail?: string | undefined }[] | undefined): number[] =>
  (entries ?? []).flatMap(({ Detail }) => JSON.parse(Detail ?? '').events.map(({ id }: { id: number }) => id));
const entries = () => bus.commandCalls(PutEventsCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
const published = (): number[] => idsOf(entries());

/** Puts an event into the outbox. A millisecond passes. */
function raised(businessId = 7, changes: Partial<OutboxItem> = {}): Event {
  const event = raise(businessId, 'client.created', events['client.created'].example, now()) as Event;
  const item = { ...outboxPut(event).Put.Item, ...changes } as unknown as OutboxItem;
  outbox.set(item.sk, item);
  at += 1;
  return event;
}
const some = (count: number, businessId = 7) => Array.from({ length: count }, () => raised(businessId).id);

test('every shard is asked for what is older than two minutes, and nothing younger', async () => {
  const old = raised();
  const young = raised();
  at = start + overdueMs + 1;
  await sweep(undefined, time);
  expect(published()).toEqual([old.id]);
  const asked = dynamoMock.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues);
  expect(asked.map((values) => values?.[':shard'])).toEqual(Array.from({ length: 64 }, (_, i) => `OUTBOX#${i}`));
  expect([...outbox.values()].map(({ id }) => id)).toEqual([young.id]);
});

test('what is published again names the event and holds none of its content', async () => {
  raised();
  at += hour;
  await sweep(undefined, time);
  const { events: named, ...others } = JSON.parse(entries()[0]?.Detail ?? '');
  expect(others).toEqual({});
  expect(named.map((one: object) => Object.keys(one).sort())).toEqual([['businessId', 'id', 'occurredAt', 'shard']]);
});

test('a backlog is published in one run, each event once, oldest first over all shards', async () => {
  const backlog = some(12_000);
  at += hour;
  await sweep(undefined, time);
  expect(published()).toEqual(backlog);
  expect(outbox.size).toBe(0);
});

test('what is under way at once doubles as long as it is planned, and is a hundred where nothing is', async () => {
  const backlog = some(3_000);
  at += hour;
  const sizes = () => bus.commandCalls(PutEventsCommand).map(({ args }) => idsOf(args[0].input.Entries).length);
  planning = (id) => id < (backlog[1_500] ?? 0);
  await sweep(undefined, time);
  expect(sizes().slice(0, 4)).toEqual([100, 200, 400, 800]);
  // From then on nothing gets planned. Of what follows the last slice, which was under way, a run publishes a sixth.
  expect(published().length).toBeLessThan(1_500 + 1_500 / 6 + 1_600);
  expect(
    sizes()
      .slice(6)
      .every((size) => size < 400),
  ).toBe(true);
});

test('the run ends with its time, and the next one goes on with the oldest', async () => {
  const backlog = some(5_000);
  at += hour;
  endsAt = at + 25_500;
  await sweep(undefined, time);
  const first = published();
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(5_000);
  endsAt = at + 290_000;
  await sweep(undefined, time);
  expect(published()).toEqual(backlog);
});

test('while the bus takes nothing, nothing but the oldest is tried, and all follows when it is back', async () => {
  const backlog = some(1_000);
  at += hour;
  const isBackAt = at + 120_000;
  bus.on(PutEventsCommand).callsFake(({ Entries }) => {
    if (at < isBackAt) throw new Error('no bus');
    for (const id of idsOf(Entries)) outbox.delete(records.outboxId(id));
    return { FailedEntryCount: 0 };
  });
  endsAt = at + 290_000;
  await sweep(undefined, time);
  expect(outbox.size).toBe(0);
  const tried = published();
  expect(tried.length).toBeLessThan(40 * 4 * 100 + 1_000);
  expect(new Set(tried.slice(0, -1_000)).size).toBe(100);
  expect(tried.slice(-1_000)).toEqual(backlog);
});

test('a few of one business do not wait behind the hundreds of another that are about as old', () => {
  const notice = (id: number, businessId: number): Notice => ({
    id,
    businessId,
    shard: 0,
    name: 'client.created',
    occurredAt: '',
  });
  const notices = [...Array.from({ length: 300 }, (_, i) => notice(i, 1)), notice(300, 2)];
  expect(
    inTurns(notices)
      .map(({ id }) => id)
      .indexOf(300),
  ).toBe(100);
});

test('a business for which nothing gets planned holds up no other, and each of its events has its turn in six runs', async () => {
  const stuck = some(900, 1);
  const fine = some(300, 2);
  planning = (id) => !stuck.includes(id);
  at += hour;
  await sweep(undefined, time);
  expect([...outbox.values()].every(({ businessId }) => businessId === 1)).toBe(true);
  expect(published().filter((id) => fine.includes(id))).toHaveLength(300);

  const everyMs = schedules.sweep.everyMinutes * 60_000;
  bus.resetHistory();
  for (let run = 0; run < 6; run++) {
    at = start + 2 * hour + run * everyMs;
    await sweep(undefined, time);
  }
  expect(new Set(published()).size).toBe(900);
  expect(published().length).toBeLessThan(900 + 6 * 300);
});

test('of a business that is stuck an event is published in one run of six', () => {
  const id = newId();
  for (const hours of [1, 2, 30, 700]) {
    const from = start + hours * hour;
    const turns = Array.from({ length: 6 }, (_, run) => isTurn(id, from + run * 5 * 60_000));
    expect(turns.filter(Boolean)).toHaveLength(1);
  }
});

test('shards that cannot be read keep no other from its turn, and the run does not end as if all were well', async () => {
  const backlog = Array.from({ length: 500 }, () => raised());
  at += hour;
  const broken = [3, 17, 40];
  dynamoMock.on(QueryCommand).callsFake((asked: Asked) => {
    if (broken.some((shard) => asked.ExpressionAttributeValues[':shard'] === records.outboxShard(shard))) {
      throw new Error('ProvisionedThroughputExceeded');
    }
    return query(asked);
  });
  await expect(sweep(undefined, time)).rejects.toThrow(`${broken}`);
  const readable = backlog.filter(({ shard }) => !broken.includes(shard)).map(({ id }) => id);
  expect(readable.length).toBeGreaterThan(400);
  expect(published()).toEqual(readable);

  dynamoMock.on(QueryCommand).callsFake(query);
  await sweep(undefined, time);
  expect(outbox.size).toBe(0);
});

test('while it cannot be told what is planned, no more than a hundred are published at once', async () => {
  const backlog = some(1_000);
  at += hour;
  dynamoMock.on(BatchGetCommand).rejects(new Error('ProvisionedThroughputExceeded'));
  await sweep(undefined, time);
  const sizes = bus.commandCalls(PutEventsCommand).map(({ args }) => idsOf(args[0].input.Entries).length);
  expect(Math.max(...sizes)).toBe(slice.least);
  expect(published().slice(0, 200)).toEqual(backlog.slice(0, 200));
  expect(backlog).toEqual(expect.arrayContaining(published()));
});

test('what became of a slice of any size is one call to look up', async () => {
  some(12_000);
  at += hour;
  await sweep(undefined, time);
  const asked = dynamoMock
    .commandCalls(BatchGetCommand)
    .map(({ args }) => args[0].input.RequestItems?.['test-records']?.Keys?.length ?? 0);
  expect(Math.max(...asked)).toBeLessThanOrEqual(100);
  expect(asked.length).toBeLessThan(20);
});

test('an event that cannot be read is left where it is, and the others go on', async () => {
  raised(7, { data: '{' });
  const fine = raised();
  at += hour;
  await sweep(undefined, time);
  expect(published()).toEqual([fine.id]);
});

test('each run says how old the oldest is and how many were published, nothing included', async () => {
  const said: Record<string, unknown> = {};
  const spy = vi.spyOn(log, 'info').mockImplementation((...line: readonly unknown[]) => {
    Object.assign(said, line[1]);
  });
  await sweep(undefined, time);
  expect(said).toMatchObject({ OldestOutboxEvent: 0, OutboxEventsOverdue: 0 });
  raised();
  raised();
  at = start + hour;
  await sweep(undefined, time);
  spy.mockRestore();
  expect(said).toMatchObject({ OldestOutboxEvent: hour / 1_000, OutboxEventsOverdue: 2 });
});

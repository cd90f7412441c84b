/** The sweeper of events with a simulated outbox and bus (docs/rules.md#pipeline). */
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventExamples } from '../../../contract/event-examples.ts';
import { schedules } from '../../../contract/system/schedules.ts';
import { dynamo, eventBridge } from '../../../core/clients.ts';
import { now, setRuntime } from '../../../core/clock.ts';
import { type Event, type EventRef, type OutboxItem, outboxPut, overdueMs, raise } from '../../../core/events/event.ts';
import { inRotation, slice, sweep as sweepUntil } from '../../../core/events/sweep.ts';
import { log } from '../../../core/log.ts';
import { records } from '../../../core/table-keys.ts';
import { collectMetrics } from '../../support/emitted-metrics.ts';

vi.mock('../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../core/table-keys.ts')>()),
  outboxShards: 64,
}));

const start = Date.UTC(2026, 10, 24);
const hour = 3_600_000;
const table = mockClient(dynamo());
const bus = mockClient(eventBridge());
/** The items by sort key, in the order of their ids. */
const outbox = new Map<string, OutboxItem>();
let at: number;
/** When the time of a run is over. */
let endsAt: number;
/** Whether an event is planned, and so leaves the outbox, after it was published. */
let planning: (id: number) => boolean;

const idsOf = (entries: readonly { Detail?: string | undefined }[] = []): number[] =>
  entries.flatMap(({ Detail = '' }) => JSON.parse(Detail).events.map(({ id }: { id: number }) => id));
const requests = () => bus.commandCalls(PutEventsCommand).map(({ args }) => idsOf(args[0].input.Entries));
const published = () => requests().flat();

interface SweepInput {
  readonly ExpressionAttributeValues: Record<':shard' | ':before', string>;
  readonly Limit: number;
  readonly ExclusiveStartKey?: { readonly sk: string };
}

function query({ ExpressionAttributeValues: values, Limit, ExclusiveStartKey }: SweepInput) {
  const after = ExclusiveStartKey?.sk ?? '';
  const all = [...outbox.values()].filter(
    ({ pk, sk }) => pk === values[':shard'] && sk < values[':before'] && sk > after,
  );
  const Items = all.slice(0, Limit);
  const last = Items.length < all.length ? Items.at(-1) : undefined;
  return { Items, ...(last && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
}

beforeEach(() => {
  Object.assign(process.env, { TABLE_RECORDS: 'test-records', EVENT_BUS: 'bus' });
  log.setLogLevel('SILENT');
  [at, endsAt, planning] = [start, Number.POSITIVE_INFINITY, () => true];
  outbox.clear();
  setRuntime({
    now: () => at,
    sleep: async (ms) => {
      at += ms;
    },
  });
  table.reset();
  bus.reset();
  bus.on(PutEventsCommand).callsFake(({ Entries }) => {
    at += 200;
    for (const id of idsOf(Entries)) if (planning(id)) outbox.delete(records.outboxId(id));
    return { FailedEntryCount: 0 };
  });
  table.on(QueryCommand).callsFake(query);
  table.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const keys: { sk: string }[] = RequestItems['test-records'].Keys;
    return { Responses: { 'test-records': keys.flatMap(({ sk }) => outbox.get(sk) ?? []) } };
  });
});
afterEach(() => setRuntime());
afterAll(() => {
  table.restore();
  bus.restore();
});

const sweep = () => sweepUntil(undefined, { getRemainingTimeInMillis: () => endsAt - at });

/** Adds an event to the outbox. A millisecond passes. */
function raised(changes: Partial<OutboxItem> = {}, tenantId = 7): Event {
  const event = raise(tenantId, 'client.created', eventExamples['client.created'], now()) as Event;
  const item = { ...outboxPut(event).Put.Item, ...changes } as unknown as OutboxItem;
  outbox.set(item.sk, item);
  at += 1;
  return event;
}

const some = (count: number, tenantId?: number) => Array.from({ length: count }, () => raised({}, tenantId).id);

test('The search for lost events publishes unsent events older than two minutes, and reports their number and greatest age', async () => {
  const metrics = collectMetrics(() => undefined);
  const oldest = raised({ pk: records.outboxShard(0) });
  at = start + 60_000;
  const old = raised({ pk: records.outboxShard(1) });
  const young = raised();
  at = start + 60_000 + overdueMs + 1;
  await sweep();
  expect(published()).toEqual([oldest.id, old.id]);
  expect(metrics.find(({ name }) => name === 'OldestOutboxEvent')?.values).toEqual([180]);
  expect(metrics.find(({ name }) => name === 'OutboxEventsOverdue')?.values).toEqual([2]);
  const values = table.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues);
  expect(values.map((one) => one?.[':shard'])).toEqual(Array.from({ length: 64 }, (_, i) => `OUTBOX#${i}`));
  expect([...outbox.values()].map(({ id }) => id)).toEqual([young.id]);
});

test('A scheduled search for lost events publishes 12 000 unsent events within ten seconds, each once and the oldest first', async () => {
  const backlog = some(12_000);
  at += hour;
  const begun = at;
  await sweep();
  expect(published()).toEqual(backlog);
  expect(at - begun).toBeLessThan(10_000);
  expect(outbox.size).toBe(0);
});

test('A scheduled search for lost events that runs out of time leaves the remaining events to the next search', async () => {
  const backlog = some(5_000);
  at += hour;
  endsAt = at + 25_500;
  await sweep();
  const first = published();
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(5_000);
  endsAt = at + 290_000;
  await sweep();
  expect(published()).toEqual(backlog);
});

test('While the event bus is down, the search for lost events tries only the oldest hundred; afterwards it publishes all', async () => {
  const backlog = some(1_000);
  at += hour;
  const isBackAt = at + 120_000;
  bus.on(PutEventsCommand).callsFake(({ Entries }) => {
    if (at < isBackAt) throw new Error('no bus');
    for (const id of idsOf(Entries)) outbox.delete(records.outboxId(id));
    return { FailedEntryCount: 0 };
  });
  endsAt = at + 290_000;
  await sweep();
  expect(outbox.size).toBe(0);
  const tried = published();
  expect(tried.length).toBeLessThan(40 * 4 * 100 + 1_000);
  expect(new Set(tried.slice(0, -1_000)).size).toBe(100);
  expect(tried.slice(-1_000)).toEqual(backlog);
});

test('In a search for lost events, a few events of one business do not wait behind hundreds of events of another business', () => {
  const event = { shard: 0, name: 'client.created', occurredAt: '' } as const;
  const many: EventRef[] = Array.from({ length: 300 }, (_, id) => ({ ...event, id, tenantId: 1 }));
  const inOrder = inRotation([...many, { ...event, id: 300, tenantId: 2 }]);
  expect(inOrder.findIndex(({ id }) => id === 300)).toBe(100);
});

test('A business whose events cannot be delivered does not delay other businesses, and each of its events is retried', async () => {
  const stuck = some(901, 1);
  const fine = some(300, 2);
  planning = (id) => !stuck.includes(id);
  at += hour;
  await sweep();
  expect([...outbox.values()].every(({ tenantId }) => tenantId === 1)).toBe(true);
  expect(published().filter((id) => fine.includes(id))).toHaveLength(300);

  const everyMs = schedules.sweep.everyMinutes * 60_000;
  bus.resetHistory();
  const metrics = collectMetrics(() => undefined);
  for (let run = 0; run < 6; run++) {
    at = start + 2 * hour + run * everyMs;
    await sweep();
  }
  expect(new Set(published()).size).toBe(901);
  expect(published().length).toBeLessThan(901 + 6 * 300);
  const counts = metrics.flatMap(({ name, values }) => (name === 'OutboxEventsOverdue' ? values : []));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(published().length);
});

test('If the events of a business can be delivered again during a search for lost events, the search publishes more of them', async () => {
  some(3_000, 1);
  let sent = 0;
  planning = () => {
    sent += 1;
    if (sent === 250) for (const id of published()) outbox.delete(records.outboxId(id));
    return sent >= 250;
  };
  at += hour;
  await sweep();
  expect(outbox.size).toBeLessThan(1_000);
});

test('If outbox partitions cannot be read, the search for lost events publishes those of all others, and ends with an error', async () => {
  const backlog = Array.from({ length: 500 }, () => raised());
  at += hour;
  const broken = [3, 17, 40];
  table.on(QueryCommand).callsFake((input) => {
    if (broken.some((shard) => input.ExpressionAttributeValues[':shard'] === records.outboxShard(shard))) {
      throw new Error('ProvisionedThroughputExceeded');
    }
    return query(input);
  });
  await expect(sweep()).rejects.toThrow(`${broken}`);
  const readable = backlog.filter(({ shard }) => !broken.includes(shard)).map(({ id }) => id);
  expect(readable.length).toBeGreaterThan(400);
  expect(published()).toEqual(readable);

  table.on(QueryCommand).callsFake(query);
  await sweep();
  expect(outbox.size).toBe(0);
});

test('The search for lost events publishes an event that is stored after two hundred unreadable events', async () => {
  const pk = records.outboxShard(0);
  for (let i = 0; i < 200; i++) raised({ pk, data: '{' });
  const { id } = raised({ pk });
  at += hour;
  await sweep();
  expect(published()).toEqual([id]);
});

test('If the search for lost events cannot see whether events were handled, it publishes at most a hundred at once', async () => {
  const backlog = some(1_000);
  at += hour;
  table.on(BatchGetCommand).rejects(new Error('ProvisionedThroughputExceeded'));
  await sweep();
  expect(Math.max(...requests().map(({ length }) => length))).toBe(slice.least);
  expect(published().slice(0, 200)).toEqual(backlog.slice(0, 200));
  expect(backlog).toEqual(expect.arrayContaining(published()));
});

import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { events } from '../../../contract/events.ts';
import { now, setWorld } from '../../../core/clock.ts';
import { outboxPut, raise } from '../../../core/events/event.ts';
import { isTurn, overdueMs, sweep } from '../../../core/events/sweep.ts';
import { log } from '../../../core/log.ts';

vi.mock('../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../core/table-keys.ts')>()),
  outboxShards: 4,
}));

const start = Date.UTC(2026, 10, 24);
const dynamoMock = mockClient(DynamoDBDocumentClient);
const bus = mockClient(EventBridgeClient);
const plenty = { getRemainingTimeInMillis: () => 60_000 };
let at = start;

beforeEach(() => {
  process.env.TABLE_RECORDS = 'test-records';
  process.env.EVENT_BUS = 'bus';
  log.setLogLevel('SILENT');
  at = start;
  setWorld({ now: () => at, sleep: () => Promise.resolve() });
  dynamoMock.reset();
  bus.reset();
  bus.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
});
afterEach(() => setWorld());

const item = () => outboxPut(raise(7, 'client.created', events['client.created'].example, now())).Put.Item;
const entries = () => bus.commandCalls(PutEventsCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
const published = (): object[] => entries().flatMap(({ Detail }) => JSON.parse(Detail ?? '').events);

test('every shard is asked for what is older than two minutes, and nothing younger', async () => {
  dynamoMock.on(QueryCommand).resolves({ Items: [] });
  const old = item();
  at += 1;
  const young = item();
  at = start + 1 + overdueMs;
  await sweep(undefined, plenty);
  const asked = dynamoMock.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues);
  expect(asked.map((values) => values?.[':shard'])).toEqual(['OUTBOX#0', 'OUTBOX#1', 'OUTBOX#2', 'OUTBOX#3']);
  for (const values of asked) {
    expect(old.sk < values?.[':before']).toBe(true);
    expect(young.sk < values?.[':before']).toBe(false);
  }
});

test('what is published again names the event and holds none of its content', async () => {
  const overdue = { ...item(), planned: [{ keyId: 1, webhookId: 2, number: 3 }], plannedThrough: 'x' };
  dynamoMock
    .on(QueryCommand)
    .resolvesOnce({ Items: [overdue] })
    .resolves({ Items: [] });
  await sweep(undefined, plenty);
  const [entry] = entries();
  const { events: named, ...others } = JSON.parse(entry?.Detail ?? '');
  expect(others).toEqual({});
  expect(named.map((one: object) => Object.keys(one).sort())).toEqual([['businessId', 'id', 'occurredAt', 'shard']]);
});

test('pages are followed to the end', async () => {
  dynamoMock
    .on(QueryCommand)
    .resolvesOnce({ Items: [item()], LastEvaluatedKey: { pk: 'a', sk: 'b' } })
    .resolves({ Items: [item()] });
  await sweep(undefined, plenty);
  expect(published()).toHaveLength(5);
});

test('a backlog without end stops at the bound of a run, and at the end of the time', async () => {
  const page = Array.from({ length: 100 }, item);
  dynamoMock.on(QueryCommand).resolves({ Items: page, LastEvaluatedKey: { pk: 'a', sk: 'b' } });
  await sweep(undefined, plenty);
  expect(published()).toHaveLength(10_000);
  bus.resetHistory();
  await sweep(undefined, { getRemainingTimeInMillis: () => 9_000 });
  expect(published()).toHaveLength(400);
});

test('an event that stays is published in each run for half an hour, and then in one of six', () => {
  const minutes = 60_000;
  const { id } = item();
  const turns = (from: number) =>
    Array.from({ length: 6 }, (_, run) => isTurn(id, start + from + run * 5 * minutes)).filter(Boolean).length;
  expect(turns(2 * minutes)).toBe(6);
  for (const hours of [1, 2, 30, 700]) expect(turns(hours * 60 * minutes)).toBe(1);
});

test('an event that cannot be read is left where it is, and the others go on', async () => {
  const [broken, fine] = [{ ...item(), data: '{' }, item()];
  dynamoMock
    .on(QueryCommand)
    .resolvesOnce({ Items: [broken, fine] })
    .resolves({ Items: [] });
  await sweep(undefined, plenty);
  expect(published()).toMatchObject([{ id: fine.id }]);
});

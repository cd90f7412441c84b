/** What is overdue is handed out oldest first over all shards, and no more of it is read than that takes. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { events } from '../../../contract/events.ts';
import { dynamo } from '../../../core/clients.ts';
import { firstIdAt } from '../../../core/clock.ts';
import { type OutboxItem, outboxPut, raise } from '../../../core/events/event.ts';
import { Overdue } from '../../../core/events/overdue.ts';
import { log } from '../../../core/log.ts';
import { records } from '../../../core/table-keys.ts';

vi.mock('../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../core/table-keys.ts')>()),
  outboxShards: 2,
}));

const at = Date.UTC(2026, 10, 24);
const table = mockClient(dynamo());
/** Shards, each as the pages that DynamoDB answers with. */
let shards: (readonly (readonly OutboxItem[])[])[];

/** The event of the `nth` second of an hour ago. */
function event(nth: number, shard: number, changes: Partial<OutboxItem> = {}): OutboxItem {
  const raised = raise(7, 'client.created', events['client.created'].example, at);
  return { ...outboxPut({ ...raised, id: idOf(nth), shard }).Put.Item, ...changes } as unknown as OutboxItem;
}
const idOf = (nth: number) => firstIdAt(at - 3_600_000 + nth * 1_000);
const some = (from: number, count: number, shard: number) =>
  Array.from({ length: count }, (_, i) => event(from + i, shard));
const seconds = (found: readonly { readonly id: number }[]) =>
  found.map(({ id }) => (id - idOf(0)) / (idOf(1) - idOf(0)));
const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
/** How many pages of each shard were asked for. */
const pagesRead = () =>
  shards.map(
    (_, shard) =>
      table
        .commandCalls(QueryCommand)
        .filter(({ args }) => args[0].input.ExpressionAttributeValues?.[':shard'] === records.outboxShard(shard))
        .length,
  );

beforeEach(() => {
  process.env.TABLE_RECORDS = 'test-records';
  log.setLogLevel('SILENT');
  shards = [];
  table.reset();
  table.on(QueryCommand).callsFake(({ ExpressionAttributeValues, ExclusiveStartKey }) => {
    const pages = shards[records.shardOfOutbox(ExpressionAttributeValues[':shard'])] ?? [];
    const page = ExclusiveStartKey?.page ?? 0;
    return { Items: pages[page], ...(page + 1 < pages.length && { LastEvaluatedKey: { page: page + 1 } }) };
  });
});
afterAll(() => table.restore());

test('a shard of which half a page waits for older events of another is not read on', async () => {
  // Of the second shard fifty events lie among those of the other, and fifty behind them.
  shards = [
    [some(0, 100, 0), some(100, 100, 0), some(200, 1, 0)],
    [[...some(50, 50, 1), ...some(300, 50, 1)], some(400, 20, 1)],
  ];
  const overdue = new Overdue(at);
  expect(seconds(await overdue.next())).toEqual([...range(0, 50), ...range(50, 50).flatMap((nth) => [nth, nth])]);
  expect(pagesRead()).toEqual([1, 1]);
  expect(overdue.isAtEnd).toBe(false);
  expect(seconds(await overdue.next())).toEqual(range(100, 100));
  expect(pagesRead()).toEqual([2, 1]);
  expect(seconds(await overdue.next())).toEqual([200, ...range(300, 50)]);
  expect(pagesRead()).toEqual([3, 1]);
  expect(overdue.isAtEnd).toBe(false);
  expect(seconds(await overdue.next())).toEqual(range(400, 20));
  expect(pagesRead()).toEqual([3, 2]);
  expect(overdue.isAtEnd).toBe(true);
  expect(await overdue.next()).toEqual([]);
  expect([pagesRead(), overdue.oldestId]).toEqual([[3, 2], idOf(0)]);
});

test('a page without an event is followed by the next', async () => {
  shards = [[[], some(0, 3, 0)], [some(1, 2, 1)]];
  const overdue = new Overdue(at);
  expect(seconds(await overdue.next())).toEqual([0, 1, 1, 2, 2]);
  expect(overdue.unread).toEqual([]);
});

test.each([
  ['in the first shard', 5, 900],
  ['in the last shard', 900, 5],
])('the oldest is told over all shards, also one that cannot be read, %s', async (_, first, second) => {
  shards = [[[event(first, 0, { data: '{' })]], [[event(second, 1, { data: '{' })]]];
  const overdue = new Overdue(at);
  expect(await overdue.next()).toEqual([]);
  expect(overdue.oldestId).toBe(idOf(5));
});

test('without anything overdue there is no oldest', async () => {
  shards = [[], []];
  const overdue = new Overdue(at);
  expect([await overdue.next(), overdue.oldestId, overdue.isAtEnd]).toEqual([[], undefined, true]);
});

/** One log from its newest record on: how much is read of it, and how far it is known. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dynamo } from '../../../../core/clients.ts';
import { setRuntime, timestamp } from '../../../../core/clock.ts';
import { type LogFilter, NewestFirst } from '../../../../core/deliveries/log/newest-first.ts';
import { disorderMs } from '../../../../core/deliveries/log/number-range.ts';
import type { AttemptItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { deliveries } from '../../../../core/table-keys.ts';

const webhookId = 5;
const minute = 60_000;
const begin = Date.UTC(2026, 10, 24);
const at = (number: number) => begin + number * minute;
const table = mockClient(dynamo());
let log: AttemptItem[];
/** What a read that costs half does not see. */
let isUnseen: (number: number) => boolean;

/** Records of these numbers, one a minute. */
function fill(numbers: readonly number[], changes: Partial<AttemptItem> = {}): void {
  log = numbers.map((id) => {
    const expiresAtSeconds = at(10_000) / 1_000;
    return { id, createdAt: timestamp(at(id)), expiresAtSeconds, ...changes } as AttemptItem;
  });
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const all: LogFilter = { matches: () => true, fromMs: Number.NEGATIVE_INFINITY };
const none: LogFilter = { ...all, matches: () => false };

interface Asked {
  readonly ExpressionAttributeValues: Record<':first' | ':last', string>;
  readonly Limit: number;
  readonly ConsistentRead: boolean;
}
const lastOf = (asked: Asked) => Number(asked.ExpressionAttributeValues[':last'].slice(2));
/** Of each read: the number that it begins with, how many records at most, and whether it costs the whole price. */
const reads = () =>
  table.commandCalls(QueryCommand).map(({ args }) => {
    const asked = args[0].input as unknown as Asked;
    return [lastOf(asked), asked.Limit, asked.ConsistentRead];
  });
function takeAll(from: NewestFirst): number[] {
  const taken: number[] = [];
  for (let record = from.take(); record; record = from.take()) taken.push(record.id);
  return taken;
}

beforeEach(() => {
  process.env.TABLE_DELIVERIES = 'test-deliveries';
  setRuntime({ now: () => at(1_000) });
  isUnseen = () => false;
  table.reset();
  table.on(QueryCommand).callsFake((asked: Asked) => {
    const found = log
      .filter(({ id }) => id <= lastOf(asked) && (asked.ConsistentRead || !isUnseen(id)))
      .sort((a, b) => b.id - a.id);
    const Items = found.slice(0, asked.Limit);
    return { Items, ...(Items.length < found.length && { LastEvaluatedKey: deliveries.record(webhookId, 1) }) };
  });
});
afterEach(() => setRuntime());
afterAll(() => table.restore());

describe('the first read', () => {
  test('The first read of a delivery log costs half, and no later read is made twice', async () => {
    fill(range(1, 20).filter((number) => number !== 16));
    const one = new NewestFirst({ webhookId, number: 20 }, 4, all);
    expect([await one.read(100), takeAll(one)]).toEqual([4, [20, 19, 18, 17]]);
    expect([await one.read(100), takeAll(one)]).toEqual([4, [15, 14, 13, 12]]);
    expect(reads()).toEqual([
      [20, 4, false],
      [16, 4, false],
    ]);
  });

  test.each([
    ['the newest record', (number: number) => number === 20],
    ['any record', () => true],
  ])('The first read of a delivery log is repeated at full price when it misses %s', async (_, unseen) => {
    fill(range(1, 20));
    isUnseen = unseen;
    const one = new NewestFirst({ webhookId, number: 20 }, 4, all);
    expect([await one.read(100), takeAll(one)]).toEqual([4, [20, 19, 18, 17]]);
    expect(reads()).toEqual([
      [20, 4, false],
      [20, 4, true],
    ]);
  });
});

describe('how far a log is known', () => {
  test('Records that get their number late are waited for until ten minutes after the period', async () => {
    fill(range(1, 100));
    const last = 100 - disorderMs / minute;
    const one = new NewestFirst({ webhookId, number: 100 }, 100 - last + 1, { ...none, fromMs: at(100) });
    await one.read(100);
    expect([one.bound, one.place]).toEqual([at(last), { webhookId, number: last - 1 }]);
    await one.read(100);
    expect([one.bound, one.place]).toEqual([Number.NEGATIVE_INFINITY, undefined]);
  });
});

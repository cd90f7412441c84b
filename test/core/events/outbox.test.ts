/** Events leave the outbox in batches, and what stays there is told. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { setWorld } from '../../../core/clock.ts';
import { closeOutbox } from '../../../core/events/outbox.ts';
import { records } from '../../../core/table-keys.ts';

const table = mockClient(dynamo());
const places = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, shard: i % 3 }));
const keysOf = (input: object) =>
  (input as { RequestItems: Record<string, { DeleteRequest: { Key: object } }[]> }).RequestItems['test-records']?.map(
    ({ DeleteRequest: { Key } }) => Key,
  ) ?? [];

beforeEach(() => {
  process.env.TABLE_RECORDS = 'test-records';
  setWorld({ sleep: async () => {} });
  table.reset();
  table.on(BatchWriteCommand).resolves({});
});
afterEach(() => setWorld());
afterAll(() => table.restore());

test('each event is deleted from its shard, and nothing is noted', async () => {
  const failures = new Map<number, Error>();
  await closeOutbox(places, failures);
  const calls = table.commandCalls(BatchWriteCommand).map(({ args }) => keysOf(args[0].input));
  expect(calls.map(({ length }) => length)).toEqual([25, 25, 10]);
  expect(calls.flat()).toEqual(places.map(records.outbox));
  expect(failures.size).toBe(0);
});

test('what cannot be deleted is noted with the reason, and keeps no other from being deleted', async () => {
  const reason = new Error('no table');
  const failures = new Map<number, Error>();
  table
    .on(BatchWriteCommand)
    .callsFake((input) => (keysOf(input).length === 10 ? Promise.reject(reason) : Promise.resolve({})));
  await closeOutbox(places, failures);
  expect([...failures.keys()]).toEqual(places.slice(50).map(({ id }) => id));
  for (const error of failures.values()) expect(error.cause).toBe(reason);
});

/** Events leave the outbox in batches. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import { closeOutbox } from '../../../core/events/outbox.ts';
import { records } from '../../../core/table-keys.ts';

const table = mockClient(dynamo());
const positions = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, shard: i % 3 }));
const keysOf = (input: object) =>
  (input as { RequestItems: Record<string, { DeleteRequest: { Key: object } }[]> }).RequestItems['test-records']?.map(
    ({ DeleteRequest: { Key } }) => Key,
  ) ?? [];

beforeEach(() => {
  process.env.TABLE_RECORDS = 'test-records';
  setRuntime({ sleep: async () => {} });
  table.reset();
  table.on(BatchWriteCommand).resolves({});
});
afterEach(() => setRuntime());
afterAll(() => table.restore());

test('Events that are fully planned are deleted from their shards of the outbox', async () => {
  expect(await closeOutbox(positions)).toEqual([]);
  const deleted = table.commandCalls(BatchWriteCommand).flatMap(({ args }) => keysOf(args[0].input));
  expect(deleted).toEqual(positions.map(records.outbox));
});

test('When some events cannot be deleted from the outbox, they are returned with the reason', async () => {
  const cause = new Error('no table');
  table
    .on(BatchWriteCommand)
    .callsFake((input) => (keysOf(input).length === 10 ? Promise.reject(cause) : Promise.resolve({})));
  const failures = await closeOutbox(positions);
  expect(failures).toEqual(positions.slice(50).map(({ id }) => ({ id, error: expect.objectContaining({ cause }) })));
});

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setWorld } from '../../../core/clock.ts';
import { decideAndCommit, transact } from '../../../core/store/transact.ts';
import { putNew } from '../../../core/store/write.ts';

const table = mockClient(DynamoDBDocumentClient);
beforeEach(() => {
  table.reset();
  vi.stubEnv('TABLE_RECORDS', 'records');
  setWorld({ sleep: async () => undefined });
});
afterEach(() => {
  setWorld();
  vi.unstubAllEnvs();
});

const write = () => putNew('records', { pk: 'a', sk: 'b' });
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: '',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

test.each(['ConditionalCheckFailed', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'a transaction that is cancelled by %s may be decided again',
  async (code) => {
    table.on(TransactWriteCommand).rejects(cancelled('None', code));
    expect(await transact([write()])).toEqual(['None', code]);
  },
);

test.each(['ValidationError', 'ItemCollectionSizeLimitExceeded', 'AccessDenied'])(
  'one that is cancelled by %s never commits, and fails at once',
  async (code) => {
    table.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', code));
    await expect(transact([write()])).rejects.toThrow(TransactionCanceledException);
  },
);

test('a decision on reads that contradict each other commits nothing, and is made again', async () => {
  table.on(TransactWriteCommand).resolves({});
  let made = 0;
  const answer = await decideAndCommit(async () => {
    made += 1;
    return made < 3 ? 'stale' : { writes: [write()], answer: made };
  });
  expect([answer, table.commandCalls(TransactWriteCommand).length]).toEqual([3, 1]);
});

import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import { ApiError } from '../../../core/errors.ts';
import { log } from '../../../core/log.ts';
import { commitWithRetry, conditionFailedAt, transact } from '../../../core/store/transact.ts';
import { putNew, set, writeOne } from '../../../core/store/write.ts';
import { insert, writeEach } from '../../../core/store/write-each.ts';

const table = mockClient(dynamo());
beforeEach(() => {
  table.reset();
  vi.stubEnv('TABLE_RECORDS', 'records');
  setRuntime({ sleep: async () => undefined });
});
afterEach(() => {
  setRuntime();
  vi.unstubAllEnvs();
});

const write = () => putNew('records', { pk: 'a', sk: 'b' });
const cancelled = (...codes: string[]) => {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  return new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
};
const commits = () => table.commandCalls(TransactWriteCommand).length;

test.each(['ConditionalCheckFailed', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'A transaction that DynamoDB cancels because of %s may be retried',
  async (code) => {
    table.on(TransactWriteCommand).rejects(cancelled('None', code));
    expect(await transact([write()])).toEqual(['None', code]);
  },
);

test.each(['ValidationError', 'ItemCollectionSizeLimitExceeded', 'AccessDenied'])(
  'A transaction that DynamoDB cancels because of %s fails at once',
  async (code) => {
    table.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', code));
    await expect(transact([write()])).rejects.toThrow(TransactionCanceledException);
  },
);

test('A request whose database transaction gets no response fails, and does not repeat the transaction', async () => {
  table.on(TransactWriteCommand).rejects(new Error('socket hang up'));
  await expect(commitWithRetry(async () => ({ writes: [write()], result: 1 }))).rejects.toThrow('socket hang up');
  expect(commits()).toBe(1);
});

test('If a request reads contradictory data because of a concurrent change, it reads all data again before it commits', async () => {
  table.on(TransactWriteCommand).resolves({});
  let decisions = 0;
  const answer = await commitWithRetry(async () => {
    decisions += 1;
    return decisions < 3 ? 'stale' : { writes: [write()], result: decisions };
  });
  expect([answer, commits()]).toEqual([3, 1]);
});

test('A request whose transaction conflicts with another one reads all data again, and may then be refused', async () => {
  const keys = vi.spyOn(log, 'appendKeys');
  table
    .on(TransactWriteCommand)
    .rejectsOnce(cancelled('TransactionConflict'))
    .rejects(cancelled('ConditionalCheckFailed'));
  const refusals: (readonly string[])[] = [];
  const end = commitWithRetry(async () => ({
    writes: [write()],
    result: 'never',
    onCancelled: (codes) => {
      refusals.push(codes);
      if (conditionFailedAt(codes, 0)) throw new Error('taken');
    },
  }));
  await expect(end).rejects.toThrow('taken');
  expect(refusals).toEqual([['TransactionConflict'], ['ConditionalCheckFailed']]);
  expect(keys.mock.calls).toEqual([[{ tries: 2 }]]);
});

test.each([
  ['up to a second', 0, [100, 200, 400, 800, ...Array(25).fill(1_000)]],
  ['twice as long as an attempt, except for the first', 600, [100, ...Array(28).fill(1_200)]],
])(
  'A request whose transaction keeps conflicting gets 503 after thirty attempts, with pauses of %s',
  async (_, attemptMs, longest) => {
    vi.spyOn(log, 'appendKeys').mockReturnValue(undefined);
    const pauses: number[] = [];
    let at = 0;
    setRuntime({
      now: () => at,
      randomBytes: (size) => Buffer.alloc(size, 0xff),
      sleep: async (ms) => void pauses.push(Math.round(ms)),
    });
    table.on(TransactWriteCommand).rejects(cancelled('TransactionConflict'));
    const decide = async () => {
      at += attemptMs;
      return { writes: [write()], result: 'never' };
    };
    const end = await commitWithRetry(decide).catch((error: unknown) => error);
    expect(end).toBeInstanceOf(ApiError);
    expect(end).toMatchObject({
      code: 'temporarily_unavailable',
      extras: { retryAfter: 1 },
      cause: { message: 'no commit in 30 attempts' },
    });
    expect(commits()).toBe(30);
    expect(pauses).toEqual(longest);
  },
);

test('A single DynamoDB write returns undefined if its condition is false, and throws any other error', async () => {
  const one = () => writeOne(set('records', { pk: 'a', sk: 'b' }, { name: 'c' }));
  table.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ message: '', $metadata: {} }));
  expect(await one()).toBeUndefined();
  table.on(UpdateCommand).rejects(new Error('throttled'));
  await expect(one()).rejects.toThrow('throttled');
});

test('A throttled or unanswered statement of a DynamoDB batch counts as failed, not as refused by its condition', async () => {
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  table
    .on(BatchExecuteStatementCommand)
    .resolvesOnce({ Responses: [{}, { Error: { Code: 'DuplicateItem' } }, { Error: { Code: 'ThrottlingError' } }] })
    .resolves({});
  const statements = ['a', 'b', 'c', 'd'].map((pk) => insert('records', { pk, sk: 'b' }));
  expect(await writeEach(statements)).toEqual(['done', 'refused', 'failed', 'failed']);
});

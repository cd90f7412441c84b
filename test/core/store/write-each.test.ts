/** Writes of a batch end each on its own: none is taken for done that DynamoDB did not confirm. */
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import { log } from '../../../core/log.ts';
import { insert, writeEach } from '../../../core/store/write-each.ts';

const mock = mockClient(dynamo());

/** What was said of writes that were left undone. */
const said = () => vi.mocked(log.warn).mock.calls.map(([, reported]) => reported);

beforeAll(() => {
  process.env.TABLE_DELIVERIES = 'deliveries';
  setRuntime({ sleep: async () => {} });
});
beforeEach(() => {
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
});
afterEach(() => mock.reset());
afterAll(() => {
  mock.restore();
  setRuntime();
});

const statements = () => ['a', 'b', 'c'].map((sk) => insert('deliveries', { pk: 'p', sk }));
const refusedAs = (Code: string) => ({ Error: { Code } });

/** How many statements each call held. */
const sizes = () => mock.commandCalls(BatchExecuteStatementCommand).map(({ args }) => args[0].input.Statements?.length);

function answers(...all: (readonly object[])[]): void {
  const behavior = mock.on(BatchExecuteStatementCommand);
  for (const Responses of all) behavior.resolvesOnce({ Responses: [...Responses] as never });
}

test('Statements that DynamoDB left undone are written again alone, and each reason is logged once', async () => {
  answers(
    [refusedAs('ThrottlingError'), {}, refusedAs('ThrottlingError')],
    [refusedAs('ThrottlingError'), refusedAs('TransactionConflict')],
    [{}, refusedAs('DuplicateItem')],
  );
  expect(await writeEach(statements())).toEqual(['done', 'done', 'refused']);
  expect(sizes()).toEqual([3, 2, 2]);
  expect(said()).toEqual([{ reasons: ['ThrottlingError'] }, { reasons: ['ThrottlingError', 'TransactionConflict'] }]);
});

test('A statement whose condition fails counts as refused and is not retried', async () => {
  answers([{}, refusedAs('DuplicateItem'), refusedAs('ConditionalCheckFailed')]);
  expect(await writeEach(statements())).toEqual(['done', 'refused', 'refused']);
  expect(sizes()).toEqual([3]);
  expect(said()).toEqual([]);
});

test('A statement without an answer is not counted as done', async () => {
  mock
    .on(BatchExecuteStatementCommand)
    .resolvesOnce({ Responses: [{}] })
    .resolvesOnce({ Responses: [{}] })
    .resolves({});
  expect(await writeEach(statements())).toEqual(['done', 'done', 'failed']);
  expect(sizes()).toEqual([3, 2, 1]);
});

test('When every call fails, all statements are reported as failed and nothing is thrown', async () => {
  const error = new Error('socket hang up');
  mock.on(BatchExecuteStatementCommand).rejects(error);
  expect(await writeEach(statements())).toEqual(['failed', 'failed', 'failed']);
  expect(sizes()).toEqual([3, 3, 3]);
  expect(said()).toEqual(Array(3).fill({ error }));
});

/** Writes of a batch end each on its own: none is taken for done that DynamoDB did not confirm. */
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { setWorld } from '../../../core/clock.ts';
import { log } from '../../../core/log.ts';
import { insert, writeEach } from '../../../core/store/write-each.ts';

const mock = mockClient(dynamo());

beforeAll(() => {
  process.env.TABLE_DELIVERIES = 'deliveries';
  log.setLogLevel('SILENT');
  setWorld({ sleep: async () => {} });
});
afterEach(() => mock.reset());
afterAll(() => {
  mock.restore();
  setWorld();
});

const statements = () => ['a', 'b', 'c'].map((sk) => insert('deliveries', { pk: 'p', sk }));
const refusedAs = (Code: string) => ({ Error: { Code } });

/** How many statements each call held. */
const sizes = () => mock.commandCalls(BatchExecuteStatementCommand).map(({ args }) => args[0].input.Statements?.length);

function answers(...all: (readonly object[])[]): void {
  const behavior = mock.on(BatchExecuteStatementCommand);
  for (const Responses of all) behavior.resolvesOnce({ Responses: [...Responses] as never });
}

test('what DynamoDB left undone is written again, and nothing else', async () => {
  answers(
    [{}, refusedAs('ThrottlingError'), refusedAs('TransactionConflict')],
    [{}, refusedAs('ThrottlingError')],
    [{}],
  );
  expect(await writeEach(statements())).toEqual(['done', 'done', 'done']);
  expect(sizes()).toEqual([3, 2, 1]);
});

test('a condition that does not hold is an answer, and is not asked again', async () => {
  answers([{}, refusedAs('DuplicateItem'), refusedAs('ConditionalCheckFailed')]);
  expect(await writeEach(statements())).toEqual(['done', 'refused', 'refused']);
  expect(sizes()).toEqual([3]);
});

test('an answer that says nothing of a statement does not say that it is done', async () => {
  answers([{}], [{}], []);
  expect(await writeEach(statements())).toEqual(['done', 'done', 'failed']);
});

test('when every call fails, every statement has failed, and nothing is thrown', async () => {
  mock.on(BatchExecuteStatementCommand).rejects(new Error('socket hang up'));
  expect(await writeEach(statements())).toEqual(['failed', 'failed', 'failed']);
  expect(sizes()).toEqual([3, 3, 3]);
});

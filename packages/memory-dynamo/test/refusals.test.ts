/** What the store in memory refuses, as DynamoDB does. */
import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { MemoryDynamo } from '../src/memory-dynamo.ts';
import { shapes, TableName } from './fixture/items.ts';

const reversed = { ':to': 'a', ':from': 'b' };
test.each([
  ['in a key condition', { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to' }],
  ['in a filter', { KeyConditionExpression: 'pk = :pk', FilterExpression: 'v BETWEEN :from AND :to' }],
  ['deep in a filter', { KeyConditionExpression: 'pk = :pk', FilterExpression: 'NOT (v BETWEEN :from AND :to)' }],
])('The in-memory DynamoDB refuses a reversed range %s, even if no item matches', (_, expressions) => {
  const memory = new MemoryDynamo(shapes);
  const asked = { TableName, ...expressions };
  const ask = (values: object) => () =>
    memory.execute(new QueryCommand({ ...asked, ExpressionAttributeValues: { ':pk': 'p', ...values } }));
  expect(ask(reversed)).toThrow('BETWEEN');
  expect(ask({ ':from': 'a', ':to': 'a' })).not.toThrow();
});

test('The in-memory DynamoDB refuses an empty expression in a transaction', () => {
  const memory = new MemoryDynamo(shapes);
  const Update = { TableName, Key: { pk: 'p', sk: 's' }, UpdateExpression: '' };
  const command = new TransactWriteCommand({ TransactItems: [{ Update }] });
  expect(() => memory.execute(command)).toThrow('empty');
});

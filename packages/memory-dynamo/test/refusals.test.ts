/** What the store in memory refuses, as DynamoDB does. */
import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { tableShapes } from '../../../local/table-shapes.ts';
import { tableName } from '../../../test/support/dynamo.ts';
import { MemoryDynamo } from '../src/memory-dynamo.ts';

const reversed = { ':to': 'a', ':from': 'b' };
test.each([
  ['in a key condition', { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to' }],
  ['in a filter', { KeyConditionExpression: 'pk = :pk', FilterExpression: 'v BETWEEN :from AND :to' }],
  ['deep in a filter', { KeyConditionExpression: 'pk = :pk', FilterExpression: 'NOT (v BETWEEN :from AND :to)' }],
])('a range that ends before it begins is refused %s, whatever there is', (_, expressions) => {
  const memory = new MemoryDynamo(tableShapes(tableName));
  const asked = { TableName: tableName('records'), ...expressions };
  const ask = (values: object) => () =>
    memory.execute(new QueryCommand({ ...asked, ExpressionAttributeValues: { ':pk': 'p', ...values } }));
  expect(ask(reversed)).toThrow('BETWEEN');
  expect(ask({ ':from': 'a', ':to': 'a' })).not.toThrow();
});

test('an expression with nothing in it is refused, in a transaction too', () => {
  const memory = new MemoryDynamo(tableShapes(tableName));
  const Update = { TableName: tableName('records'), Key: { pk: 'p', sk: 's' }, UpdateExpression: '' };
  const command = new TransactWriteCommand({ TransactItems: [{ Update }] });
  expect(() => memory.execute(command)).toThrow('empty');
});

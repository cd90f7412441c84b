/** What the store in memory refuses, as DynamoDB does. */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { tableShapes } from '../../../local/booking/table-shapes.ts';
import { MemoryDynamo } from '../../../local/memory-dynamo/memory-dynamo.ts';
import { tableName } from '../../support/dynamo.ts';

test('an expression with nothing in it is refused, in a transaction too', () => {
  const memory = new MemoryDynamo(tableShapes(tableName));
  const Update = { TableName: tableName('records'), Key: { pk: 'p', sk: 's' }, UpdateExpression: '' };
  const command = new TransactWriteCommand({ TransactItems: [{ Update }] });
  expect(() => memory.execute(command)).toThrow('empty');
});

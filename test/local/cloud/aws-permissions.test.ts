import { describe, expect, test } from 'vitest';
import { type Body, permissionsOf, type Service } from '../../../local/cloud/aws-permissions.ts';

const table = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
const bus = 'arn:aws:events:us-east-1:000000000000:event-bus/main';
const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';

function needed(
  service: Service,
  operation: string,
  body: Body,
  keyOf: (arn: string) => string | undefined = () => undefined,
) {
  return permissionsOf(service, operation, body, keyOf).map(({ action, resource }) => `${action} ${resource}`);
}

describe('a call needs', () => {
  test.each<[string, Service, string, Body, string[]]>([
    ['its own action', 'dynamodb', 'UpdateItem', { TableName: 'keys' }, [`dynamodb:UpdateItem ${table('keys')}`]],
    ['the table of an arn', 'dynamodb', 'GetItem', { TableName: table('a') }, [`dynamodb:GetItem ${table('a')}`]],
    [
      'the index it reads',
      'dynamodb',
      'Query',
      { TableName: 'a', IndexName: 'i' },
      [`dynamodb:Query ${table('a')}/index/i`],
    ],
    [
      'each table of a batch',
      'dynamodb',
      'BatchGetItem',
      { RequestItems: { a: {}, b: {} } },
      [`dynamodb:BatchGetItem ${table('a')}`, `dynamodb:BatchGetItem ${table('b')}`],
    ],
    [
      'the action of each item of a transaction, once',
      'dynamodb',
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 'a' } },
          { Put: { TableName: 'a' } },
          { Update: { TableName: 'a' } },
          { Delete: { TableName: 'b' } },
          { ConditionCheck: { TableName: 'c' } },
        ],
      },
      [
        `dynamodb:PutItem ${table('a')}`,
        `dynamodb:UpdateItem ${table('a')}`,
        `dynamodb:DeleteItem ${table('b')}`,
        `dynamodb:ConditionCheckItem ${table('c')}`,
      ],
    ],
    [
      'the verb of PartiQL',
      'dynamodb',
      'ExecuteStatement',
      { Statement: `SELECT * FROM "a"."i" WHERE pk = 'x'` },
      [`dynamodb:PartiQLSelect ${table('a')}/index/i`],
    ],
    [
      'one action for a batch of messages',
      'sqs',
      'SendMessageBatch',
      { QueueUrl: 'http://127.0.0.1:1/000000000000/jobs' },
      [`sqs:SendMessage ${queue}`],
    ],
    [
      'the bus of each entry',
      'events',
      'PutEvents',
      { Entries: [{ EventBusName: 'main' }, { EventBusName: bus }] },
      [`events:PutEvents ${bus}`],
    ],
  ])('%s', (_, service, operation, body, expected) => {
    expect(needed(service, operation, body)).toEqual(expected);
  });
});

describe('on a table with a key of its own', () => {
  const keyOf = (arn: string) => (arn === table('secrets') ? 'the-key' : undefined);

  test('a read needs the right to decrypt', () => {
    expect(needed('dynamodb', 'GetItem', { TableName: 'secrets' }, keyOf)).toContain('kms:Decrypt the-key');
  });

  test('a write also needs the right to make data keys', () => {
    const body = { TransactItems: [{ Put: { TableName: 'secrets' } }, { Put: { TableName: 'other' } }] };
    expect(needed('dynamodb', 'TransactWriteItems', body, keyOf)).toEqual([
      `dynamodb:PutItem ${table('secrets')}`,
      'kms:Decrypt the-key',
      'kms:GenerateDataKey the-key',
      `dynamodb:PutItem ${table('other')}`,
    ]);
  });
});

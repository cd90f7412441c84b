import { expect, test } from 'vitest';
import { type Body, permissionsOf, type Service } from '../src/aws-permissions.ts';

const table = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
const bus = 'arn:aws:events:us-east-1:000000000000:event-bus/main';
const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';

/** `call`: `dynamodb Query`. */
function needed(call: string, body: Body, keyOf: (arn: string) => string | undefined = () => undefined) {
  const [service, operation = ''] = call.split(' ');
  return permissionsOf(service as Service, operation, body, keyOf).map(
    ({ action, resource }) => `${action} ${resource}`,
  );
}

const [a, b] = [table('a'), table('b')];
const inA = { TableName: 'a' };
const [update, removal] = [{ Statement: 'UPDATE "a" SET b = 1' }, { Statement: 'DELETE FROM "b"' }];
const mail = 'arn:aws:ses:us-east-1:000000000000';

test.each<[string, string, Body, ...string[]]>([
  ['its own action', 'dynamodb UpdateItem', inA, `dynamodb:UpdateItem ${a}`],
  ['the table that its ARN names', 'dynamodb GetItem', { TableName: a }, `dynamodb:GetItem ${a}`],
  ['the index it reads', 'dynamodb Query', { ...inA, IndexName: 'i' }, `dynamodb:Query ${a}/index/i`],
  ['the index it scans', 'dynamodb Scan', { ...inA, IndexName: 'i' }, `dynamodb:Scan ${a}/index/i`],
  ['the table if it names no index', 'dynamodb Query', inA, `dynamodb:Query ${a}`],
  ['all tables when it lists them', 'dynamodb ListTables', {}, 'dynamodb:ListTables *'],
  [
    'each table of a batch read',
    'dynamodb BatchGetItem',
    { RequestItems: { a: {}, b: {} } },
    ...[`dynamodb:BatchGetItem ${a}`, `dynamodb:BatchGetItem ${b}`],
  ],
  [
    'each table of a batch write',
    'dynamodb BatchWriteItem',
    { RequestItems: { a: [] } },
    `dynamodb:BatchWriteItem ${a}`,
  ],
  ['no table when its batch is empty', 'dynamodb BatchGetItem', {}],
  ['no table when its batch is null', 'dynamodb BatchGetItem', { RequestItems: null }],
  [
    'the action of each item in a transaction',
    'dynamodb TransactWriteItems',
    {
      TransactItems: [
        ...[{ Put: inA }, { Put: inA }, { Update: inA }],
        ...[{ Delete: { TableName: 'b' } }, { ConditionCheck: { TableName: 'c' } }],
      ],
    },
    ...[`dynamodb:PutItem ${a}`, `dynamodb:UpdateItem ${a}`],
    ...[`dynamodb:DeleteItem ${b}`, `dynamodb:ConditionCheckItem ${table('c')}`],
  ],
  [
    'each read in a transaction',
    'dynamodb TransactGetItems',
    { TransactItems: [{ Get: inA }, { Put: { TableName: 'b' } }, { Get: null }, { Get: 'a' }, 1, null] },
    `dynamodb:GetItem ${a}`,
  ],
  ...(
    [
      [`SELECT * FROM "a"."i-1" WHERE pk = 'x'`, `PartiQLSelect ${a}/index/i-1`],
      [`\n select pk,\n sk from a where pk = 'x'`, `PartiQLSelect ${a}`],
      [`insert  into   "a-b.c_1" value {}`, `PartiQLInsert ${table('a-b.c_1')}`],
      [`Update "a" SET b = 1`, `PartiQLUpdate ${a}`],
      [`DELETE  FROM   "a" WHERE pk = 'x'`, `PartiQLDelete ${a}`],
    ] as const
  ).map(([Statement, permission]): [string, string, Body, string] => {
    return [JSON.stringify(Statement), 'dynamodb ExecuteStatement', { Statement }, `dynamodb:${permission}`];
  }),
  ...['BatchExecuteStatement Statements', 'ExecuteTransaction TransactStatements'].map(
    (names): [string, string, Body, ...string[]] => {
      const [operation = '', list = ''] = names.split(' ');
      const each = [`dynamodb:PartiQLUpdate ${a}`, `dynamodb:PartiQLDelete ${b}`];
      return [`each verb of ${operation}`, `dynamodb ${operation}`, { [list]: [update, update, removal] }, ...each];
    },
  ),
  ['the stream it names', 'streams GetShardIterator', { StreamArn: 'arn:s' }, 'dynamodb:GetShardIterator arn:s'],
  ['any stream where it names none', 'streams GetRecords', { ShardIterator: 'i' }, 'dynamodb:GetRecords *'],
  ['the queue with the given name', 'sqs GetQueueUrl', { QueueName: 'jobs' }, `sqs:GetQueueUrl ${queue}`],
  ['any queue where it names none', 'sqs ListQueues', {}, `sqs:ListQueues ${queue.replace('jobs', '*')}`],
  [
    'one action for a batch of messages',
    'sqs SendMessageBatch',
    { QueueUrl: 'http://127.0.0.1:1/000000000000/jobs' },
    `sqs:SendMessage ${queue}`,
  ],
  ['the default bus', 'events PutEvents', { Entries: [{}] }, `events:PutEvents ${bus.replace('main', 'default')}`],
  [
    'the bus of each entry',
    'events PutEvents',
    { Entries: [{ EventBusName: 'main' }, { EventBusName: bus }] },
    `events:PutEvents ${bus}`,
  ],
  ['no particular bus for another call', 'events ListRules', { Entries: [{}] }, 'events:ListRules *'],
  [
    'the user pool of the given user',
    'people AdminCreateUser',
    { UserPoolId: 'owners' },
    'cognito-idp:AdminCreateUser arn:aws:cognito-idp:us-east-1:000000000000:userpool/owners',
  ],
  [
    'the identity of an email',
    'mail SendEmail',
    { FromEmailAddress: 'a@example.com' },
    `ses:SendEmail ${mail}:identity/example.com`,
  ],
  [
    'the configuration set of an email',
    'mail SendEmail',
    { FromEmailAddress: 'a@example.com', ConfigurationSetName: 'notices' },
    ...[`ses:SendEmail ${mail}:identity/example.com`, `ses:SendEmail ${mail}:configuration-set/notices`],
  ],
])('An AWS call needs the IAM permission for %s', (_, call, body, ...expected) => {
  expect(needed(call, body)).toEqual(expected);
});

test.each(['DROP TABLE "a"', 'SELECT 1', 'the UPDATE "a" SET b = 1', 'SELECT * FROM', '', undefined])(
  'The PartiQL statement %j is refused because it cannot be read',
  (Statement) => {
    expect(() => needed('dynamodb ExecuteStatement', { Statement })).toThrow(
      expect.objectContaining({
        message: 'The local run cannot read this PartiQL statement.',
        type: 'ValidationException',
      }),
    );
  },
);

test('Local IAM checks provide the condition keys for transactions, for the sender of an email, and for the source and detail type of an event', () => {
  const contexts = (...[service, operation, body]: [Service, string, Body]) =>
    permissionsOf(service, operation, body, () => undefined).map(({ context }) => context);
  for (const [operation, item] of [
    ['TransactGetItems', { Get: inA }],
    ['TransactWriteItems', { Put: inA }],
  ] as const) {
    const expected = [{ 'dynamodb:EnclosingOperation': [operation] }];
    expect(contexts('dynamodb', operation, { TransactItems: [item] })).toEqual(expected);
  }
  expect(contexts('mail', 'SendEmail', { FromEmailAddress: 'a@example.com' })).toEqual([
    { 'ses:FromAddress': ['a@example.com'] },
  ]);
  expect(contexts('events', 'PutEvents', { Entries: [{ Source: 'booking', DetailType: 'booking.created' }] })).toEqual([
    { 'events:source': ['booking'], 'events:detail-type': ['booking.created'], 'events:eventBusInvocation': ['false'] },
  ]);
});

const keyOf = (arn: string) => (arn === table('secrets') ? 'the-key' : undefined);

test('Reading a table with a customer-managed KMS key needs permission to decrypt with that key', () => {
  expect(needed('dynamodb GetItem', { TableName: 'secrets' }, keyOf)).toContain('kms:Decrypt the-key');
});

test('Writing a table with a customer-managed KMS key needs permission to decrypt with that key and to generate data keys', () => {
  const body = { TransactItems: [{ Put: { TableName: 'secrets' } }, { Put: { TableName: 'other' } }] };
  expect(needed('dynamodb TransactWriteItems', body, keyOf)).toEqual([
    `dynamodb:PutItem ${table('secrets')}`,
    'kms:Decrypt the-key',
    'kms:GenerateDataKey the-key',
    `dynamodb:PutItem ${table('other')}`,
  ]);
});

test.each<[Service, string, Body, string]>([
  ['dynamodb', 'PutItem', { TableName: 'secrets' }, 'kms:GenerateDataKey'],
  ['dynamodb', 'UpdateItem', { TableName: 'secrets' }, 'kms:GenerateDataKey'],
  ['dynamodb', 'DeleteItem', { TableName: 'secrets' }, 'kms:GenerateDataKey'],
  ['dynamodb', 'BatchWriteItem', { RequestItems: { secrets: [] } }, 'kms:GenerateDataKey'],
  ['dynamodb', 'ExecuteStatement', { Statement: 'INSERT INTO "secrets" VALUE {}' }, 'kms:GenerateDataKey'],
  ['dynamodb', 'ExecuteStatement', { Statement: 'UPDATE "secrets" SET a = 1' }, 'kms:GenerateDataKey'],
  ['dynamodb', 'ExecuteStatement', { Statement: 'DELETE FROM "secrets"' }, 'kms:GenerateDataKey'],
  ['sqs', 'SendMessage', { QueueUrl: 'secret-jobs' }, 'kms:GenerateDataKey'],
  ['sqs', 'ReceiveMessage', { QueueUrl: 'secret-jobs' }, 'kms:Decrypt'],
  ['dynamodb', 'ExecuteStatement', { Statement: 'SELECT * FROM "secrets"."i"' }, 'kms:Decrypt'],
  ['streams', 'GetShardIterator', { StreamArn: `${table('secrets')}/stream/1` }, 'kms:Decrypt'],
])(
  'The call %s %s with %j on data encrypted with a KMS key also needs the permission %s for that key',
  (service, operation, body, last) => {
    const keyed = (arn: string) => (arn.endsWith('secret-jobs') ? 'the-key' : keyOf(arn));
    const permissions = permissionsOf(service, operation, body, keyed);
    const through = service === 'sqs' ? 'sqs' : 'dynamodb';
    expect(permissions.map(({ action }) => action)).toContain('kms:Decrypt');
    expect(permissions.at(-1)).toEqual({
      action: last,
      resource: 'the-key',
      context: { 'kms:ViaService': [`${through}.us-east-1.amazonaws.com`] },
    });
  },
);

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
  [
    'UpdateItem needs the IAM permission dynamodb:UpdateItem for its table',
    'dynamodb UpdateItem',
    inA,
    `dynamodb:UpdateItem ${a}`,
  ],
  [
    'A call that names its table by ARN needs the IAM permission for that table',
    'dynamodb GetItem',
    { TableName: a },
    `dynamodb:GetItem ${a}`,
  ],
  [
    'A query of an index needs the IAM permission for that index',
    'dynamodb Query',
    { ...inA, IndexName: 'i' },
    `dynamodb:Query ${a}/index/i`,
  ],
  [
    'A scan of an index needs the IAM permission for that index',
    'dynamodb Scan',
    { ...inA, IndexName: 'i' },
    `dynamodb:Scan ${a}/index/i`,
  ],
  ['A query of a table needs the IAM permission for that table', 'dynamodb Query', inA, `dynamodb:Query ${a}`],
  ['ListTables needs the IAM permission for all tables', 'dynamodb ListTables', {}, 'dynamodb:ListTables *'],
  [
    'A batch read needs the IAM permission for each of its tables',
    'dynamodb BatchGetItem',
    { RequestItems: { a: {}, b: {} } },
    ...[`dynamodb:BatchGetItem ${a}`, `dynamodb:BatchGetItem ${b}`],
  ],
  [
    'A batch write needs the IAM permission for its table',
    'dynamodb BatchWriteItem',
    { RequestItems: { a: [] } },
    `dynamodb:BatchWriteItem ${a}`,
  ],
  ['A batch read without tables needs no IAM permission', 'dynamodb BatchGetItem', {}],
  [
    'A batch read with null in place of tables needs no IAM permission',
    'dynamodb BatchGetItem',
    { RequestItems: null },
  ],
  [
    'A transaction needs the IAM permission for the action of each of its items',
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
    'A transaction of reads needs the IAM permission for each read',
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
    const [action = ''] = permission.split(' ');
    const title = `The PartiQL statement ${JSON.stringify(Statement)} needs the IAM permission ${action}`;
    return [title, 'dynamodb ExecuteStatement', { Statement }, `dynamodb:${permission}`];
  }),
  ...['BatchExecuteStatement Statements', 'ExecuteTransaction TransactStatements'].map(
    (names): [string, string, Body, ...string[]] => {
      const [operation = '', list = ''] = names.split(' ');
      const each = [`dynamodb:PartiQLUpdate ${a}`, `dynamodb:PartiQLDelete ${b}`];
      const title = `${operation} needs the IAM permission for each kind of statement in it`;
      return [title, `dynamodb ${operation}`, { [list]: [update, update, removal] }, ...each];
    },
  ),
  [
    'A call that names a stream needs the IAM permission for that stream',
    'streams GetShardIterator',
    { StreamArn: 'arn:s' },
    'dynamodb:GetShardIterator arn:s',
  ],
  [
    'A call that names no stream needs the IAM permission for all streams',
    'streams GetRecords',
    { ShardIterator: 'i' },
    'dynamodb:GetRecords *',
  ],
  [
    'A call that names a queue needs the IAM permission for that queue',
    'sqs GetQueueUrl',
    { QueueName: 'jobs' },
    `sqs:GetQueueUrl ${queue}`,
  ],
  [
    'ListQueues needs the IAM permission for all queues',
    'sqs ListQueues',
    {},
    `sqs:ListQueues ${queue.replace('jobs', '*')}`,
  ],
  [
    'SendMessageBatch needs the IAM permission sqs:SendMessage for its queue',
    'sqs SendMessageBatch',
    { QueueUrl: 'http://127.0.0.1:1/000000000000/jobs' },
    `sqs:SendMessage ${queue}`,
  ],
  [
    'PutEvents without the name of a bus needs the IAM permission for the default event bus',
    'events PutEvents',
    { Entries: [{}] },
    `events:PutEvents ${bus.replace('main', 'default')}`,
  ],
  [
    'PutEvents needs the IAM permission for the event bus of its entries',
    'events PutEvents',
    { Entries: [{ EventBusName: 'main' }, { EventBusName: bus }] },
    `events:PutEvents ${bus}`,
  ],
  [
    'ListRules needs the IAM permission for all event buses',
    'events ListRules',
    { Entries: [{}] },
    'events:ListRules *',
  ],
  [
    'AdminCreateUser needs the IAM permission for the user pool of the new user',
    'people AdminCreateUser',
    { UserPoolId: 'owners' },
    'cognito-idp:AdminCreateUser arn:aws:cognito-idp:us-east-1:000000000000:userpool/owners',
  ],
  [
    'Sending an email needs the IAM permission for the identity of its sender',
    'mail SendEmail',
    { FromEmailAddress: 'a@example.com' },
    `ses:SendEmail ${mail}:identity/example.com`,
  ],
  [
    'Sending an email with a configuration set also needs the IAM permission for that set',
    'mail SendEmail',
    { FromEmailAddress: 'a@example.com', ConfigurationSetName: 'notices' },
    ...[`ses:SendEmail ${mail}:identity/example.com`, `ses:SendEmail ${mail}:configuration-set/notices`],
  ],
])('%s', (_, call, body, ...expected) => {
  expect(needed(call, body)).toEqual(expected);
});

const unreadable = ['DROP TABLE "a"', 'SELECT 1', 'the UPDATE "a" SET b = 1', 'SELECT * FROM'];
test.each<[string, string | undefined]>([
  ...unreadable.map((Statement): [string, string] => [`The PartiQL statement ${Statement}`, Statement]),
  ['An empty PartiQL statement', ''],
  ['A PartiQL call without a statement', undefined],
])('%s is refused because the local run cannot read it', (_, Statement) => {
  expect(() => needed('dynamodb ExecuteStatement', { Statement })).toThrow(
    expect.objectContaining({
      message: 'The local run cannot read this PartiQL statement.',
      type: 'ValidationException',
    }),
  );
});

test('In a local run, IAM conditions can refer to transactions, senders of emails, and types of events', () => {
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

test.each<[title: string, Service, string, Body, string]>([
  ['PutItem', 'dynamodb', 'PutItem', { TableName: 'secrets' }, 'kms:GenerateDataKey'],
  ['UpdateItem', 'dynamodb', 'UpdateItem', { TableName: 'secrets' }, 'kms:GenerateDataKey'],
  ['DeleteItem', 'dynamodb', 'DeleteItem', { TableName: 'secrets' }, 'kms:GenerateDataKey'],
  ['BatchWriteItem', 'dynamodb', 'BatchWriteItem', { RequestItems: { secrets: [] } }, 'kms:GenerateDataKey'],
  [
    'A PartiQL INSERT',
    'dynamodb',
    'ExecuteStatement',
    { Statement: 'INSERT INTO "secrets" VALUE {}' },
    'kms:GenerateDataKey',
  ],
  [
    'A PartiQL UPDATE',
    'dynamodb',
    'ExecuteStatement',
    { Statement: 'UPDATE "secrets" SET a = 1' },
    'kms:GenerateDataKey',
  ],
  ['A PartiQL DELETE', 'dynamodb', 'ExecuteStatement', { Statement: 'DELETE FROM "secrets"' }, 'kms:GenerateDataKey'],
  ['SendMessage', 'sqs', 'SendMessage', { QueueUrl: 'secret-jobs' }, 'kms:GenerateDataKey'],
  ['ReceiveMessage', 'sqs', 'ReceiveMessage', { QueueUrl: 'secret-jobs' }, 'kms:Decrypt'],
  ['A PartiQL SELECT', 'dynamodb', 'ExecuteStatement', { Statement: 'SELECT * FROM "secrets"."i"' }, 'kms:Decrypt'],
  ['GetShardIterator', 'streams', 'GetShardIterator', { StreamArn: `${table('secrets')}/stream/1` }, 'kms:Decrypt'],
])('%s on data encrypted with a KMS key also needs permission to use that key', (_, service, operation, body, last) => {
  const keyed = (arn: string) => (arn.endsWith('secret-jobs') ? 'the-key' : keyOf(arn));
  const permissions = permissionsOf(service, operation, body, keyed);
  const through = service === 'sqs' ? 'sqs' : 'dynamodb';
  expect(permissions.map(({ action }) => action)).toContain('kms:Decrypt');
  expect(permissions.at(-1)).toEqual({
    action: last,
    resource: 'the-key',
    context: { 'kms:ViaService': [`${through}.us-east-1.amazonaws.com`] },
  });
});

import { expect, test } from 'vitest';
import { type Body, permissionsOf, type Service } from '../src/aws-permissions.ts';

const table = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
const bus = 'arn:aws:events:us-east-1:000000000000:event-bus/main';
const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const pool = 'arn:aws:cognito-idp:us-east-1:000000000000:userpool/owners';
const mail = 'arn:aws:ses:us-east-1:000000000000';
const [a, b] = [table('a'), table('b')];
const inA = { TableName: 'a' };
const index = { ...inA, IndexName: 'i' };
const [update, removal] = [{ Statement: 'UPDATE "a" SET b = 1' }, { Statement: 'DELETE FROM "b"' }];
const changes = [`dynamodb:PartiQLUpdate ${a}`, `dynamodb:PartiQLDelete ${b}`];
const writes = [{ Put: inA }, { Put: inA }, { Update: inA }, { Delete: { TableName: 'b' } }, { ConditionCheck: inA }];
const reads = [{ Get: inA }, { Put: { TableName: 'b' } }, { Get: null }, { Get: 'a' }, 1, null];
const from = { FromEmailAddress: 'a@example.com' };

/** `call`: `dynamodb Query`. */
const permissions = (call: string, body: Body, keyOf: (arn: string) => string | undefined = () => undefined) => {
  const [service, operation = ''] = call.split(' ');
  return permissionsOf(service as Service, operation, body, keyOf);
};

test.each<[call: string, body: Body, ...needed: string[]]>([
  ['dynamodb UpdateItem', inA, `dynamodb:UpdateItem ${a}`],
  ['dynamodb GetItem', { TableName: a }, `dynamodb:GetItem ${a}`],
  ['dynamodb Query', inA, `dynamodb:Query ${a}`],
  ['dynamodb Query', index, `dynamodb:Query ${a}/index/i`],
  ['dynamodb Scan', index, `dynamodb:Scan ${a}/index/i`],
  ['dynamodb ListTables', {}, 'dynamodb:ListTables *'],
  ['dynamodb BatchGetItem', { RequestItems: { a: {}, b: {} } }, ...[a, b].map((one) => `dynamodb:BatchGetItem ${one}`)],
  ['dynamodb BatchGetItem', {}],
  ['dynamodb BatchGetItem', { RequestItems: null }],
  ['dynamodb BatchWriteItem', { RequestItems: { a: [] } }, `dynamodb:BatchWriteItem ${a}`],
  [
    'dynamodb TransactWriteItems',
    { TransactItems: writes },
    ...[`dynamodb:PutItem ${a}`, `dynamodb:UpdateItem ${a}`],
    ...[`dynamodb:DeleteItem ${b}`, `dynamodb:ConditionCheckItem ${a}`],
  ],
  ['dynamodb TransactGetItems', { TransactItems: reads }, `dynamodb:GetItem ${a}`],
  ...[
    [`SELECT * FROM "a"."i-1" WHERE pk = 'x'`, `dynamodb:PartiQLSelect ${a}/index/i-1`],
    [`\n select pk,\n sk from a where pk = 'x'`, `dynamodb:PartiQLSelect ${a}`],
    [`insert  into   "a-b.c_1" value {}`, `dynamodb:PartiQLInsert ${table('a-b.c_1')}`],
    [`Update "a" SET b = 1`, `dynamodb:PartiQLUpdate ${a}`],
    [`DELETE  FROM   "a" WHERE pk = 'x'`, `dynamodb:PartiQLDelete ${a}`],
  ].map(([Statement, needed = '']): [string, Body, string] => ['dynamodb ExecuteStatement', { Statement }, needed]),
  ['dynamodb BatchExecuteStatement', { Statements: [update, update, removal] }, ...changes],
  ['dynamodb ExecuteTransaction', { TransactStatements: [update, update, removal] }, ...changes],
  ['streams GetShardIterator', { StreamArn: 'arn:s' }, 'dynamodb:GetShardIterator arn:s'],
  ['streams GetRecords', { ShardIterator: 'i' }, 'dynamodb:GetRecords *'],
  ['sqs GetQueueUrl', { QueueName: 'jobs' }, `sqs:GetQueueUrl ${queue}`],
  ['sqs ListQueues', {}, `sqs:ListQueues ${queue.replace('jobs', '*')}`],
  ['sqs SendMessageBatch', { QueueUrl: 'http://127.0.0.1:1/000000000000/jobs' }, `sqs:SendMessage ${queue}`],
  ['events PutEvents', { Entries: [{}] }, `events:PutEvents ${bus.replace('main', 'default')}`],
  ['events PutEvents', { Entries: [{ EventBusName: 'main' }, { EventBusName: bus }] }, `events:PutEvents ${bus}`],
  ['events ListRules', { Entries: [{}] }, 'events:ListRules *'],
  ['people AdminCreateUser', { UserPoolId: 'owners' }, `cognito-idp:AdminCreateUser ${pool}`],
  ['mail SendEmail', from, `ses:SendEmail ${mail}:identity/example.com`],
  [
    'mail SendEmail',
    { ...from, ConfigurationSetName: 'notices' },
    ...['identity/example.com', 'configuration-set/notices'].map((one) => `ses:SendEmail ${mail}:${one}`),
  ],
])('A local run demands the same IAM permissions as AWS for the call %s with the body %j', (call, body, ...needed) => {
  expect(permissions(call, body).map(({ action, resource }) => `${action} ${resource}`)).toEqual(needed);
});

test.each([['DROP TABLE "a"'], ['SELECT 1'], ['the UPDATE "a" SET b = 1'], ['SELECT * FROM'], [''], [undefined]])(
  'A local run refuses the PartiQL statement %j, which is invalid or not supported',
  (Statement) => {
    const message = 'The local run cannot read this PartiQL statement.';
    const refusal = expect.objectContaining({ message, type: 'ValidationException' });
    expect(() => permissions('dynamodb ExecuteStatement', { Statement })).toThrow(refusal);
  },
);

test.each<[call: string, body: Body, context: object]>([
  ...Object.entries({ TransactGetItems: { Get: inA }, TransactWriteItems: { Put: inA } }).map(
    ([operation, item]): [string, Body, object] => {
      return [`dynamodb ${operation}`, { TransactItems: [item] }, { 'dynamodb:EnclosingOperation': [operation] }];
    },
  ),
  ['mail SendEmail', from, { 'ses:FromAddress': ['a@example.com'] }],
  [
    'events PutEvents',
    { Entries: [{ Source: 'booking', DetailType: 'booking.created' }] },
    { 'events:source': ['booking'], 'events:detail-type': ['booking.created'], 'events:eventBusInvocation': ['false'] },
  ],
])('In a local run, IAM conditions on the AWS call %s with the body %j can refer to %j', (call, body, context) => {
  expect(permissions(call, body).map((one) => one.context)).toEqual([context]);
});

const secrets = { TableName: 'secrets' };
const secretJobs = { QueueUrl: 'secret-jobs' };
const keyOf = (arn: string) => (arn === table('secrets') || arn.endsWith(':secret-jobs') ? 'the-key' : undefined);
const [decrypt, generate] = ['kms:Decrypt', 'kms:GenerateDataKey'] as const;

test.each<[call: string, body: Body, ...actions: string[]]>([
  ['dynamodb GetItem', secrets, decrypt],
  ['dynamodb PutItem', secrets, decrypt, generate],
  ['dynamodb UpdateItem', secrets, decrypt, generate],
  ['dynamodb DeleteItem', secrets, decrypt, generate],
  ['dynamodb BatchWriteItem', { RequestItems: { secrets: [] } }, decrypt, generate],
  ['dynamodb TransactWriteItems', { TransactItems: [{ Put: secrets }, { Put: inA }] }, decrypt, generate],
  ['dynamodb ExecuteStatement', { Statement: 'INSERT INTO "secrets" VALUE {}' }, decrypt, generate],
  ['dynamodb ExecuteStatement', { Statement: 'UPDATE "secrets" SET a = 1' }, decrypt, generate],
  ['dynamodb ExecuteStatement', { Statement: 'DELETE FROM "secrets"' }, decrypt, generate],
  ['dynamodb ExecuteStatement', { Statement: 'SELECT * FROM "secrets"."i"' }, decrypt],
  ['streams GetShardIterator', { StreamArn: `${table('secrets')}/stream/1` }, decrypt],
  ['sqs SendMessage', secretJobs, decrypt, generate],
  ['sqs ReceiveMessage', secretJobs, decrypt],
])('A local AWS call %s with the body %j also needs permission to use the KMS key of encrypted data', (...row) => {
  const [call, body, ...actions] = row;
  const service = call.startsWith('sqs') ? 'sqs' : 'dynamodb';
  const context = { 'kms:ViaService': [`${service}.us-east-1.amazonaws.com`] };
  const ofKey = permissions(call, body, keyOf).filter(({ resource }) => resource === 'the-key');
  expect(ofKey).toEqual(actions.map((action) => ({ action, resource: 'the-key', context })));
});

import { describe, expect, test } from 'vitest';
import { indexes, stores } from '../../contract/system/needs.ts';
import { type ExpectedFunction, expectedFunctions } from '../support/expected-functions.ts';
import { inside, type Json, type Resource, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: Json;
  readonly Condition?: Json;
}

const assembly = await synthesised();

const table = (store: string) =>
  assembly.ofType('AWS::DynamoDB::GlobalTable').find(({ id }) => id.toLowerCase().startsWith(`stores${store}`));
const arnOf = (resource: Resource | undefined) => `${resource?.stack}.${resource?.id}.Arn`;
const queue = (name: string) =>
  assembly.ofType('AWS::SQS::Queue').find(({ properties }) => properties.QueueName === name);
const list = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);

/** `action on resource` for each pair that a role allows. */
function allowed(role: string, extra: readonly Statement[] = []): string[] {
  const stack = role.slice(0, role.indexOf('.'));
  return [...assembly.statementsOf<Statement>((found) => `${found.stack}.${found.id}` === role), ...extra]
    .flatMap(({ Effect, Action, Resource }) =>
      list(Action as Json).flatMap((action) =>
        list(Resource).map((on) => `${Effect === 'Allow' ? '' : 'not '}${action} on ${assembly.text(stack, on)}`),
      ),
    )
    .sort();
}

function roleOf(name: string): string {
  const found = assembly.byName(name);
  if (!found) throw new Error(`${name} is not deployed.`);
  return assembly.named(found, 'Role').replace(/\.Arn$/, '');
}

/** The needed pairs, derived from the row only. */
function needed({ name, needs, source }: ExpectedFunction): string[] {
  const all = new Set<string>();
  const add = (service: string, actions: readonly string[], on: string) => {
    for (const action of actions) all.add(`${service}:${action} on ${on}`);
  };
  const found = assembly.byName(name);
  const log = inside(found, 'LoggingConfig', 'LogGroup');
  add('logs', ['CreateLogStream', 'PutLogEvents'], `${assembly.text(found?.stack ?? '', log)}.Arn`);
  for (const need of needs) {
    for (const store of stores) {
      add('dynamodb', need[store] ?? [], arnOf(table(store)));
      if (store !== 'secrets' || !need.secrets) continue;
      const key = arnOf(assembly.ofType('AWS::KMS::Key')[0]);
      add('kms', ['Decrypt', 'DescribeKey'], key);
      if (need.secrets.some((action) => /Put|Update|Delete|Write/.test(action))) {
        const writes = [
          'Encrypt',
          'GenerateDataKey',
          'GenerateDataKeyWithoutPlaintext',
          'ReEncryptFrom',
          'ReEncryptTo',
        ];
        add('kms', writes, key);
      }
    }
    for (const index of need.indexes ?? []) {
      add('dynamodb', ['Query'], `${arnOf(table(indexes[index].store))}/index/${index}`);
    }
    for (const target of need.send ?? []) add('sqs', ['SendMessage'], arnOf(queue(`booking-dev-${target}`)));
    if (need.people) add('cognito-idp', need.people, arnOf(assembly.ofType('AWS::Cognito::UserPool')[0]));
    if (need.publish) add('events', ['PutEvents'], arnOf(assembly.ofType('AWS::Events::EventBus')[0]));
  }
  if (source && 'queue' in source) {
    const receiving = [
      'ChangeMessageVisibility',
      'DeleteMessage',
      'GetQueueAttributes',
      'GetQueueUrl',
      'ReceiveMessage',
    ];
    add('sqs', receiving, arnOf(queue(source.queue)));
  }
  if (source && 'stream' in source) {
    const stream = arnOf(table(source.stream)).replace(/Arn$/, 'StreamArn');
    add('dynamodb', ['DescribeStream', 'GetRecords', 'GetShardIterator'], stream);
    add('dynamodb', ['ListStreams'], '*');
  }
  return [...all].sort();
}

test('Exactly the functions that contract/ lists are deployed', () => {
  const deployed = assembly.functions.map(({ properties }) => properties.FunctionName);
  expect([...deployed].sort()).toEqual(
    expectedFunctions('booking-dev')
      .map(({ name }) => name)
      .sort(),
  );
});

describe.each(expectedFunctions('booking-dev'))('the function $name', (row) => {
  test(`The function ${row.name} may call exactly the AWS actions that contract/ lists for it`, () => {
    expect(allowed(roleOf(row.name))).toEqual(needed(row));
  });

  test(`The function ${row.name} shares its IAM role with no other function`, () => {
    const role = roleOf(row.name);
    const users = assembly.functions.filter((other) => assembly.named(other, 'Role') === `${role}.Arn`);
    expect(users.map(({ properties }) => properties.FunctionName)).toEqual([row.name]);
  });

  test(`The function ${row.name} has an environment variable for each table, queue and bus that it uses, and no others`, () => {
    const checksKeys = assembly.byName(row.name)?.stack === 'IntegrationApi';
    const variables = new Set(['METRICS_NAMESPACE', ...(checksKeys ? ['ADDRESS_KEY'] : [])]);
    for (const need of row.needs) {
      for (const store of stores) {
        const queried = need.indexes?.some((index) => indexes[index].store === store);
        if (need[store] || queried) variables.add(`TABLE_${store.toUpperCase()}`);
      }
      for (const target of need.send ?? []) variables.add(`QUEUE_${target.toUpperCase()}`);
      if (need.people) variables.add('USER_POOL');
      if (need.publish) variables.add('EVENT_BUS');
    }
    const environment = assembly.byName(row.name)?.properties.Environment as { Variables: object } | undefined;
    expect(new Set(Object.keys(environment?.Variables ?? {}))).toEqual(variables);
  });
});

test('Negative control: the check of IAM policies reports a function with one permission that contract/ does not list for it', () => {
  const [row] = expectedFunctions('booking-dev');
  if (!row) throw new Error('The tables are empty.');
  const injected: Statement = { Effect: 'Allow', Action: 'dynamodb:DeleteItem', Resource: { Ref: 'Injected' } };
  expect(allowed(roleOf(row.name), [injected])).not.toEqual(needed(row));
});

test('Resource policies allow AWS services access only on behalf of a given resource or AWS account, with every setting', async () => {
  const { resources } = await synthesisedAs(variants['all settings']);
  const ofServices = resources.flatMap(({ stack, id, type, properties }) => {
    const name = `${stack} ${id}`;
    if (type === 'AWS::Lambda::Permission') return { name, isLimited: properties.SourceArn !== undefined };
    const { Statement = [] } = (properties.PolicyDocument ?? {}) as { Statement?: readonly Record<string, Json>[] };
    return Statement.filter(
      ({ Effect, Principal }) => Effect === 'Allow' && JSON.stringify(Principal ?? '').includes('Service'),
    ).map(({ Condition = {} }) => ({ name, isLimited: /"aws:Source(Arn|Account)"/i.test(JSON.stringify(Condition)) }));
  });
  expect(ofServices.some(({ name }) => name.includes('QueuePolicy'))).toBe(true);
  expect(ofServices.filter(({ isLimited }) => !isLimited)).toEqual([]);
});

test('The function that sends emails about problems may use the SES identity of the sender address, its domain or a parent domain', async () => {
  const withMail = await synthesisedAs(variants['all settings']);
  const [statement] = withMail.statementsOf<Statement>(() => true).filter(({ Action }) => Action === 'ses:SendEmail');
  const names = [...JSON.stringify(statement?.Resource).matchAll(/:(identity|configuration-set)\/([^"]+)"/g)];
  expect(names.map(([, , name]) => name)).toEqual([
    'booking-prod-notices',
    'booking.example',
    'mail.booking.example',
    'notices@mail.booking.example',
  ]);
  expect(statement?.Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'notices@mail.booking.example' } });
});

test('The KMS key of the table of secrets may be used only through DynamoDB', () => {
  const statements = assembly
    .statementsOf<Statement>(() => true)
    .filter(({ Action }) => list(Action as Json).some((action) => String(action).startsWith('kms:')));
  expect(statements.length).toBeGreaterThan(10);
  for (const { Condition } of statements) {
    expect(Condition).toMatchObject({ StringEquals: { 'kms:ViaService': expect.anything() } });
  }
});

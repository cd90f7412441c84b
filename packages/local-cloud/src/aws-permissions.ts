/** Derives the permissions that an AWS call needs from its service, operation and body. Pure. */
import { arn, localRegion } from './arn.ts';
import { AwsError } from './aws-error.ts';
import type { Permission } from './iam.ts';

export type Service = 'dynamodb' | 'streams' | 'sqs' | 'events' | 'people' | 'mail';

export type Body = Readonly<Record<string, unknown>>;

/** Returns the customer-managed key of a table or queue, by the ARN of the resource. */
export type KeyOf = (resourceArn: string) => string | undefined;

export function permissionsOf(service: Service, operation: string, body: Body, keyOf: KeyOf): Permission[] {
  const permissions = readers[service](operation, body);
  return permissions.flatMap((permission) => [permission, ...keyPermissions(permission, keyOf)]);
}

type Reader = (operation: string, body: Body) => Permission[];

const readers: Readonly<Record<Service, Reader>> = {
  dynamodb: (operation, body) =>
    (dynamodb[operation] ?? ((fields) => [{ action: `dynamodb:${operation}`, resource: tableArn(fields.TableName) }]))(
      body,
    ),
  streams: (operation, { StreamArn }) => [
    // A shard iterator does not name its stream. Here only event sources read streams, and they name the stream.
    { action: `dynamodb:${operation}`, resource: typeof StreamArn === 'string' ? StreamArn : '*' },
  ],
  // `SendMessageBatch` needs the permission `sqs:SendMessage`.
  sqs: (operation, { QueueUrl, QueueName }) => [
    { action: `sqs:${operation.replace(/Batch$/, '')}`, resource: queueArn(String(QueueUrl ?? QueueName ?? '*')) },
  ],
  people: (operation, { UserPoolId }) => [
    { action: `cognito-idp:${operation}`, resource: userPoolArn(String(UserPoolId)) },
  ],
  // Amazon SES uses the identity of the address, or else that of its domain.
  mail: (operation, { FromEmailAddress, ConfigurationSetName }) => {
    const from = String(FromEmailAddress);
    const resources = [
      `identity/${from.split('@')[1]}`,
      ...(ConfigurationSetName === undefined ? [] : [`configuration-set/${ConfigurationSetName}`]),
    ];
    const context = { 'ses:FromAddress': [from] };
    return resources.map((resource) => ({ action: `ses:${operation}`, resource: arn('ses', resource), context }));
  },
  events: (operation, { Entries }) =>
    operation === 'PutEvents'
      ? unique(
          records(Entries).map(({ EventBusName, Source, DetailType }) => ({
            action: 'events:PutEvents',
            resource: eventBusArn(String(EventBusName ?? 'default')),
            context: {
              'events:source': [String(Source)],
              'events:detail-type': [String(DetailType)],
              'events:eventBusInvocation': ['false'],
            },
          })),
        )
      : [{ action: `events:${operation}`, resource: '*' }],
};

const dynamodb: Readonly<Record<string, (body: Body) => Permission[]>> = {
  Query: ({ TableName, IndexName }) => [{ action: 'dynamodb:Query', resource: indexArn(TableName, IndexName) }],
  Scan: ({ TableName, IndexName }) => [{ action: 'dynamodb:Scan', resource: indexArn(TableName, IndexName) }],
  ListTables: () => [{ action: 'dynamodb:ListTables', resource: '*' }],
  BatchGetItem: ({ RequestItems }) => batched('dynamodb:BatchGetItem', RequestItems),
  BatchWriteItem: ({ RequestItems }) => batched('dynamodb:BatchWriteItem', RequestItems),
  TransactWriteItems: ({ TransactItems }) => transacted(TransactItems, transactWriteActions, 'TransactWriteItems'),
  TransactGetItems: ({ TransactItems }) => transacted(TransactItems, { Get: 'dynamodb:GetItem' }, 'TransactGetItems'),
  ExecuteStatement: ({ Statement }) => [partiql(Statement)],
  BatchExecuteStatement: ({ Statements }) => unique(records(Statements).map(({ Statement }) => partiql(Statement))),
  ExecuteTransaction: ({ TransactStatements }) =>
    unique(records(TransactStatements).map(({ Statement }) => partiql(Statement))),
};

const transactWriteActions: Readonly<Record<string, string>> = {
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
};

const partiqlActions: Readonly<Record<string, string>> = {
  SELECT: 'dynamodb:PartiQLSelect',
  INSERT: 'dynamodb:PartiQLInsert',
  UPDATE: 'dynamodb:PartiQLUpdate',
  DELETE: 'dynamodb:PartiQLDelete',
};

function transacted(items: unknown, actions: Readonly<Record<string, string>>, enclosing: string): Permission[] {
  return unique(
    records(items).flatMap((item) =>
      Object.entries(item).flatMap(([kind, request]) => {
        const action = actions[kind];
        if (!action || typeof request !== 'object' || request === null) return [];
        const { TableName } = request as Body;
        return [{ action, resource: tableArn(TableName), context: { 'dynamodb:EnclosingOperation': [enclosing] } }];
      }),
    ),
  );
}

function batched(action: string, requestItems: unknown): Permission[] {
  return Object.keys(typeof requestItems === 'object' && requestItems !== null ? requestItems : {}).map((table) => ({
    action,
    resource: tableArn(table),
  }));
}

function partiql(statement: unknown): Permission {
  const text = String(statement).trim();
  const action = partiqlActions[text.split(/\s/, 1)[0]?.toUpperCase() ?? ''];
  const table =
    /^(?:SELECT\s[\s\S]*?\sFROM|INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?([A-Za-z0-9_.-]+)"?(?:\."([^"]+)")?/i.exec(
      text,
    );
  if (!action || !table) throw new AwsError('ValidationException', 'The local run cannot read this PartiQL statement.');
  return { action, resource: indexArn(table[1], table[2]) };
}

/** A read needs permission to decrypt with the key; a write also to generate data keys. */
function keyPermissions({ action, resource }: Permission, keyOf: KeyOf): Permission[] {
  const key = keyOf(resource.replace(/\/(?:index|stream)\/.*/, ''));
  if (!key) return [];
  const service = action.startsWith('sqs:') ? 'sqs' : 'dynamodb';
  const context = { 'kms:ViaService': [`${service}.${localRegion}.amazonaws.com`] };
  const decrypt = { action: 'kms:Decrypt', resource: key, context };
  return writing.has(action) ? [decrypt, { action: 'kms:GenerateDataKey', resource: key, context }] : [decrypt];
}

const writing = new Set([
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:PartiQLInsert',
  'dynamodb:PartiQLUpdate',
  'dynamodb:PartiQLDelete',
  'sqs:SendMessage',
]);

export function tableArn(table: unknown): string {
  const name = String(table);
  return name.startsWith('arn:') ? name : arn('dynamodb', `table/${name}`);
}

function indexArn(table: unknown, index: unknown): string {
  return typeof index === 'string' ? `${tableArn(table)}/index/${index}` : tableArn(table);
}

export function userPoolArn(name: string): string {
  return arn('cognito-idp', `userpool/${name}`);
}

export function queueArn(url: string): string {
  return arn('sqs', url.split('/').at(-1) ?? url);
}

export function eventBusArn(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : arn('events', `event-bus/${nameOrArn}`);
}

function records(value: unknown): Body[] {
  return Array.isArray(value) ? value.filter((item): item is Body => typeof item === 'object' && item !== null) : [];
}

function unique(permissions: Permission[]): Permission[] {
  return [...new Map(permissions.map((permission) => [JSON.stringify(permission), permission])).values()];
}

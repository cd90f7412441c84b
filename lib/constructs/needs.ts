/** Converts the needs of a row to the policy statements and environment variables of its function. */
import { Aws } from 'aws-cdk-lib';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { type Index, indexes, type Needs, type Store, stores, type TableAction } from '../../contract/system/needs.ts';
import { type TableRow, tables as tableRows } from '../tables.ts';
import type { Egress } from './egress.ts';

type QueueName = NonNullable<Needs['send']>[number];

interface Mail {
  readonly from: string;
  readonly configurationSet: string;
}

/** The resources that a function can be allowed to use. Without queues and the bus, nothing may send or publish. */
export interface Resources {
  readonly tables: Readonly<Record<Store, ITableV2>>;
  readonly secretsKey: IKey;
  readonly queues?: Readonly<Partial<Record<QueueName, Queue>>>;
  readonly bus?: EventBus;
  /** The user pool; absent with another token issuer. */
  readonly people?: IUserPool | undefined;
  /** The settings for emails; missing without a sender address. */
  readonly mail?: Mail | undefined;
  /** The origin of the pages of the edge, if they have a domain. */
  readonly pagesOrigin?: string | undefined;
  /** The VPC of functions that call receivers, if they have fixed addresses. */
  readonly egress?: Egress | undefined;
}

/** Allows exactly the needed actions, each on exactly one resource. */
export function statementsFor(needs: Needs, resources: Resources): PolicyStatement[] {
  return [
    ...stores.flatMap((store) => tableStatements(store, needs[store], resources)),
    ...(needs.indexes ?? []).map((index) => allow(['dynamodb:Query'], indexArn(index, resources))),
    ...(needs.send ?? []).map((queue) => allow(['sqs:SendMessage'], queueNamed(queue, resources).queueArn)),
    ...(needs.people && resources.people
      ? [
          allow(
            needs.people.map((action) => `cognito-idp:${action}`),
            resources.people.userPoolArn,
          ),
        ]
      : []),
    ...(needs.mail ? [mailStatement(mailOf(resources))] : []),
    ...(needs.publish ? [allow(['events:PutEvents'], busOf(resources).eventBusArn)] : []),
  ];
}

export function environmentFor(needs: Needs, resources: Resources): Record<string, string> {
  return Object.fromEntries([
    ...stores
      .filter((store) => needs[store] || needs.indexes?.some((index) => indexes[index].store === store))
      .map((store) => [`TABLE_${store.toUpperCase()}`, resources.tables[store].tableName]),
    ...(needs.send ?? []).map((queue) => [`QUEUE_${queue.toUpperCase()}`, queueNamed(queue, resources).queueUrl]),
    ...(needs.people && resources.people ? [['USER_POOL', resources.people.userPoolId]] : []),
    ...(needs.publish ? [['EVENT_BUS', busOf(resources).eventBusName]] : []),
    ...(needs.mail
      ? [
          ['MAIL_FROM', mailOf(resources).from],
          ['MAIL_SET', mailOf(resources).configurationSet],
        ]
      : []),
    ...(needs.pages && resources.pagesOrigin ? [['PAGES_ORIGIN', resources.pagesOrigin]] : []),
  ]);
}

function tableStatements(
  store: Store,
  actions: readonly TableAction[] | undefined,
  { tables, secretsKey }: Resources,
): PolicyStatement[] {
  if (!actions) return [];
  const row: TableRow = tableRows[store];
  const table = allow(
    actions.map((action) => `dynamodb:${action}`),
    tables[store].tableArn,
  );
  return row.ownKey ? [table, keyStatement(actions, secretsKey)] : [table];
}

const reads: readonly TableAction[] = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'];

/** DynamoDB uses the key on the caller's behalf; the condition prevents any other use by the caller. */
function keyStatement(actions: readonly TableAction[], key: IKey): PolicyStatement {
  const writes = actions.some((action) => !reads.includes(action));
  return new PolicyStatement({
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      ...(writes
        ? [
            'kms:Encrypt',
            'kms:GenerateDataKey',
            'kms:GenerateDataKeyWithoutPlaintext',
            'kms:ReEncryptFrom',
            'kms:ReEncryptTo',
          ]
        : []),
    ],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
  });
}

/**
 * Emails must be from the one address, with the one configuration set. The address, its domain or a parent of this domain
 * is verified.
 */
function mailStatement({ from, configurationSet }: Mail): PolicyStatement {
  const arn = (resource: string) => `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;
  const [, domain = ''] = from.split('@');
  const labels = domain.split('.');
  const domains = labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [
      ...[from, ...domains].map((name) => arn(`identity/${name}`)),
      arn(`configuration-set/${configurationSet}`),
    ],
    conditions: { StringEquals: { 'ses:FromAddress': from } },
  });
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ actions, resources: [resource] });
}

function indexArn(index: Index, { tables }: Resources): string {
  return `${tables[indexes[index].store].tableArn}/index/${index}`;
}

function queueNamed(name: QueueName, { queues }: Resources): Queue {
  const queue = queues?.[name];
  if (!queue) throw new Error(`A row sends to the queue ${name}, which its stack does not have.`);
  return queue;
}

function mailOf({ mail }: Resources): Mail {
  if (!mail) throw new Error('A row sends emails, but its stack has no sender address.');
  return mail;
}

function busOf({ bus }: Resources): EventBus {
  if (!bus) throw new Error('A row publishes events, but its stack has no event bus.');
  return bus;
}

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stores } from '../../contract/system/needs.ts';
import { pascalCase } from '../../lib/names.ts';
import { pageText } from '../../local/page-commands.ts';
import { type Json, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

const assembly = await synthesised('dev', {
  ...{ recordsTable: 'restored-records', recordsStream: '2026-11-21T12:00:00.000' },
  secretsTable: 'restored-secrets',
});

test('A stage with one existing DynamoDB table uses this table in every function and stream, and creates only the other tables', () => {
  const tables = assembly.ofType('AWS::DynamoDB::GlobalTable').map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''));
  expect(tables).toEqual(['StoresKeys', 'StoresDeliveries']);
  const named = assembly
    .ofType('AWS::Lambda::Function')
    .map(({ properties }) => (properties.Environment as { Variables?: Record<string, unknown> })?.Variables ?? {})
    .filter((variables) => 'TABLE_RECORDS' in variables);
  expect(new Set(named.map(({ TABLE_RECORDS }) => TABLE_RECORDS))).toEqual(new Set(['restored-records']));
  const arn = 'arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/restored-records';
  const streams = assembly
    .ofType('AWS::Lambda::EventSourceMapping')
    .map((mapping) => assembly.named(mapping, 'EventSourceArn'));
  expect(streams).toContain(`${arn}/stream/2026-11-21T12:00:00.000`);
  const resources = assembly.stacks.flatMap(({ id }) =>
    assembly
      .statementsOf<{ Resource: Json }>(({ stack }) => stack === id)
      .flatMap(({ Resource }) => assembly.text(id, Resource).split(',')),
  );
  expect(resources).toContain(arn);
  expect(resources).toContain(`${arn}/index/byStart`);
});

test('A stage with an existing DynamoDB table of signing secrets, but no existing KMS key, creates and uses a KMS key', () => {
  const [key, ...others] = assembly.ofType('AWS::KMS::Key');
  expect(others).toEqual([]);
  const statements = JSON.stringify(assembly.statementsOf(() => true));
  expect(statements).toContain('table/restored-secrets');
  expect(statements).toContain(key?.id);
});

test('A stage that uses only existing DynamoDB tables and their KMS key still exports the names of the tables from its Data stack', async () => {
  const { context } = variants['existing tables'];
  const assembly = await synthesisedAs(variants['existing tables']);
  expect(assembly.ofType('AWS::KMS::Key')).toEqual([]);
  expect(JSON.stringify(assembly.statementsOf(() => true))).toContain(context.secretsKey);
  expect(assembly.resources.filter(({ stack }) => stack === 'Data').map(({ type }) => type)).toEqual([
    'AWS::CloudFormation::WaitConditionHandle',
  ]);
  const { templateFullPath } = assembly.stacks.find(({ id }) => id === 'Data') ?? { templateFullPath: '' };
  const { Outputs } = JSON.parse(readFileSync(templateFullPath, 'utf8'));
  const names = stores.map((store) => Outputs[`${pascalCase(store)}TableName`].Value);
  expect(names).toEqual(stores.map((store) => `${store}-1`));
});

test('An operator can set warm throughput for all tables and indexes before a day with much traffic', async () => {
  const tables = (await synthesisedAs(variants['all settings'])).ofType('AWS::DynamoDB::GlobalTable');
  const warm = { WriteUnitsPerSecond: 20_000, ReadUnitsPerSecond: 40_000 };
  for (const { properties } of tables) {
    expect(properties.WarmThroughput).toEqual(warm);
    for (const index of (properties.GlobalSecondaryIndexes ?? []) as { WarmThroughput?: unknown }[]) {
      expect(index.WarmThroughput).toEqual(warm);
    }
  }
});

/** A section of a runbook up to the deployment of the Data stack, which releases its tables there. */
const beforeDataStack = (page: string, section: string) =>
  pageText(`runbooks/${page}`)
    .split(`## ${section}`)[1]
    ?.split(/cdk deploy (Data|--all)/)[0];

test.each([
  ['restore.md', 'Switch'],
  ['regions.md', 'When the first region is back'],
])(
  'The runbook %s updates or deletes each stack that uses a table before the table is removed from the Data stack',
  async (page, section) => {
    const { stacks } = await synthesisedAs(variants['all settings']);
    const users = stacks.filter(({ templateFullPath }) =>
      /ImportValue": ?"booking-prod-data:/.test(readFileSync(templateFullPath, 'utf8')),
    );
    const commands = beforeDataStack(page, section)?.toLowerCase();
    expect(users.length).toBeGreaterThan(4);
    expect(users.map(({ id }) => id).filter((id) => !commands?.includes(id.toLowerCase()))).toEqual([]);
  },
);

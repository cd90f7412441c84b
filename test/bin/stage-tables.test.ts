/** An operator's commands use the current tables of the stage, which differ from its stack's after a restore. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { selectStage } from '../../bin/operate/stage-tables.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const outputs = [
  { OutputKey: 'KeysTableName', OutputValue: 'booking-prod-data-StoresKeysE2AEA79E-1' },
  { OutputKey: 'RecordsTableName', OutputValue: 'booking-prod-records-restored-1' },
];

/** A fake AWS command line with these stacks in eu-west-1. */
function aws(stacks: Readonly<Record<string, unknown>>): void {
  const folder = temporaryFolder('aws');
  const program = join(folder, 'aws');
  writeFileSync(
    program,
    `#!${process.execPath}
const [service, operation, , name] = process.argv.slice(2);
const known = process.argv.slice(-2).join(' ') === '--region eu-west-1' ? ${JSON.stringify(stacks)}[name] : undefined;
if (service + ' ' + operation !== 'cloudformation describe-stacks' || known === undefined) {
  console.error('An error occurred (ValidationError): Stack with id ' + name + ' does not exist');
  process.exit(254);
}
console.log(JSON.stringify(known));
`,
  );
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', folder);
}

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  for (const variable of ['TABLE_KEYS', 'TABLE_RECORDS', 'MAX_ATTEMPTS']) vi.stubEnv(variable, '');
});
afterEach(() => vi.unstubAllEnvs());

test('After a restore, operator commands use the restored table of the stage instead of the old one', async () => {
  aws({ 'booking-prod-data': outputs });
  await selectStage('prod', ['keys', 'records']);
  expect(process.env.TABLE_RECORDS).toBe('booking-prod-records-restored-1');
  expect(process.env.TABLE_KEYS).toBe('booking-prod-data-StoresKeysE2AEA79E-1');
});

test.each([
  ['region', 'AWS_DEFAULT_REGION', 'AWS_REGION'],
  ['profile', 'AWS_DEFAULT_PROFILE', 'AWS_PROFILE'],
])('Operator commands use the %s in %s, as the AWS CLI does, even if the tables are given', async (_, given, used) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  vi.stubEnv(used, '');
  vi.stubEnv(given, 'eu-west-1');
  vi.stubEnv('TABLE_RECORDS', 'booking-prod-records-restored-1');
  await selectStage('prod', ['records']);
  expect(process.env[used]).toBe('eu-west-1');
});

test('An operator command for a stage that is not deployed ends with an error, and uses no table of another stage', async () => {
  aws({ 'booking-prod-data': outputs });
  await expect(selectStage('dev', ['records'])).rejects.toThrow(
    /booking-dev-data cannot be read: .*does not exist\. Is it deployed, and are AWS_REGION and AWS_PROFILE set\?$/,
  );
  expect(process.env.TABLE_RECORDS).toBe('');
});

test('An operator command chooses no stage by default, even if environment variables name the tables', async () => {
  vi.stubEnv('TABLE_RECORDS', 'given');
  await expect(selectStage(undefined, ['records'])).rejects.toThrow('Set --stage');
});

test.each([
  ['AWS_PROFILE', 'AWS_ACCESS_KEY_ID'],
  ['AWS_DEFAULT_PROFILE', 'AWS_ACCESS_KEY_ID'],
  ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE'],
])(
  'An operator command is refused if %s and %s are both set, because they may belong to two AWS accounts',
  async (one, other) => {
    aws({ 'booking-prod-data': outputs });
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    vi.stubEnv(one, 'one');
    vi.stubEnv(other, 'other');
    await expect(selectStage('prod', ['keys', 'records'])).rejects.toThrow(`${one} and ${other} are both set`);
  },
);

test.each([
  ['no outputs', null],
  ['no output with the name of a table', [outputs[0]]],
])('An operator command ends with an error if the stack of its stage has %s', async (_, known) => {
  aws({ 'booking-prod-data': known });
  await expect(selectStage('prod', ['records'])).rejects.toThrow('has no output RecordsTableName');
});

test('An operator command that needs the AWS CLI ends with an error if the AWS CLI is not installed', async () => {
  vi.stubEnv('PATH', temporaryFolder('empty'));
  await expect(selectStage('prod', ['records'])).rejects.toThrow('there is no command aws');
});

test('If an environment variable names a table, operator commands use this table without asking AWS', async () => {
  vi.stubEnv('PATH', temporaryFolder('empty'));
  vi.stubEnv('TABLE_RECORDS', 'given');
  await selectStage('prod', ['records']);
  expect(process.env.TABLE_RECORDS).toBe('given');
});

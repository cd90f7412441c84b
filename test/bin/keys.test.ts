import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkKey } from '../../core/keys/check-key.ts';
import { parseKeyValue } from '../../core/keys/key-value.ts';
import { createBusiness, createKey } from '../../local/seed.ts';
import { command } from '../support/command.ts';
import { useAdmin } from '../support/local-admin.ts';

const admin = useAdmin();

async function keys(...args: readonly string[]) {
  const { code, stdout, stderr } = await command('bin/operate/keys.ts', args).ended;
  return { code, stderr, json: stdout ? JSON.parse(stdout) : undefined };
}

test('An operator can create a business with an API key, regenerate the key and revoke it', async () => {
  const onboarded = await keys('onboard', '--name', 'Salon', '--time-zone', 'Europe/Riga', '--currency', 'EUR');
  expect(onboarded).toMatchObject({ code: 0, json: { businessId: expect.any(Number), name: 'Salon', owner: null } });
  const business = ['--business', String(onboarded.json.businessId)];

  const created = await keys('create', ...business, '--name', 'Site', '--scopes', 'slots:read,bookings:write');
  expect(created).toMatchObject({ code: 0, json: { scopes: ['slots:read', 'bookings:write'] } });
  const check = (value: string) => checkKey(parseKeyValue(value)?.hash ?? '');
  expect(await check(created.json.key)).toMatchObject({ outcome: 'accepted' });

  const id = ['--id', String(created.json.id)];
  const regenerated = await keys('regenerate', ...business, ...id);
  expect(await check(created.json.key)).toEqual({ outcome: 'unknown' });
  await keys('revoke', ...business, ...id);
  expect(await check(regenerated.json.key)).toMatchObject({ outcome: 'revoked' });
  expect((await keys('list', ...business)).json).toMatchObject({ data: [{ status: 'revoked' }], total: 1 });
});

test('`npm run operate -- keys list` lists all API keys of a business, even more than a hundred', async () => {
  const { business } = await createBusiness(admin);
  await Promise.all(Array.from({ length: 101 }, () => createKey(admin, { tenantId: business.id, status: 'revoked' })));
  const { json } = await keys('list', '--business', String(business.id));
  expect([json.data.length, json.total]).toEqual([101, 101]);
});

test('If `npm run operate -- keys` cannot invite an owner, it prints a shell command that invites the owner, and fails', async () => {
  const business = ['--name', 'Salon', '--time-zone', 'Europe/Riga', '--currency', 'EUR'];
  const args = ['onboard', ...business, '--email', "o'neil@example.com", '--user-pool', 'p'];
  const { code, stdout, stderr } = await command('bin/operate/keys.ts', args, { env: { PATH: '/nowhere' } }).ended;
  const { businessId, owner } = JSON.parse(stdout);
  expect({ code, owner }).toEqual({ code: 1, owner: null });
  expect(stderr).toContain(`The owner of business ${businessId} was not invited.`);
  const script = stderr.slice(stderr.indexOf('  aws ')).replace('aws', "printf '%s\\n'");
  const { stdout: printed } = await promisify(execFile)('sh', ['-c', script]);
  expect(printed).toMatch(/^o'neil@example\.com$/m);
  expect(printed).toContain(`--region\n${process.env.AWS_REGION}\n`);
});

test.each([
  ['a new key without a business', ['create', '--name', 'x', '--scopes', 'slots:read'], '--business must be an id'],
  [
    'a new business with a currency in lower case',
    ['onboard', '--name', 'x', '--time-zone', 'UTC', '--currency', 'eur'],
    'currency: must be',
  ],
  [
    'a new business with an unknown time zone',
    ['onboard', '--name', 'x', '--time-zone', 'Riga', '--currency', 'EUR'],
    'IANA time zone',
  ],
  ['a new business without a time zone', ['onboard', '--name', 'x'], 'timeZone: is required'],
  [
    'a new key for an unknown business',
    ['create', '--business', '1', '--name', 'x', '--scopes', 'slots:read'],
    'There is no business yet',
  ],
  ['the revocation of an unknown key', ['revoke', '--business', '1', '--id', '1'], 'There is no such resource'],
  [
    'the invitation of an owner of an unknown business',
    ['invite', '--business', '1', '--email', 'x@example.com', '--user-pool', 'p'],
    'There is no business yet',
  ],
  [
    'an invitation without a user pool',
    ['invite', '--business', '1', '--email', 'x@example.com'],
    '--user-pool are needed',
  ],
  [
    'an invitation to an address with further attributes',
    ['invite', '--business', '1', '--email', 'x@example.com,Name=custom:businessId,Value=2', '--user-pool', 'p'],
    'is not an email address',
  ],
  ['an unknown command', ['destroy'], "There is no command 'destroy'"],
])('`npm run operate -- keys` refuses %s with a one-sentence error and exit code 2', async (_, args, sentence) => {
  const { code, stderr } = await keys(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('If `npm run operate -- keys` cannot find the tables of a stage, a one-sentence error names the settings to check', async () => {
  const nowhere = { TABLE_KEYS: '', TABLE_RECORDS: '', PATH: '/nowhere' };
  const { code, stderr } = await command('bin/operate/keys.ts', ['list', '--business', '1'], { env: nowhere }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The tables of the stage are unknown, .*are AWS_REGION and AWS_PROFILE set\?$/m);
  expect(stderr).not.toMatch(/^\s+at /m);
});

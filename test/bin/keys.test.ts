import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { now, timestamp } from '../../core/clock.ts';
import { expiryFields } from '../../core/keys/api-key.ts';
import { checkKey } from '../../core/keys/check-key.ts';
import { createApiKey } from '../../core/keys/create-key.ts';
import { parseKeyValue } from '../../core/keys/key-value.ts';
import { listApiKeys } from '../../core/keys/read-keys.ts';
import { regenerateApiKey } from '../../core/keys/regenerate-key.ts';
import { revokeApiKey } from '../../core/keys/revoke-key.ts';
import type { StoredKey } from '../../core/keys/stored-key.ts';
import { updateApiKey } from '../../core/keys/update-key.ts';
import { inSandbox } from '../../core/mode.ts';
import type { Principal } from '../../core/principal.ts';
import { deleteEach } from '../../core/store/delete-each.ts';
import type { Key } from '../../core/store/key.ts';
import { getItem, queryPrefix, scanAll } from '../../core/store/read.ts';
import { transact } from '../../core/store/transact.ts';
import { remove, set } from '../../core/store/write.ts';
import { keys as keyTable, records } from '../../core/table-keys.ts';
import { putAll } from '../../local/admin.ts';
import { createBusiness, createKey } from '../../local/seed.ts';
import { command } from '../support/command.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { useAdmin } from '../support/local-admin.ts';
import { ownerPrincipal } from '../support/principals.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const admin = useAdmin();

async function keys(...args: readonly string[]) {
  const { code, stdout, stderr } = await command('bin/operate/keys.ts', [...args, '--stage', 'dev']).ended;
  return { code, stderr, json: stdout ? JSON.parse(stdout) : undefined };
}

test('An operator can create a business, and then create, regenerate and revoke an API key of this business', async () => {
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

/** Runs the command as after a restore to a time three days ago. */
function reconciling(env = {}) {
  const [since = '', until = ''] = [-3 * 86_400_000, 0].map((ms) => timestamp(now() + ms));
  return command('bin/operate/reconcile.ts', ['--stage', 'prod', '--since', since, '--until', until], { env }).ended;
}

async function reconcile() {
  return JSON.parse((await reconciling()).stdout).keys as { apiKeyId: number; status: string }[];
}

const newKey = (owner: Principal) =>
  createApiKey(owner, { name: 'Site', scopes: ['bookings:read', 'bookings:write'], allowedOrigins: [] });
async function allKeys(): Promise<Key[]> {
  const items: Key[] = [];
  for await (const item of scanAll<Key>('keys', {})) items.push(item);
  return items;
}

const hashOf = (value: string) => parseKeyValue(value)?.hash ?? '';
const counted = (value: string) => keyTable.apiKey(hashOf(value));
const outcomeOf = async (value: string) => (await checkKey(hashOf(value))).outcome;

test('If a restore of the table `records` undoes changes of API keys, such as revocations, the command `reconcile` recovers them', async () => {
  const { business } = await createBusiness(admin);
  const owner = ownerPrincipal(business.id);
  const items = () => queryPrefix<Required<Key>>('records', records.tenant(business.id), '');
  const same = await newKey(owner);
  const revoked = await newKey(owner);
  const narrowed = await newKey(owner);
  const expiring = await newKey(owner);
  const ofAgents = await newKey(owner);
  const regenerated = await newKey(owner);
  const overlapping = await newKey(owner);
  // Ids of different businesses may be equal.
  await createKey(admin, { tenantId: inSandbox(business.id), id: same.id });
  // DynamoDB has deleted one of the two items of this key, which expired long ago.
  const deleted = await newKey(owner);
  await transact([
    set('records', records.key(business.id, deleted.id), expiryFields(now() - 91 * 86_400_000)),
    remove('keys', counted(deleted.key)),
  ]);
  const moment = await items();
  await revokeApiKey(owner, revoked);
  await updateApiKey(owner, narrowed, { scopes: ['bookings:write'], expiresAt: timestamp(now() + 86_400_000) });
  await updateApiKey(owner, expiring, { expiresAt: timestamp(now() + 86_400_000) });
  await updateApiKey(owner, ofAgents, { agents: true });
  const { key } = await regenerateApiKey(owner, regenerated);
  const { key: second } = await regenerateApiKey(owner, overlapping, { overlapHours: 24 });
  const created = await newKey(owner);
  await deleteEach('records', await items());
  await putAll(admin, 'records', moment);

  const found = await reconcile();
  expect(found.map(({ apiKeyId, status }) => [apiKeyId, status]).sort()).toEqual([
    [revoked.id, 'revoked'],
    ...[narrowed, expiring, ofAgents, regenerated, overlapping, created].map(({ id }) => [id, 'active']),
  ]);
  expect(await reconcile()).toEqual([]);
  for (const { id } of [revoked, narrowed, expiring]) {
    const { expiresAtSeconds = 0 } = (await getItem<StoredKey>('records', records.key(business.id, id))) ?? {};
    expect(expiresAtSeconds * 1_000 - now()).toBeGreaterThan((limits.endedKeyDays - 1) * 86_400_000);
  }
  expect((await listApiKeys(owner, {})).data).toMatchObject([
    { id: same.id, status: 'active' },
    { id: revoked.id, status: 'revoked' },
    { id: narrowed.id, scopes: ['bookings:write'], expiresAt: expect.any(String) },
    { id: expiring.id, expiresAt: expect.any(String) },
    { id: ofAgents.id, agents: true },
    { id: regenerated.id, name: 'Site', prefix: 'bk_live_', previous: null },
    { id: overlapping.id, previous: { worksUntil: expect.any(String) } },
    { id: created.id, name: 'Restored key', prefix: 'bk_live_' },
  ]);
  const values = [same, narrowed, expiring, ofAgents, created].map((one) => one.key).concat(key, second);
  const working = [...values, overlapping.key];
  expect(await Promise.all(working.map(outcomeOf))).toEqual(working.map(() => 'accepted'));
  const { key: third } = await regenerateApiKey(owner, overlapping, { overlapHours: 24 });
  expect(await outcomeOf(overlapping.key)).toBe('unknown');
  values.push(third);
  const all = [same, revoked, narrowed, expiring, ofAgents, regenerated, overlapping, created];
  for (const one of all) await revokeApiKey(owner, one);
  expect(await Promise.all(values.map(outcomeOf))).toEqual(values.map(() => 'revoked'));
  expect(await getItem('records', records.activeKeys(business.id))).toMatchObject({ active: {} });
});

test("If the command `reconcile` was interrupted, the next run corrects the list of a business's active API keys", async () => {
  const { business } = await createBusiness(admin);
  const owner = ownerPrincipal(business.id);
  const position = records.activeKeys(business.id);
  const [kept, revoked] = [await newKey(owner), await newKey(owner)];
  const before = await getItem('records', position);
  await revokeApiKey(owner, revoked);
  await putAll(admin, 'records', [before ?? {}]);
  expect(await reconcile()).toEqual([]);
  expect(await getItem('records', position)).toMatchObject({ active: { [kept.id]: null } });
  expect(Object.keys((await getItem<{ active: object }>('records', position))?.active ?? {})).toHaveLength(1);
});

test('The command `reconcile` ends with an error if the table `keys` is empty', async () => {
  const { business } = await createBusiness(admin);
  const { id } = await newKey(ownerPrincipal(business.id));
  const all = await allKeys();
  await deleteEach('keys', all);
  const { code, stderr } = await reconciling();
  await putAll(admin, 'keys', all);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('contains no active API key') });
  expect(await getItem('records', records.key(business.id, id))).toMatchObject({ status: 'active' });
});

test('The command `reconcile` succeeds even if DynamoDB repeatedly throttles its scans of a restored table', async () => {
  // The eight parts of the table are scanned concurrently, and each is throttled three times.
  let left = 3 * 8;
  const throttled = await faultyProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', ({ headers }) =>
    String(headers['x-amz-target']).endsWith('.Scan') && left-- > 0 ? 'limit' : undefined,
  );
  const { code, stderr } = await reconciling({ AWS_ENDPOINT_URL_DYNAMODB: throttled });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(left).toBeLessThan(0);
});

/** Changes of API keys, and the tables that did not get them before the region was lost. */
const partsOfChanges = [
  { part: 'the revocation in the table `records`', change: revokeApiKey, old: ['keys'] },
  { part: 'the revocation in the table `keys`', change: revokeApiKey, old: ['records'] },
  { part: 'the new value in the table `records`', change: regenerateApiKey, old: ['keys'], lost: true },
  { part: 'the new value in the table `keys` beside the old one', change: regenerateApiKey, old: ['keys', 'records'] },
] as const;

async function replicatedInPart(one: (typeof partsOfChanges)[number]) {
  const { business } = await createBusiness(admin);
  const owner = ownerPrincipal(business.id);
  const made = await newKey(owner);
  const before = {
    keys: await getItem('keys', counted(made.key)),
    records: await getItem('records', records.key(business.id, made.id)),
  };
  const after = await one.change(owner, made);
  const value = 'key' in after ? String(after.key) : made.key;
  for (const store of one.old) await putAll(admin, store, [before[store] ?? {}]);
  // A value that was not copied does not replace the old one.
  const works = 'lost' in one;
  if (works) await deleteEach('keys', [counted(value)]);
  return { part: one.part, owner, made, value, works };
}

test('If only a part of a change of an API key reached the second region, `reconcile` makes the key equal in all tables', async () => {
  const changed = await Promise.all(partsOfChanges.map(replicatedInPart));
  const found = await reconcile();
  expect(found).toHaveLength(changed.length);
  for (const { part, owner, made, value, works } of changed) {
    const { status } = found.find(({ apiKeyId }) => apiKeyId === made.id) ?? {};
    expect(status, part).toBe(works ? 'active' : 'revoked');
    expect((await outcomeOf(made.key)) === 'accepted', part).toBe(works);
    expect(await revokeApiKey(owner, made), part).toMatchObject({ status: 'revoked' });
    for (const one of [made.key, value]) expect(await outcomeOf(one), part).not.toBe('accepted');
  }
});

test('`npm run operate -- keys list` lists all API keys of a business, even more than a hundred', async () => {
  const { business } = await createBusiness(admin);
  await Promise.all(Array.from({ length: 101 }, () => createKey(admin, { tenantId: business.id, status: 'revoked' })));
  const { json } = await keys('list', '--business', String(business.id));
  expect([json.data.length, json.total]).toEqual([101, 101]);
});

test('If `npm run operate -- keys` cannot invite an owner, it prints a shell command that invites the owner, and fails', async () => {
  const business = ['--name', 'Salon', '--time-zone', 'Europe/Riga', '--currency', 'EUR'];
  const args = ['onboard', '--stage', 'dev', ...business, '--email', "o'neil@example.com", '--user-pool', 'p'];
  const { code, stdout, stderr } = await command('bin/operate/keys.ts', args, { env: { PATH: '/nowhere' } }).ended;
  const { businessId, owner } = JSON.parse(stdout);
  expect({ code, owner }).toEqual({ code: 1, owner: null });
  expect(stderr).toContain(`The owner of business ${businessId} was not invited.`);
  const script = stderr.slice(stderr.indexOf('  aws ')).replace('aws', "printf '%s\\n'");
  const { stdout: printed } = await promisify(execFile)('sh', ['-c', script]);
  expect(printed).toMatch(/^o'neil@example\.com$/m);
  expect(printed).toContain(`--region\n${process.env.AWS_REGION}\n`);
});

test.skipIf(process.platform === 'win32')(
  'If `npm run operate -- keys onboard` is killed while it invites the owner, it has printed the id of the new business',
  async () => {
    const folder = temporaryFolder('aws');
    writeFileSync(join(folder, 'aws'), '#!/bin/sh\nkill -KILL $PPID\n', { mode: 0o755 });
    const business = ['--name', 'Salon', '--time-zone', 'Europe/Riga', '--currency', 'EUR'];
    const args = ['onboard', '--stage', 'dev', ...business, '--email', 'owner@example.com', '--user-pool', 'p'];
    const { code, stderr } = await command('bin/operate/keys.ts', args, { env: { PATH: `${folder}:/bin` } }).ended;
    expect(code).toBe(null);
    const [, id = ''] = /^Created business (\d+)\./.exec(stderr) ?? [];
    expect(await getItem('records', records.business(Number(id)))).toMatchObject({ name: 'Salon' });
  },
);

test.each([
  ['create --name x --scopes slots:read', '--business must be an id'],
  ['create --business 1 --name x --scopes slots:read', 'There is no business yet'],
  ['onboard --name x --time-zone UTC --currency eur', 'currency: must be'],
  ['onboard --name x', 'timeZone: is required'],
  ['revoke --business 1 --id 1', 'There is no such resource'],
  ['invite --business 1 --email x@example.com --user-pool p', 'There is no business yet'],
  ['invite --business 1 --email x@example.com', 'Give --email and --user-pool'],
  ['invite --business 1 --email x@example.com,Name=custom:businessId,Value=2 --user-pool p', 'is not an email address'],
  ['destroy', "There is no command 'destroy'"],
])(
  '`npm run operate -- keys %s` ends with exit code 2 and a one-sentence error that contains “%s”',
  async (line, sentence) => {
    const { code, stderr } = await keys(...line.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  },
);

test('If `npm run operate -- keys` cannot find the tables of a stage, a one-sentence error names the settings to check', async () => {
  const nowhere = { TABLE_KEYS: '', TABLE_RECORDS: '', PATH: '/nowhere' };
  const args = ['list', '--business', '1', '--stage', 'dev'];
  const { code, stderr } = await command('bin/operate/keys.ts', args, { env: nowhere }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The tables of the stage are unknown, .*are AWS_REGION and AWS_PROFILE set\?$/m);
  expect(stderr).not.toMatch(/^\s+at /m);
});

/** How keys are created, changed, regenerated and revoked (docs/rules.md#api-keys). */
import { expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { scopeSets } from '../../../contract/scopes.ts';
import { getBusiness } from '../../../core/catalog/read.ts';
import { dayMs, hourMs, setRuntime } from '../../../core/clock.ts';
import type { ActiveKeys } from '../../../core/keys/active-keys.ts';
import { isLive } from '../../../core/keys/api-key.ts';
import { checkKey } from '../../../core/keys/check-key.ts';
import { createApiKey, type NewApiKey } from '../../../core/keys/create-key.ts';
import { getApiKeyUse } from '../../../core/keys/key-use.ts';
import { parseKeyValue } from '../../../core/keys/key-value.ts';
import { getApiKey, listApiKeys } from '../../../core/keys/read-keys.ts';
import { regenerateApiKey } from '../../../core/keys/regenerate-key.ts';
import { revokeApiKey } from '../../../core/keys/revoke-key.ts';
import { updateApiKey } from '../../../core/keys/update-key.ts';
import { windowsAt } from '../../../core/limits/windows.ts';
import { inSandbox } from '../../../core/mode.ts';
import type { Principal } from '../../../core/principal.ts';
import { getItem } from '../../../core/store/read.ts';
import { transact } from '../../../core/store/transact.ts';
import { REMOVE, set } from '../../../core/store/write.ts';
import { keys, records } from '../../../core/table-keys.ts';
import { at, ownerOf } from '../../support/account.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { call } from '../../support/http.ts';
import { type Interference, interfering, withoutConditions } from '../../support/interfere.ts';
import { atOnce } from '../../support/outcomes.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { type Call, scripted } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const passed = (ms: number) => setRuntime({ now: () => testNow + ms });
const later = (ms: number) => new Date(testNow + ms).toISOString();

const hashOf = (value: string) => parseKeyValue(value)?.hash ?? '';
const check = (value: string) => checkKey(hashOf(value));
const accepted = { outcome: 'accepted' };

/** A clock that is set back may repeat the id of an earlier business. */
let lastBusiness = 900_000;

function business() {
  const owner = ownerPrincipal(++lastBusiness);
  const create = (more: Partial<NewApiKey> = {}) =>
    createApiKey(owner, { name: 'Site', ...(more.scopes ? {} : { scopeSet: 'full_crm' }), ...more });
  /** Creates keys up to the limit (5 in this test), of which `others` already exist. */
  const fill = async (others: number) => {
    limitsDuringTest({ activeKeysPerBusiness: 5 });
    for (let i = others; i < limits.activeKeysPerBusiness; i++) await create();
  };
  return { owner, create, fill };
}
async function issued(more?: Partial<NewApiKey>) {
  const one = business();
  return { ...one, ...(await one.create(more)) };
}
const full = { code: 'api_key_limit_reached' };

async function stored(id: number) {
  const items = await fixture.items('records', {
    FilterExpression: 'begins_with(sk, :key) AND id = :id',
    ExpressionAttributeValues: { ':key': 'KEY#', ':id': id },
  });
  return items[0] as never;
}

test('A new API key works at once, and only the response that created it shows its value', async () => {
  const { owner, create, ...created } = await issued({ scopeSet: 'display_only', allowedOrigins: ['example.com'] });
  expect(created.key).toMatch(/^bk_live_[0-9A-Za-z]{36}$/);
  expect(await check(created.key)).toMatchObject({
    outcome: 'accepted',
    principal: { tenantId: owner.tenantId, actor: { kind: 'key', id: created.id, scopes: scopeSets.display_only } },
    origins: ['example.com'],
  });
  const listed = JSON.stringify([await listApiKeys(owner, {}), await getApiKey(owner, created)]);
  expect(listed).not.toContain(created.key);
  expect(listed).not.toContain(hashOf(created.key));
  expect(listed).toContain(created.prefix);
  expect(await create()).toMatchObject({ allowedOrigins: [], expiresAt: null, test: false });
});

test('Of the value of a new or regenerated API key, only a hash is stored', async () => {
  const created = await issued();
  const regenerated = await regenerateApiKey(created.owner, created);
  const items = JSON.stringify([await fixture.items('keys'), await fixture.items('records')]);
  expect(items).toContain(hashOf(regenerated.key));
  for (const { key } of [created, regenerated]) expect(items).not.toContain(key);
});

test('A request for the first test key of a business also creates its sandbox, unless the request is refused', async () => {
  const { tenantId } = await fixture.tenant();
  const sandbox = ownerPrincipal(inSandbox(tenantId));
  const expired = createApiKey(sandbox, { name: 'Site', scopeSet: 'full_crm', expiresAt: later(0) });
  await expect(expired).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(getBusiness(sandbox)).rejects.toMatchObject({ code: 'not_found' });
  const { key, agents } = await createApiKey(sandbox, { name: 'Site', scopeSet: 'full_crm' });
  expect(key).toMatch(/^bk_test_/);
  expect(agents).toBe(true);
  expect(await check(key)).toMatchObject({ outcome: 'accepted', principal: { tenantId: sandbox.tenantId } });
  expect(await getBusiness(sandbox)).toMatchObject({ mode: 'test' });
});

test('An API key counts as expired from the exact moment of its expiry', async () => {
  const { owner, create, id, key } = await issued({ expiresAt: later(60_000) });
  const entry = { FilterExpression: 'keyId = :id', ExpressionAttributeValues: { ':id': id } };
  expect(await fixture.items('records', entry)).toMatchObject([{ expiresAtSeconds: (testNow + 60_000) / 1_000 }]);
  passed(59_999);
  expect((await getApiKey(owner, { id })).status).toBe('active');
  expect(await check(key)).toMatchObject(accepted);
  passed(60_000);
  expect((await getApiKey(owner, { id })).status).toBe('expired');
  expect(await check(key)).toMatchObject({ outcome: 'expired' });
  await expect(regenerateApiKey(owner, { id })).rejects.toMatchObject({ code: 'invalid_state' });
  await expect(create({ expiresAt: later(60_000) })).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'expiresAt', message: 'must be in the future' }] },
  });
});

test('An API key has one notice 14 days before its expiry, another 3 days before, and none after it expires or is revoked', async () => {
  const { owner, id } = await issued({ expiresAt: later(20 * dayMs) });
  for (const [daysLeft, notice] of [
    [15, null],
    [14, 'key.expires_in_14_days'],
    [4, 'key.expires_in_14_days'],
    [3, 'key.expires_in_3_days'],
    [0, null],
  ] as const) {
    passed((20 - daysLeft) * dayMs);
    expect(await getApiKey(owner, { id }), `${daysLeft} days`).toMatchObject({ notice });
  }
  passed(18 * dayMs);
  expect(await revokeApiKey(owner, { id })).toMatchObject({ notice: null });
});

test('A change of an API key takes effect with the next request, and keeps the usage and all other fields', async () => {
  const { owner, create } = business();
  const { id, key, ...before } = await create({ contactEmail: 'it@example.com' });
  await check(key);
  const narrowed = { scopes: ['slots:read' as const], allowedOrigins: ['example.com'] };
  const used = { requestsToday: 1, lastUsedAt: expect.any(String) };
  expect(await updateApiKey(owner, { id }, narrowed)).toMatchObject({ ...before, ...narrowed, ...used });
  expect(await check(key)).toMatchObject({
    outcome: 'accepted',
    principal: { actor: { scopes: ['slots:read'] } },
    origins: ['example.com'],
    usage: { remaining: 58 },
  });
  const changes = { name: 'Shop', contactEmail: null, allowedOrigins: [] };
  expect(await updateApiKey(owner, { id }, changes)).toMatchObject({ ...changes, scopes: ['slots:read'] });
});

test('At the new expiry of an API key, its requests are refused and its webhooks stop, unless an owner removed the expiry', async () => {
  const { owner, id, key } = await issued();
  const expiresAt = later(60_000);
  expect(await updateApiKey(owner, { id }, { expiresAt })).toMatchObject({ expiresAt, status: 'active' });
  passed(60_000);
  expect(await check(key)).toMatchObject({ outcome: 'expired' });
  expect(isLive(await stored(id), testNow + 60_000)).toBe(false);
  await expect(updateApiKey(owner, { id }, { expiresAt: null })).rejects.toMatchObject({ code: 'invalid_state' });
  passed(0);
  expect(await updateApiKey(owner, { id }, { expiresAt: null })).toMatchObject({ expiresAt: null });
  const past = updateApiKey(owner, { id }, { expiresAt: later(0) });
  await expect(past).rejects.toMatchObject({ code: 'validation_failed' });
  passed(60_000);
  expect(await check(key)).toMatchObject(accepted);
});

const site = { name: 'x', scopeSet: 'full_crm' };

const creations = [
  ['without scopes', { name: 'x' }, 'scopes'],
  ['with scopes and a set of scopes', { ...site, scopes: ['slots:read'] }, 'scopes'],
  ['with an empty list of scopes', { name: 'x', scopes: [] }, 'scopes'],
  ['with a path in an allowed origin', { ...site, allowedOrigins: ['a.com', 'b.com/x'] }, 'allowedOrigins.1'],
  ['with one scope twice', { name: 'x', scopes: ['slots:read', 'slots:read'] }, 'scopes'],
] as const;
const changes = [
  ['change an API key without a field to change', {}, ''],
  ['remove all scopes of an API key', { scopes: [] }, 'scopes'],
  ['change an API key to scopes and a set of scopes', { scopes: ['slots:read'], scopeSet: 'full_crm' }, 'scopes'],
] as const;

test.each([
  ...creations.map(([how, ...rest]) => [`create an API key ${how}`, 'createApiKey', ...rest] as const),
  ...changes.map(([what, ...rest]) => [what, 'updateApiKey', ...rest] as const),
  ...[-1, 25, 1.5, '1'].map((overlapHours) => {
    const label = `regenerate an API key with an overlap of ${JSON.stringify(overlapHours)} hours`;
    return [label, 'regenerateApiKey', { overlapHours }, 'overlapHours'] as const;
  }),
])('An invalid creation, change or regeneration of an API key gets 400 (%s)', async (_, operation, body, path) => {
  const { status, json } = await ownerOf(1)(operation, { ...(operation !== 'createApiKey' && at(1)), body });
  expect([status, json.details]).toEqual([400, expect.arrayContaining([expect.objectContaining({ path })])]);
});

test('The usage of an API key is listed for the last 30 days and survives a regeneration', async () => {
  const { owner, id, key } = await issued();
  let value = key;
  for (const [daysAgo, requests] of [
    [31, 1],
    [29, 2],
    [3, 4],
    [0, 3],
  ] as const) {
    passed(-daysAgo * dayMs);
    for (let i = 0; i < requests; i++) await check(value);
    if (daysAgo === 3) value = (await regenerateApiKey(owner, { id })).key;
  }
  const { data } = await getApiKeyUse(owner, { id });
  expect(data).toHaveLength(30);
  expect(data.at(-1)).toEqual({ date: '2026-12-01', requests: 3 });
  expect(data.slice(0, -1).filter(({ requests }) => requests > 0)).toEqual([
    { date: '2026-11-02', requests: 2 },
    { date: '2026-11-28', requests: 4 },
  ]);
});

test('The last use of an API key is shown as the latest minute with a request', async () => {
  const { owner, id, key } = await issued();
  for (const minute of [2, 1, 3]) {
    passed(minute * 60_000);
    await check(key);
  }
  const lastUsedAt = later(3 * 60_000);
  expect((await listApiKeys(owner, {})).data).toMatchObject([{ id, lastUsedAt, requestsToday: 3 }]);
});

test('Regenerating an API key makes the old value invalid at once and keeps id, scopes, origins and usage', async () => {
  const { owner, create } = business();
  const { id, key, ...rest } = await create();
  for (let n = 0; n < 5; n++) await check(key);
  const regenerated = await regenerateApiKey(owner, { id });
  expect(await check(key)).toEqual({ outcome: 'unknown' });
  expect(regenerated).toMatchObject({
    ...rest,
    id,
    prefix: regenerated.key.slice(0, 12),
    requestsToday: 5,
    lastUsedAt: expect.any(String),
  });
  expect(await check(regenerated.key)).toMatchObject({ outcome: 'accepted', usage: { remaining: 54 } });
  expect(await getApiKey(owner, { id })).toMatchObject({ requestsToday: 6, previous: null });
});

const whenKeyIsRead = ({ operation, input }: Call) => operation === 'GetItem' && input.TableName === 'test-keys';

test.each<Parameters<typeof updateApiKey>[2]>([
  { name: 'Shop' },
  { scopeSet: 'display_only' },
  { allowedOrigins: ['example.com'] },
  { agents: true },
  { contactEmail: 'shop@example.com' },
  { expiresAt: null },
])(
  'If an API key is changed while it is regenerated, the response shows the change, and the old value is valid for the whole overlap (change: %j)',
  async (change) => {
    const { owner, id, key } = await issued({ expiresAt: later(3 * hourMs) });
    const before = () => updateApiKey(owner, { id }, change);
    const regenerate = () => regenerateApiKey(owner, { id }, { overlapHours: 'expiresAt' in change ? 4 : 2 });
    const { key: _, ...response } = await scripted([{ when: whenKeyIsRead, nth: 1, before }], regenerate);
    expect(response).toEqual(await getApiKey(owner, { id }));
    passed(Date.parse(response.previous?.worksUntil ?? '') - testNow - 1);
    expect(await check(key)).toMatchObject(accepted);
  },
);

test("If an API key's scopes change while it is regenerated, the new value has the scopes that the response shows", async () => {
  const { owner, id } = await issued({ scopeSet: 'full_crm' });
  const become = (scopeSet: 'display_only' | 'full_crm') => () => updateApiKey(owner, { id }, { scopeSet });
  const rows = [
    { when: whenKeyIsRead, nth: 1, before: become('display_only') },
    // The first transaction is that of the change above.
    { when: 'TransactWriteItems', nth: 2, before: become('full_crm') },
  ] as const;
  const { key, scopes } = await scripted(rows, () => regenerateApiKey(owner, { id }));
  expect(scopes).toEqual(scopeSets.full_crm);
  expect(await check(key)).toMatchObject({ principal: { actor: { scopes } } });
});

test('Of several concurrent regenerations of one API key, exactly one new value works', async () => {
  const { owner, id, key } = await issued();
  const { won } = await atOnce(8, () => regenerateApiKey(owner, { id }));
  const checked = await Promise.all([key, ...won.map((one) => one.key)].map(check));
  expect(checked.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
  const items = await fixture.items('keys', { FilterExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } });
  expect(items).toHaveLength(1);
});

test.each([0, 24])(
  'After two concurrent regenerations, only the newest value of an API key works (the first keeps the old for %i hours)',
  async (overlapHours) => {
    const { owner, id, key } = await issued();
    let between = '';
    const before = async () => {
      between = (await regenerateApiKey(owner, { id }, { overlapHours })).key;
    };
    const rows = [{ when: whenKeyIsRead, nth: 1, before }];
    const { key: last } = await scripted(rows, () => regenerateApiKey(owner, { id }));
    const checked = await Promise.all([key, between, last].map(check));
    expect(checked.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'accepted']);
    passed(overlapHours * hourMs);
    expect(await check(last)).toMatchObject(accepted);
  },
);

/** The outcomes of 500 requests that begin after a value of a key was taken away. Earlier, 500 others began. */
async function outcomesAfter(takeAway: typeof revokeApiKey | typeof regenerateApiKey, checked = check) {
  const { owner, id, key } = await issued();
  let responded = false;
  const late: string[] = [];
  const request = async (): Promise<void> => {
    const startedAfter = responded;
    const { outcome } = await checked(key);
    if (startedAfter) late.push(outcome);
  };
  const running = Array.from({ length: 500 }, request);
  await takeAway(owner, { id });
  responded = true;
  running.push(...Array.from({ length: 500 }, request));
  await Promise.all(running);
  expect(late).toHaveLength(500);
  return new Set(late);
}

test.each([
  ['revoked', 'revoked', revokeApiKey],
  ['replaced', 'unknown', regenerateApiKey],
])(
  'After an API key is revoked or its value is replaced, all of 500 later requests with the value are refused (%s)',
  async (_, expected, takeAway) => {
    // A container that found the limit used up refuses further requests without reading the table.
    for (const outcome of await outcomesAfter(takeAway)) expect([expected, 'minute_exhausted']).toContain(outcome);
  },
);

test('Negative control: if the check of an API key is cached, a revoked API key is still accepted', async () => {
  const cached = new Map<string, ReturnType<typeof check>>();
  const caching = (value: string) => {
    const checked = cached.get(value) ?? check(value);
    cached.set(value, checked);
    return checked;
  };
  expect(await outcomesAfter(revokeApiKey, caching)).toContain('accepted');
});

test('A revoked API key is refused, and its webhooks get no deliveries', async () => {
  const { owner, id, key } = await issued();
  expect(isLive(await stored(id), testNow)).toBe(true);
  const first = await revokeApiKey(owner, { id });
  expect(first.status).toBe('revoked');
  expect(await revokeApiKey(owner, { id })).toEqual(first);
  expect(await check(key)).toMatchObject({ outcome: 'revoked' });
  expect(isLive(await stored(id), testNow)).toBe(false);
  await expect(regenerateApiKey(owner, { id })).rejects.toMatchObject({ code: 'invalid_state' });
});

test('If an API key is revoked after it has used up its daily limit, its requests get the error for revoked keys within a minute', async () => {
  const { owner, id, key } = await issued();
  const { dayName } = windowsAt(testNow);
  await transact([set('keys', keys.apiKey(hashOf(key)), { [dayName]: limits.requests.key.perDay })]);
  expect(await check(key)).toMatchObject({ outcome: 'day_exhausted' });
  await revokeApiKey(owner, { id });
  passed(59_999);
  expect(await check(key)).toMatchObject({ outcome: 'day_exhausted' });
  passed(60_000);
  expect(await check(key)).toMatchObject({ outcome: 'revoked' });
});

test.each([
  ['90 days after its last request', { used: 5, revoked: 20, gone: 95 }],
  ['90 days after its creation if it was never used', { used: undefined, revoked: 20, gone: 90 }],
  ['a day after it was revoked if its last request is older than 90 days', { used: 5, revoked: 200, gone: 201 }],
])('A revoked API key is listed until %s, even if it is revoked again', async (_, { used, revoked, gone }) => {
  const { owner, id, key } = await issued();
  if (used !== undefined) {
    passed(used * dayMs);
    expect(await check(key)).toMatchObject(accepted);
  }
  passed(revoked * dayMs);
  await revokeApiKey(owner, { id });
  passed(gone * dayMs - 1_000);
  await revokeApiKey(owner, { id });
  expect((await listApiKeys(owner, {})).data).toMatchObject([{ id, status: 'revoked' }]);
  passed(gone * dayMs);
  expect((await listApiKeys(owner, {})).total).toBe(0);
  await expect(getApiKey(owner, { id })).rejects.toMatchObject({ code: 'not_found' });
  expect(await check(key)).toMatchObject({ outcome: 'revoked' });
});

test('An API key with an expiry is deleted 90 days after its current expiry, even if the key was regenerated', async () => {
  const { owner, create, id } = await issued({ expiresAt: later(dayMs) });
  const endless = await create({ expiresAt: later(dayMs) });
  await updateApiKey(owner, endless, { expiresAt: null });
  await updateApiKey(owner, { id }, { expiresAt: later(2 * dayMs) });
  const { key } = await regenerateApiKey(owner, { id }, { overlapHours: 1 });
  const deleted = { expiresAtSeconds: (testNow + 92 * dayMs) / 1_000 };
  expect(await stored(id)).toMatchObject(deleted);
  expect(await getItem('keys', keys.apiKey(hashOf(key)))).toMatchObject(deleted);
  expect(await getItem('keys', keys.apiKey(hashOf(endless.key)))).not.toHaveProperty('expiresAtSeconds');
  passed(92 * dayMs - 1_000);
  expect((await listApiKeys(owner, {})).data).toMatchObject([{ id, status: 'expired' }, { id: endless.id }]);
  passed(92 * dayMs);
  expect((await listApiKeys(owner, {})).data).toMatchObject([{ id: endless.id, status: 'active' }]);
  await expect(getApiKey(owner, { id })).rejects.toMatchObject({ code: 'not_found' });
});

test('An API key counts towards the limit of active keys until its current expiry, even if the expiry was changed before', async () => {
  const { owner, create, fill } = business();
  const [first, second] = [await create({ expiresAt: later(1_000) }), await create()];
  await fill(2);
  await updateApiKey(owner, first, { name: 'Shop' });
  await updateApiKey(owner, second, { expiresAt: later(2_000) });
  passed(999);
  await expect(create()).rejects.toMatchObject(full);
  passed(1_000);
  await updateApiKey(owner, second, { expiresAt: later(2_000) });
  const stored = await getItem<ActiveKeys>('records', records.activeKeys(owner.tenantId));
  expect(stored?.active).toEqual(expect.not.objectContaining({ [first.id]: expect.anything() }));
  await create();
  await expect(create()).rejects.toMatchObject(full);
  passed(2_000);
  await create();
  await expect(create()).rejects.toMatchObject(full);
});

test('Revoking an API key makes room for another one within the limit of active keys, and regenerating a key does not', async () => {
  const { owner, create, fill } = business();
  const key = await create();
  await fill(1);
  await regenerateApiKey(owner, key);
  await expect(create()).rejects.toMatchObject(full);
  for (const _again of [1, 2]) await revokeApiKey(owner, key);
  await create();
  await expect(create()).rejects.toMatchObject(full);
});

test('A revoked API key no longer counts towards the limit of active keys, even if its expiry is changed concurrently', async () => {
  const { owner, create, fill } = business();
  const key = await create();
  await fill(1);
  const { sk } = records.key(owner.tenantId, key.id);
  const when = ({ input }: Call) => input.Key?.sk === sk;
  const after = () => revokeApiKey(owner, key);
  const change = () => updateApiKey(owner, key, { expiresAt: later(60_000) });
  const refusal = { code: 'invalid_state', message: 'An API key with the status revoked cannot be changed.' };
  await expect(scripted([{ when, nth: 1, after }], change)).rejects.toMatchObject(refusal);
  await create();
  await expect(create()).rejects.toMatchObject(full);
});

test('At the limit of active API keys, no expired key can be made active again, even if the clocks of two machines differ', async () => {
  const { owner, create, fill } = business();
  const key = await create({ expiresAt: later(1_000) });
  await fill(1);
  passed(1_000);
  const last = await create();
  passed(999);
  await expect(updateApiKey(owner, key, { expiresAt: null })).rejects.toMatchObject({ code: 'invalid_state' });
  await revokeApiKey(owner, last);
  expect(await updateApiKey(owner, key, { expiresAt: null })).toMatchObject({ status: 'active' });
  await expect(create()).rejects.toMatchObject(full);
});

const untilMidnightMs = dayMs - (testNow % dayMs);

/** A business that has created its limit of keys today (10 in this test), on machines with these clocks. */
const today = async (clocks: readonly number[] = [0]) => {
  limitsDuringTest({ newKeysPerDay: 10 });
  const { owner, create } = business();
  for (let i = 0; i < limits.newKeysPerDay; i++) {
    passed(clocks[i % clocks.length] ?? 0);
    await revokeApiKey(owner, await create());
  }
  return { owner, create };
};

test('A business can create only a limited number of API keys a day (UTC), even if it revokes them', async () => {
  const { create } = await today();
  await expect(create()).rejects.toMatchObject({
    ...full,
    message: expect.stringContaining(`${limits.newKeysPerDay} API keys today`),
    extras: { retryAfter: untilMidnightMs / 1_000 },
  });
  passed(untilMidnightMs);
  expect((await create()).status).toBe('active');
});

test('The limit of new API keys a day is never exceeded at midnight, when the clocks of two machines show different days', async () => {
  const clocks = [untilMidnightMs, untilMidnightMs - 1];
  const { create } = await today(clocks);
  for (const clock of clocks) {
    passed(clock);
    await expect(create()).rejects.toMatchObject(full);
  }
});

test('Negative control: if the daily count of new API keys is lost, a business creates more of them than its daily limit', async () => {
  const { owner, create } = await today();
  await transact([set('records', records.activeKeys(owner.tenantId), { created: REMOVE })]);
  expect((await create()).status).toBe('active');
});

async function regenerated(overlapHours: number) {
  const { owner, id, key: old } = await issued({ scopeSet: 'display_only' });
  const { key } = await regenerateApiKey(owner, { id }, { overlapHours });
  return { owner, id, old, key, shown: async () => (await getApiKey(owner, { id })).previous };
}

/** How many of sixty concurrent requests with each value are accepted. */
const acceptedOf = async (old: string, key: string) => {
  const checks = await Promise.all(Array.from({ length: 120 }, (_, i) => check(i % 2 ? old : key)));
  return checks.filter(({ outcome }) => outcome === 'accepted').length;
};

test('The old value of a regenerated API key works exactly until the end of the overlap that the API shows', async () => {
  const { old, key, shown } = await regenerated(2);
  expect(await check(old)).toMatchObject({ outcome: 'accepted', worksUntil: testNow + 2 * hourMs });
  expect(await check(key)).not.toHaveProperty('worksUntil');
  const stored = await getItem('keys', keys.apiKey(hashOf(old)));
  expect(stored).toMatchObject({ expiresAtSeconds: (testNow + 2 * hourMs) / 1_000 });
  expect(await shown()).toEqual({ worksUntil: later(2 * hourMs), requests: 1, lastUsedAt: expect.any(String) });
  passed(2 * hourMs);
  expect(await check(old)).toEqual({ outcome: 'unknown' });
  expect(await check(key)).toMatchObject(accepted);
  expect(await shown()).toBeNull();
});

test('Only responses to the old value of a regenerated API key have a header with the time when this value stops working', async () => {
  const { old, key } = await regenerated(1);
  const { handler } = await import('../../../functions/api/list-services.ts');
  const ask = async (value: string) => (await call(handler, { headers: { 'x-api-key': value } })).headers;
  expect(await ask(old)).toMatchObject({ 'x-api-key-works-until': later(hourMs) });
  expect(await ask(key)).not.toHaveProperty('x-api-key-works-until');
  const usedUp = { [windowsAt(testNow).minuteName]: limits.requests.key.perMinute };
  await transact([set('keys', keys.apiKey(hashOf(old)), usedUp)]);
  expect(await ask(old)).toMatchObject({ 'retry-after': expect.any(String), 'x-api-key-works-until': later(hourMs) });
});

test('Concurrent requests with the old and the new value of an API key share one limit of 60 requests a minute', async () => {
  const { old, key } = await regenerated(24);
  expect(await acceptedOf(old, key)).toBe(limits.requests.key.perMinute);
});

test('Negative control: if the old value of an API key is counted separately, more than 60 requests a minute are accepted', async () => {
  const { old, key } = await regenerated(24);
  await transact([set('keys', keys.apiKey(hashOf(old)), { replacedBy: REMOVE })]);
  expect(await acceptedOf(old, key)).toBeGreaterThan(60);
});

test('The old value of a regenerated API key stops working when the key is revoked or reaches its current expiry', async () => {
  const { owner, id, old, shown } = await regenerated(24);
  await updateApiKey(owner, { id }, { expiresAt: later(hourMs) });
  expect(await shown()).toMatchObject({ worksUntil: later(hourMs) });
  expect(await check(old)).toMatchObject({ worksUntil: testNow + hourMs });
  await updateApiKey(owner, { id }, { expiresAt: null });
  expect(await check(old)).toMatchObject({ worksUntil: testNow + 24 * hourMs });
  await revokeApiKey(owner, { id });
  expect(await shown()).toBeNull();
});

test('If an API key is regenerated twice during an overlap, its oldest value is refused at once', async () => {
  const { owner, id, old, key } = await regenerated(24);
  await regenerateApiKey(owner, { id }, { overlapHours: 1 });
  expect(await check(old)).toEqual({ outcome: 'unknown' });
  expect(await check(key)).toMatchObject({ outcome: 'accepted', worksUntil: testNow + hourMs });
});

test('A request just after midnight UTC is counted even if a regeneration of its API key began before midnight and ends later', async () => {
  passed(untilMidnightMs - 1);
  const { owner, id, key } = await issued();
  const first = async () => {
    passed(untilMidnightMs);
    expect(await check(key)).toMatchObject(accepted);
    passed(untilMidnightMs - 1);
  };
  await interfering({ when: () => true, first }, () => regenerateApiKey(owner, { id }));
  passed(untilMidnightMs);
  expect(await getApiKey(owner, { id })).toMatchObject({ requestsToday: 1 });
});

type Change = (owner: Principal, key: { readonly id: number }) => Promise<unknown>;

/** Checks the old and the new value of a key that is regenerated just before the commit of another change. */
async function valuesAfter(change: Change, overlapHours: number, instead?: Interference['instead']) {
  const { owner, id, key: old } = await issued({ scopeSet: 'display_only' });
  let fresh = '';
  const first = async () => {
    fresh = (await regenerateApiKey(owner, { id }, { overlapHours })).key;
  };
  await interfering({ when: () => true, first, instead }, () => change(owner, { id }));
  return { old: await check(old), fresh: await check(fresh) };
}

const revoked = { outcome: 'revoked' };

test.each([
  [0, { outcome: 'unknown' }],
  [24, revoked],
])(
  'If an API key is revoked while it is regenerated, all its values are refused (overlap of %i hours)',
  async (overlapHours, old) => {
    expect(await valuesAfter(revokeApiKey, overlapHours)).toMatchObject({ old, fresh: revoked });
  },
);

test('Negative control: if a revocation reads the API key only before its write, the value from a concurrent regeneration works', async () => {
  expect((await valuesAfter(revokeApiKey, 24, withoutConditions)).fresh).toMatchObject(accepted);
});

test('If an API key is changed while it is regenerated, the change applies to its new value and to its old value', async () => {
  const widened = { principal: { actor: { scopes: scopeSets.full_crm } } };
  const change: Change = (owner, key) => updateApiKey(owner, key, { scopeSet: 'full_crm' });
  expect((await valuesAfter(change, 0)).fresh).toMatchObject(widened);
  expect(await valuesAfter(change, 24)).toMatchObject({ old: widened, fresh: widened });
});

test('The old value of a regenerated API key works no longer than until the expiry of the key', async () => {
  const { owner, id, key: old } = await issued({ expiresAt: later(hourMs) });
  const { previous } = await regenerateApiKey(owner, { id }, { overlapHours: 24 });
  expect(previous).toEqual({ worksUntil: later(hourMs), requests: 0, lastUsedAt: null });
  expect(await check(old)).toMatchObject({ worksUntil: testNow + hourMs });
});

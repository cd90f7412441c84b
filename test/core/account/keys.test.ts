import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { scopeSets } from '../../../contract/scopes.ts';
import { setRuntime } from '../../../core/clock.ts';
import { isLive } from '../../../core/keys/api-key.ts';
import { checkKey } from '../../../core/keys/check-key.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { getApiKeyUse } from '../../../core/keys/key-use.ts';
import { parseKeyValue } from '../../../core/keys/key-value.ts';
import { getApiKey, listApiKeys } from '../../../core/keys/read-keys.ts';
import { regenerateApiKey } from '../../../core/keys/regenerate-key.ts';
import { revokeApiKey } from '../../../core/keys/revoke-key.ts';
import { updateApiKey } from '../../../core/keys/update-key.ts';
import { transact } from '../../../core/store/transact.ts';
import { REMOVE, set } from '../../../core/store/write.ts';
import { keys, records } from '../../../core/table-keys.ts';
import { at, ownerOf } from '../../support/account.ts';
import { call } from '../../support/http.ts';
import { outcomes } from '../../support/outcomes.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

const check = (value: string) => checkKey(parseKeyValue(value)?.hash ?? '');

async function business() {
  const { tenant } = await fixture.tenant();
  return ownerPrincipal(tenant.business.id);
}

async function stored(id: number) {
  const items = await fixture.items('records', {
    FilterExpression: 'begins_with(sk, :key) AND id = :id',
    ExpressionAttributeValues: { ':key': 'KEY#', ':id': id },
  });
  return items[0] as never;
}

describe('a new API key', () => {
  test('A new API key works at once, and its value is shown only in the response that created the key', async () => {
    const owner = await business();
    const created = await createApiKey(owner, {
      name: 'Site',
      scopeSet: 'display_only',
      allowedOrigins: ['example.com'],
    });
    expect(created.key).toMatch(/^bk_live_[0-9A-Za-z]{36}$/);
    expect(await check(created.key)).toMatchObject({
      outcome: 'accepted',
      principal: { tenantId: owner.tenantId, actor: { kind: 'key', id: created.id, scopes: scopeSets.display_only } },
      origins: ['example.com'],
    });
    const listed = JSON.stringify([await listApiKeys(owner, {}), await getApiKey(owner, created)]);
    expect(listed).not.toContain(created.key);
    expect(listed).not.toContain(parseKeyValue(created.key)?.hash);
    expect(listed).toContain(created.prefix);
  });

  test('An API key counts as expired from the exact moment of its expiry', async () => {
    const owner = await business();
    const expiresAt = new Date(testNow + 60_000).toISOString();
    const { id } = await createApiKey(owner, { name: 'Site', scopes: ['slots:read'], expiresAt });
    expect((await getApiKey(owner, { id })).status).toBe('active');
    setRuntime({ now: () => testNow + 60_000 });
    expect((await getApiKey(owner, { id })).status).toBe('expired');
    await expect(regenerateApiKey(owner, { id })).rejects.toMatchObject({ code: 'invalid_state' });
    setRuntime({ now: () => testNow });
    await expect(
      createApiKey(owner, { name: 'x', scopes: ['slots:read'], expiresAt: new Date(testNow).toISOString() }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('a change of an API key', () => {
  const full = { name: 'Site', scopeSet: 'full_crm' as const };

  test('A change of an API key applies from the next request on and keeps the usage and all other fields', async () => {
    const owner = await business();
    const { id, key, ...before } = await createApiKey(owner, full);
    await check(key);
    const changed = await updateApiKey(owner, { id }, { scopes: ['slots:read'], allowedOrigins: ['example.com'] });
    expect(changed).toMatchObject({
      ...before,
      scopes: ['slots:read'],
      allowedOrigins: ['example.com'],
      requestsToday: 1,
      lastUsedAt: expect.any(String),
    });
    expect(await check(key)).toMatchObject({
      outcome: 'accepted',
      principal: { actor: { scopes: ['slots:read'] } },
      origins: ['example.com'],
      usage: { remaining: 58 },
    });
    expect(await updateApiKey(owner, { id }, { name: 'Shop', allowedOrigins: [] })).toMatchObject({
      name: 'Shop',
      scopes: ['slots:read'],
      allowedOrigins: [],
    });
  });

  test('A changed expiry of an API key applies to requests, webhooks and the key limit, and can be changed back before it', async () => {
    const owner = await business();
    const { id, key } = await createApiKey(owner, full);
    const expiresAt = new Date(testNow + 60_000).toISOString();
    expect(await updateApiKey(owner, { id }, { expiresAt })).toMatchObject({ expiresAt, status: 'active' });
    setRuntime({ now: () => testNow + 60_000 });
    expect(await check(key)).toMatchObject({ outcome: 'expired' });
    expect(isLive(await stored(id), testNow + 60_000)).toBe(false);
    await expect(updateApiKey(owner, { id }, { expiresAt: null })).rejects.toMatchObject({ code: 'invalid_state' });
    setRuntime({ now: () => testNow });
    expect(await updateApiKey(owner, { id }, { expiresAt: null })).toMatchObject({ expiresAt: null });
    setRuntime({ now: () => testNow + 60_000 });
    expect(await check(key)).toMatchObject({ outcome: 'accepted' });
    setRuntime({ now: () => testNow });
    const past = new Date(testNow).toISOString();
    await expect(updateApiKey(owner, { id }, { expiresAt: past })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test.each([
    [{}, ''],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['slots:read'], scopeSet: 'full_crm' }, 'scopes'],
    [{ expiresAt: '2027-01-01' }, 'expiresAt'],
    [{ allowedOrigins: ['*.com'] }, 'allowedOrigins.0'],
    [{ test: true }, 'test'],
  ])('The change %j of an API key is refused with an error at the field %j', async (body, path) => {
    const answer = await ownerOf(1)('updateApiKey', { ...at(1), body });
    expect(answer.status).toBe(400);
    expect(answer.json.details).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
  });
});

test('The usage of an API key is listed for the last 30 days and survives a regeneration', async () => {
  const owner = await business();
  const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'full_crm' });
  const dayMs = 86_400_000;
  let value = key;
  for (const [daysAgo, requests] of [
    [31, 1],
    [29, 2],
    [3, 4],
    [0, 3],
  ] as const) {
    setRuntime({ now: () => testNow - daysAgo * dayMs });
    for (let i = 0; i < requests; i++) await check(value);
    if (daysAgo === 3) value = (await regenerateApiKey(owner, { id })).key;
  }
  const { data } = await getApiKeyUse(owner, { id });
  expect(data).toHaveLength(30);
  const used = data.filter(({ requests }) => requests > 0);
  expect(used).toEqual([
    { date: '2026-11-02', requests: 2 },
    { date: '2026-11-28', requests: 4 },
    { date: '2026-12-01', requests: 3 },
  ]);
  expect(data.at(-1)).toEqual(used.at(-1));
});

describe('the regeneration of an API key', () => {
  test('Regenerating an API key makes the old value invalid at once and keeps id, scopes, origins and usage', async () => {
    const owner = await business();
    const { id, key, ...rest } = await createApiKey(owner, { name: 'Site', scopeSet: 'full_crm' });
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
    expect((await getApiKey(owner, { id })).requestsToday).toBe(6);
  });

  test('Of several concurrent regenerations of one API key, exactly one new value works', async () => {
    const owner = await business();
    const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'full_crm' });
    const { won } = await outcomes(Array.from({ length: 8 }, () => regenerateApiKey(owner, { id })));
    const checked = await Promise.all([key, ...won.map((one) => one.key)].map(check));
    expect(checked.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    const items = await fixture.items('keys', {
      FilterExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': id },
    });
    expect(items).toHaveLength(1);
  });
});

describe('1 000 requests while an API key is revoked or regenerated', () => {
  const ways = [
    { way: 'revoked', expected: 'revoked', takeAway: revokeApiKey },
    { way: 'regenerated', expected: 'unknown', takeAway: regenerateApiKey },
  ];
  test.each(ways)(
    'Of 1 000 concurrent requests, none that starts after the response that the API key was $way is accepted',
    async ({ expected, takeAway }) => {
      const owner = await business();
      const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'full_crm' });
      let answered = false;
      const late: string[] = [];
      const request = async (): Promise<void> => {
        const startedAfter = answered;
        const { outcome } = await check(key);
        if (startedAfter) late.push(outcome);
      };
      const running = Array.from({ length: 500 }, request);
      await takeAway(owner, { id });
      answered = true;
      running.push(...Array.from({ length: 500 }, request));
      await Promise.all(running);
      expect(late).toHaveLength(500);
      // A container that saw the limit used up goes on to say so without asking, which refuses as well.
      for (const outcome of late) expect([expected, 'minute_exhausted']).toContain(outcome);
    },
  );
});

describe('the revocation of an API key', () => {
  test('A revoked API key stays revoked for requests and webhooks, and revoking it again gets the same response', async () => {
    const owner = await business();
    const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'full_crm' });
    expect(isLive(await stored(id), testNow)).toBe(true);
    const first = await revokeApiKey(owner, { id });
    expect(first.status).toBe('revoked');
    expect(await revokeApiKey(owner, { id })).toEqual(first);
    expect(await check(key)).toMatchObject({ outcome: 'revoked' });
    expect(isLive(await stored(id), testNow)).toBe(false);
    await expect(regenerateApiKey(owner, { id })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('An API key that is revoked and regenerated at the same time has no value that works', async () => {
    for (let round = 0; round < 10; round++) {
      const owner = await business();
      const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'full_crm' });
      const [regenerated] = await Promise.allSettled([regenerateApiKey(owner, { id }), revokeApiKey(owner, { id })]);
      const values = [key, ...(regenerated.status === 'fulfilled' ? [regenerated.value.key] : [])];
      for (const outcome of await Promise.all(values.map(check))) expect(outcome.outcome).not.toBe('accepted');
    }
  });
});

test.each([
  [{ name: 'x' }, 'scopes'],
  [{ name: 'x', scopes: ['slots:read'], scopeSet: 'full_crm' }, 'scopes'],
  [{ name: 'x', scopes: [] }, 'scopes'],
  [{ name: 'x', scopes: ['everything'] }, 'scopes.0'],
  [{ name: 'x', scopes: ['slots:read', 'slots:read'] }, 'scopes'],
  [{ name: 'x', scopeSet: 'admin' }, 'scopeSet'],
  [{ name: 'x', scopeSet: 'full_crm', allowedOrigins: ['https://a.com/path'] }, 'allowedOrigins.0'],
  [{ name: 'x', scopeSet: 'full_crm', allowedOrigins: ['a.com', 'null'] }, 'allowedOrigins.1'],
  [{ name: 'x', scopeSet: 'full_crm', allowedOrigins: ['a.com', 'https://NULL'] }, 'allowedOrigins.1'],
  [{ name: 'x', scopeSet: 'full_crm', allowedOrigins: ['a.com', '*.com'] }, 'allowedOrigins.1'],
  [{ name: 'x', scopeSet: 'full_crm', allowedOrigins: ['a.com', 'https://*.com:443'] }, 'allowedOrigins.1'],
  [{ name: 'x', scopeSet: 'full_crm', allowedOrigins: ['a.com', '*.com.'] }, 'allowedOrigins.1'],
  [{ name: 'x', scopeSet: 'full_crm', allowedOrigins: ['a.com', '*.'] }, 'allowedOrigins.1'],
  [{ name: 'x', scopeSet: 'full_crm', expiresAt: '2027-01-01T00:00:00' }, 'expiresAt'],
  [{ name: 'x', scopeSet: 'full_crm', expiresAt: '9999-12-31T23:59:59-00:01' }, 'expiresAt'],
  [{ name: 'x', scopeSet: 'full_crm', expiresAt: '+010000-01-01T00:00:00Z' }, 'expiresAt'],
  [{ scopeSet: 'full_crm' }, 'name'],
])('The new API key %j is refused with an error at the field %s', async (body, path) => {
  const answer = await ownerOf(1)('createApiKey', { body });
  expect(answer.status).toBe(400);
  expect(answer.json.details).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
});

describe('the number of API keys that a business creates', () => {
  const full = { name: 'Site', scopeSet: 'full_crm' } as const;

  test('A business can create at most 100 API keys a day (UTC), even if it revokes them', async () => {
    const owner = await business();
    for (let i = 0; i < limits.newKeysPerDay; i++) await revokeApiKey(owner, await createApiKey(owner, full));
    await expect(createApiKey(owner, full)).rejects.toMatchObject({
      code: 'api_key_limit_reached',
      message: expect.stringContaining('100 API keys today'),
      extras: { retryAfter: 86_400 - (testNow % 86_400_000) / 1_000 },
    });
    setRuntime({ now: () => testNow - (testNow % 86_400_000) + 86_400_000 });
    expect((await createApiKey(owner, full)).status).toBe('active');
  });

  test('Negative control: if the daily count of new API keys is lost, a business creates more than 100 a day', async () => {
    const owner = await business();
    for (let i = 0; i < limits.newKeysPerDay; i++) await revokeApiKey(owner, await createApiKey(owner, full));
    await transact([set('records', records.activeKeys(owner.tenantId), { created: REMOVE })]);
    expect((await createApiKey(owner, full)).status).toBe('active');
  });

  test.each([
    ['90 days after its last request', { used: 5, revoked: 20, gone: 95 }],
    ['90 days after it was made when it was never used', { used: undefined, revoked: 20, gone: 90 }],
    ['a day after it was revoked when it was used long ago', { used: 5, revoked: 200, gone: 201 }],
  ])('A revoked API key is no longer listed %s, even if it is revoked again', async (_, { used, revoked, gone }) => {
    const day = 86_400_000;
    const passed = (ms: number) => setRuntime({ now: () => testNow + ms });
    passed(0);
    const owner = await business();
    const { id, key } = await createApiKey(owner, full);
    if (used !== undefined) {
      passed(used * day);
      expect(await check(key)).toMatchObject({ outcome: 'accepted' });
    }
    passed(revoked * day);
    await revokeApiKey(owner, { id });
    passed(gone * day - 1_000);
    await revokeApiKey(owner, { id });
    expect((await listApiKeys(owner, {})).data).toMatchObject([{ id, status: 'revoked' }]);
    passed(gone * day);
    expect((await listApiKeys(owner, {})).total).toBe(0);
    await expect(getApiKey(owner, { id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await check(key)).toMatchObject({ outcome: 'revoked' });
  });
});

describe('a regeneration with an overlap', () => {
  const hour = 3_600_000;
  beforeEach(() => setRuntime({ now: () => testNow }));

  async function regenerated(overlapHours: number) {
    const owner = await business();
    const { id, key: old } = await createApiKey(owner, { name: 'Site', scopeSet: 'display_only' });
    const { key } = await regenerateApiKey(owner, { id }, { overlapHours });
    return { owner, id, old, key, shown: async () => (await getApiKey(owner, { id })).previous };
  }

  test('Without an overlap, the old value of a regenerated API key is refused at once', async () => {
    const { old, shown } = await regenerated(0);
    expect(await check(old)).toEqual({ outcome: 'unknown' });
    expect(await shown()).toBeNull();
  });

  test('With an overlap, the old value of a regenerated API key works until the shown end of the overlap, and is then refused', async () => {
    const { old, key, shown } = await regenerated(2);
    expect(await check(old)).toMatchObject({ outcome: 'accepted', worksUntil: testNow + 2 * hour });
    expect(await check(key)).not.toHaveProperty('worksUntil');
    expect(await shown()).toEqual({
      worksUntil: new Date(testNow + 2 * hour).toISOString(),
      requests: 1,
      lastUsedAt: expect.any(String),
    });
    setRuntime({ now: () => testNow + 2 * hour });
    try {
      expect(await check(old)).toEqual({ outcome: 'unknown' });
      expect(await check(key)).toMatchObject({ outcome: 'accepted' });
      expect(await shown()).toBeNull();
    } finally {
      setRuntime({ now: () => testNow });
    }
  });

  test('Responses to the old value of a regenerated API key carry the end of the overlap in a header, others do not', async () => {
    const { old, key } = await regenerated(1);
    const { handler } = await import('../../../functions/api/list-services.ts');
    const ask = async (value: string) => (await call(handler, { headers: { 'x-api-key': value } })).headers;
    expect(await ask(old)).toMatchObject({ 'x-api-key-works-until': new Date(testNow + hour).toISOString() });
    expect(await ask(key)).not.toHaveProperty('x-api-key-works-until');
  });

  test('The old and the new value of an API key share one rate limit: of 60 concurrent requests with each value, 60 are accepted', async () => {
    const { old, key } = await regenerated(24);
    const checks = await Promise.all(Array.from({ length: 120 }, (_, i) => check(i % 2 ? old : key)));
    expect(checks.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(limits.requests.key.perMinute);
  });

  test('Negative control: if the old value of an API key is counted separately, more than 60 requests a minute are accepted', async () => {
    const { old, key } = await regenerated(24);
    await updateOldItem(old, { replacedBy: REMOVE });
    const checks = await Promise.all(Array.from({ length: 120 }, (_, i) => check(i % 2 ? old : key)));
    expect(checks.filter(({ outcome }) => outcome === 'accepted').length).toBeGreaterThan(60);
  });

  test('Changing or revoking an API key during an overlap also applies to its old value', async () => {
    const { owner, id, old } = await regenerated(24);
    await updateApiKey(owner, { id }, { scopeSet: 'full_crm' });
    expect(await check(old)).toMatchObject({ principal: { actor: { scopes: scopeSets.full_crm } } });
    await revokeApiKey(owner, { id });
    expect(await check(old)).toMatchObject({ outcome: 'revoked' });
  });

  test('Regenerating an API key again ends the earlier overlap at once', async () => {
    const { owner, id, old, key } = await regenerated(24);
    await regenerateApiKey(owner, { id }, { overlapHours: 1 });
    expect(await check(old)).toEqual({ outcome: 'unknown' });
    expect(await check(key)).toMatchObject({ outcome: 'accepted', worksUntil: testNow + hour });
  });

  test('The overlap of a regenerated API key ends at the latest when the key expires', async () => {
    const owner = await business();
    const expiresAt = new Date(testNow + hour).toISOString();
    const { id, key: old } = await createApiKey(owner, { name: 'Short', scopeSet: 'display_only', expiresAt });
    await regenerateApiKey(owner, { id }, { overlapHours: 24 });
    expect(await check(old)).toMatchObject({ worksUntil: testNow + hour });
  });

  test.each([-1, 25, 1.5, '1'])(
    'A regeneration with an overlap of %j hours is refused with 400',
    async (overlapHours) => {
      const { owner, id } = await regenerated(0);
      const answer = await ownerOf(owner.tenantId)('regenerateApiKey', { ...at(id), body: { overlapHours } });
      expect(answer.json).toMatchObject({ code: 'validation_failed', details: [{ path: 'overlapHours' }] });
    },
  );
});

/** As if it were a key of its own. */
async function updateOldItem(value: string, fields: object): Promise<void> {
  await transact([set('keys', keys.apiKey(parseKeyValue(value)?.hash ?? ''), fields)]);
}

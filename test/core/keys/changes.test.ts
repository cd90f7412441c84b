/** Keys as they are made and changed, and what comes between a change and its commit (docs/rules.md#api-keys). */
import { afterEach, describe, expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { getBusiness } from '../../../core/catalog/read.ts';
import { newId, setRuntime } from '../../../core/clock.ts';
import { checkKey } from '../../../core/keys/check-key.ts';
import { createApiKey, type NewApiKey } from '../../../core/keys/create-key.ts';
import { parseKeyValue } from '../../../core/keys/key-value.ts';
import { getApiKey, listApiKeys } from '../../../core/keys/read-keys.ts';
import { regenerateApiKey } from '../../../core/keys/regenerate-key.ts';
import { revokeApiKey } from '../../../core/keys/revoke-key.ts';
import { updateApiKey } from '../../../core/keys/update-key.ts';
import { inSandbox } from '../../../core/mode.ts';
import { records } from '../../../core/table-keys.ts';
import { interfering, overtaken } from '../../support/interfere.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const at = (now: number) => setRuntime({ now: () => now });
afterEach(() => at(testNow));

const check = (value: string) => checkKey(parseKeyValue(value)?.hash ?? '');
const later = (ms: number) => new Date(testNow + ms).toISOString();

function business() {
  const owner = ownerPrincipal(newId());
  const create = (more: Partial<NewApiKey> = {}) =>
    createApiKey(owner, { name: 'Site', scopes: ['slots:read'], ...more });
  /** Makes keys up to the limit, of which there are `others` already. */
  const fill = async (others = 0) => {
    for (let i = others; i < limits.activeKeysPerBusiness; i++) await create();
  };
  return { owner, create, fill };
}
const full = { code: 'api_key_limit_reached' };

const isRead =
  (sk: string) =>
  (_: string, { Key }: { readonly Key?: { readonly sk?: string } }) =>
    Key?.sk === sk;

describe('a new API key', () => {
  test('An API key may be created before the business exists, by default without origins and expiry', async () => {
    const { owner, create } = business();
    const { id, key } = await create();
    expect(await getApiKey(owner, { id })).toMatchObject({ allowedOrigins: [], expiresAt: null, test: false });
    expect(await check(key)).toMatchObject({ outcome: 'accepted', origins: [] });
  });

  test('The first API key of a sandbox creates the sandbox and is a test key', async () => {
    const { tenant } = await fixture.tenant();
    const sandbox = ownerPrincipal(inSandbox(tenant.business.id));
    const { key } = await createApiKey(sandbox, { name: 'Site', scopeSet: 'full_crm' });
    expect(key).toMatch(/^bk_test_/);
    expect(await check(key)).toMatchObject({ outcome: 'accepted', principal: { tenantId: sandbox.tenantId } });
    expect(await getBusiness(sandbox)).toMatchObject({ mode: 'test' });
  });
});

describe('the limit of active API keys', () => {
  test('An API key counts in the limit of active keys until it expires, even if its expiry was changed', async () => {
    const { owner, create, fill } = business();
    const [first, second] = [await create({ expiresAt: later(1_000) }), await create()];
    await fill(2);
    await updateApiKey(owner, first, { name: 'Shop', scopeSet: 'display_only' });
    await updateApiKey(owner, second, { expiresAt: later(2_000) });
    at(testNow + 999);
    await expect(create()).rejects.toMatchObject(full);
    at(testNow + 1_000);
    await create();
    await expect(create()).rejects.toMatchObject(full);
    at(testNow + 2_000);
    await create();
    await expect(create()).rejects.toMatchObject(full);
  });

  test('A revoked API key no longer counts in the limit of active keys, even if its expiry changes concurrently', async () => {
    const { owner, create, fill } = business();
    const key = await create();
    await fill(1);
    const revoke = () => revokeApiKey(owner, key);
    const change = () => updateApiKey(owner, key, { expiresAt: later(60_000) });
    const { sk } = records.key(owner.tenantId, key.id);
    await expect(overtaken({ after: isRead(sk ?? ''), next: revoke }, change)).rejects.toMatchObject({
      ...{ code: 'invalid_state', message: 'An API key that is revoked does not change.' },
    });
    await create();
    await expect(create()).rejects.toMatchObject(full);
  });
});

describe('a change of an API key', () => {
  test('A change of an API key also applies to a new key value that is generated concurrently', async () => {
    const { owner, create } = business();
    const key = await create();
    let value = '';
    const first = async () => {
      value = (await regenerateApiKey(owner, key)).key;
    };
    await interfering({ when: () => true, first }, () => updateApiKey(owner, key, { scopes: ['bookings:read'] }));
    expect(await check(value)).toMatchObject({ principal: { actor: { scopes: ['bookings:read'] } } });
    await interfering({ when: () => true, first }, () => revokeApiKey(owner, key));
    expect(await check(value)).toMatchObject({ outcome: 'revoked' });
  });
});

test('The last use of an API key is shown as the latest minute with a request', async () => {
  const { owner, create } = business();
  const { id, key } = await create();
  for (const minute of [2, 1, 3]) {
    at(testNow + minute * 60_000);
    await check(key);
  }
  expect((await listApiKeys(owner, {})).data).toMatchObject([{ id, lastUsedAt: later(3 * 60_000), requestsToday: 3 }]);
});

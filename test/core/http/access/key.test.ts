import { expect, test, vi } from 'vitest';
import { keyAccess } from '../../../../core/http/access/key.ts';
import { serve } from '../../../../core/http/serve.ts';
import { createKeyValue } from '../../../../core/keys/key-value.ts';
import { log } from '../../../../core/log.ts';
import { call } from '../../../support/http.ts';
import { useKeyTable } from '../../../support/key-table.ts';

const { table, key } = useKeyTable();

const send = (headers: Record<string, string>) =>
  call(
    serve('GET /', keyAccess(), async () => ({ statusCode: 204 })),
    { headers },
  );

test.each<[string, () => Record<string, string>]>([
  ['X-API-Key', () => ({ 'x-api-key': key() })],
  ['X-API-Key with spaces around it', () => ({ 'x-api-key': `  ${key()} ` })],
  ['Authorization', () => ({ authorization: `Bearer ${key()}` })],
  ['Authorization with a lower-case scheme', () => ({ authorization: `bearer ${key()}` })],
  ['Authorization with additional spaces', () => ({ authorization: ` BEARER   ${key()} ` })],
  ['both headers if they agree', () => ({ 'x-api-key': key(), authorization: `bearer  ${key()} ` })],
  [
    'X-API-Key beside an Authorization header of another scheme',
    () => ({ 'x-api-key': key(), authorization: 'Basic dTpw' }),
  ],
])('An API key is accepted in %s', async (_, headers) => {
  expect(await send(headers())).toMatchObject({ status: 204 });
});

test.each<[string, () => Record<string, string>, string, string?]>([
  ['no key', () => ({}), 'api_key_missing'],
  ['an empty key', () => ({ 'x-api-key': '  ' }), 'api_key_missing'],
  ['an Authorization header of another scheme', () => ({ authorization: 'Basic dTpw' }), 'api_key_missing'],
  ['the word Bearer inside another scheme', () => ({ authorization: `Basic Bearer ${key()}` }), 'api_key_missing'],
  ['the scheme Bearer without a value', () => ({ authorization: 'Bearer ' }), 'api_key_missing'],
  ['a value of another format', () => ({ 'x-api-key': 'secret' }), 'api_key_invalid'],
  ['a JWT', () => ({ authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }), 'api_key_invalid'],
  ['a key with a typo', () => ({ 'x-api-key': `${key().slice(0, -1)}!` }), 'api_key_invalid'],
  ['the same key twice', () => ({ 'x-api-key': `${key()},${key()}` }), 'api_key_invalid'],
  [
    'two different keys',
    () => ({ 'x-api-key': key(), authorization: `Bearer ${createKeyValue({ test: false })}` }),
    'api_key_invalid',
    'X-API-Key and Authorization carry different API keys.',
  ],
])('A request with %s as API key is refused with 401 without a read of the table', async (_, headers, code, words) => {
  const response = await send(headers());
  const message = words ?? expect.any(String);
  expect(response).toMatchObject({ status: 401, json: { code, statusCode: 401, error: 'Unauthorized', message } });
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    'www-authenticate': 'Bearer',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse('2026-12-01T12:01:00Z') / 1_000),
  });
  expect(table.calls()).toHaveLength(0);
});

test('The log lines of a request name the id of the API key and the business, never the key value', async () => {
  const named = vi.spyOn(log, 'appendKeys');
  await send({ 'x-api-key': key() });
  expect(Object.assign({}, ...named.mock.calls.flat())).toMatchObject({ keyId: 5, tenantId: 7 });
  expect(JSON.stringify(named.mock.calls)).not.toContain(key());
});

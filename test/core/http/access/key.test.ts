import { expect, test, vi } from 'vitest';
import { keyAccess } from '../../../../core/http/access/key.ts';
import { serve } from '../../../../core/http/serve.ts';
import { createKeyValue } from '../../../../core/keys/key-value.ts';
import { log } from '../../../../core/log.ts';
import { call } from '../../../support/http.ts';
import { useKeyTable } from '../../../support/key-table.ts';

const { table, key } = useKeyTable();

/** Sends headers in which KEY stands for the value of the key. */
const send = (headers: Readonly<Record<string, string>>) => {
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replaceAll('KEY', key())]);
  const handler = serve('GET /', keyAccess(), async () => ({ statusCode: 204 }));
  return call(handler, { headers: Object.fromEntries(filled) });
};

test.each([
  ['the header X-API-Key', { 'x-api-key': 'KEY' }],
  ['the header X-API-Key with spaces around the key', { 'x-api-key': '  KEY ' }],
  ['the header Authorization', { authorization: 'Bearer KEY' }],
  ['the header Authorization with the scheme in lower case', { authorization: 'bearer KEY' }],
  ['the header Authorization with additional spaces', { authorization: ' BEARER   KEY ' }],
  [
    'both X-API-Key and Authorization if both contain the same key',
    { 'x-api-key': 'KEY', authorization: 'bearer  KEY ' },
  ],
  [
    'the header X-API-Key beside an Authorization of another scheme',
    { 'x-api-key': 'KEY', authorization: 'Basic dTpw' },
  ],
])('An API key is accepted in %s', async (_, headers) => {
  expect(await send(headers)).toMatchObject({ status: 204 });
});

const jwt = 'Bearer eyJhbGciOiJub25lIn0.e30.';
const two = { 'x-api-key': 'KEY', authorization: `Bearer ${createKeyValue({ test: false })}` };

test.each<[string, Readonly<Record<string, string>>, string, string?]>([
  ['no API key', {}, 'api_key_missing'],
  ['an empty API key', { 'x-api-key': '  ' }, 'api_key_missing'],
  ['an Authorization header of another scheme', { authorization: 'Basic dTpw' }, 'api_key_missing'],
  ['the word Bearer after another Authorization scheme', { authorization: 'Basic Bearer KEY' }, 'api_key_missing'],
  ['the Authorization scheme Bearer without a key', { authorization: 'Bearer ' }, 'api_key_missing'],
  ['an API key of another format', { 'x-api-key': 'secret' }, 'api_key_invalid'],
  ['a JWT instead of an API key', { authorization: jwt }, 'api_key_invalid'],
  ['an API key with one more character', { 'x-api-key': 'KEYa' }, 'api_key_invalid'],
  ['the same API key twice', { 'x-api-key': 'KEY,KEY' }, 'api_key_invalid'],
  ['two different API keys', two, 'api_key_invalid', 'X-API-Key and Authorization contain different API keys.'],
])('A request with %s is refused with 401 without a read of the database', async (_, headers, code, words) => {
  const response = await send(headers);
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

test('The log lines of a request contain the ids of its API key and business, but never the value of the key', async () => {
  const named = vi.spyOn(log, 'appendKeys');
  await send({ 'x-api-key': 'KEY' });
  expect(Object.assign({}, ...named.mock.calls.flat())).toMatchObject({ keyId: 5, tenantId: 7 });
  expect(JSON.stringify(named.mock.calls)).not.toContain(key());
});

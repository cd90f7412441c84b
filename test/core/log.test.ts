import { expect, test } from 'vitest';
import { createKeyValue } from '../../core/keys/key-value.ts';
import { redact } from '../../core/log.ts';

const secrets = [
  createKeyValue({ test: false }),
  createKeyValue({ test: true }),
  'whsec_c2VjcmV0c2VjcmV0+/A=',
  'Bearer abc.def.ghi',
];

test('no key, signing secret or Authorization value passes, wherever it hides', () => {
  const logged = JSON.stringify(
    {
      message: `failed for ${secrets.join(' and ')}`,
      headers: { authorization: 'Basic dTpw', 'x-api-key': secrets[0] },
      error: { cause: { message: `Authorization: ${secrets[3]}`, list: secrets } },
    },
    redact,
  );
  for (const secret of secrets) expect(logged).not.toContain(secret.replace(/^Bearer /, ''));
  expect(logged).not.toContain('dTpw');
});

test('with the bug planted (no replacer) they do pass', () => {
  expect(JSON.stringify({ message: `failed for ${secrets[0]}` })).toContain(secrets[0]);
});

test('no body and no stored item passes', () => {
  const error = {
    Item: { secret: { S: 'mine' } },
    CancellationReasons: [{ Item: { S: 'mine' } }],
    body: '{"a":"mine"}',
  };
  expect(JSON.stringify({ error }, redact)).not.toContain('mine');
});

test('what identifies a request passes', () => {
  const context = { requestId: 'r-1', operation: 'POST /webhooks', keyId: 4, businessId: 7, code: 'not_found' };
  expect(JSON.parse(JSON.stringify(context, redact))).toEqual(context);
});

import { createHmac } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import { expect, test } from 'vitest';
import { isSigned, isSignedAndFresh } from '../../../docs/examples/verify-webhook.ts';
import { exampleSecret as secret, signedHeaders } from '../../support/signed-message.ts';

const now = Date.UTC(2026, 11, 1, 8);

/** The headers that two independent libraries create. */
async function headersFor(body: string, { at = now } = {}) {
  return { 'x-webhook-signature': await sign(secret, body), ...signedHeaders('dlv_1', body, { at: new Date(at) }) };
}

test('The documented webhook verification accepts a message when one of several signatures is valid', async () => {
  const headers = await headersFor('{}');
  headers['webhook-signature'] = `v1,AAAA v2,BBBB ${headers['webhook-signature']}`;
  expect(isSignedAndFresh(secret, headers, Buffer.from('{}'), now)).toBe(true);
});

test('The documented webhook verification refuses a message in which any single byte of the body is changed', async () => {
  const headers = await headersFor('{"a":"Jānis"}');
  const body = Buffer.from('{"a":"Jānis"}');
  for (let at = 0; at < body.length; at++) {
    const changed = Buffer.from(body);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(isSigned(secret, headers, changed)).toBe(false);
    expect(isSignedAndFresh(secret, headers, changed, now)).toBe(false);
  }
});

test.each([
  ['an empty signature', ''],
  ...['sha256=', 'sha256', 'sha1=00', 'sha256=é', '='].map((malformed) => [
    `the malformed signature “${malformed}”`,
    malformed,
  ]),
])('The documented webhook verification refuses %s', async (_, signature) => {
  const headers = { 'x-webhook-signature': signature };
  expect(isSigned(secret, headers, Buffer.from('{}'))).toBe(false);
});

test('The documented webhook verification refuses a hex signature without its prefix or in capital letters', async () => {
  const { 'x-webhook-signature': signature } = await headersFor('{}');
  expect(isSigned(secret, { 'x-webhook-signature': signature.slice(7) }, Buffer.from('{}'))).toBe(false);
  expect(isSigned(secret, { 'x-webhook-signature': signature.toUpperCase() }, Buffer.from('{}'))).toBe(false);
});

test('The documented webhook verification refuses every message if the secret is empty', () => {
  const hmac = (text: string) => createHmac('sha256', '').update(text);
  const at = String(now / 1_000);
  const forged = {
    'x-webhook-signature': `sha256=${hmac('{}').digest('hex')}`,
    'webhook-id': 'dlv_1',
    'webhook-timestamp': at,
    'webhook-signature': `v1,${hmac(`dlv_1.${at}.{}`).digest('base64')}`,
  };
  expect(isSigned('', forged, Buffer.from('{}'))).toBe(false);
  expect(isSignedAndFresh('', forged, Buffer.from('{}'), now)).toBe(false);
});

test('The documented webhook verification refuses a message without headers', () => {
  expect(isSigned(secret, {}, Buffer.from('{}'))).toBe(false);
  expect(isSignedAndFresh(secret, {}, Buffer.from('{}'), now)).toBe(false);
});

test.each([
  ['five minutes and a second ago', -301_000],
  ['five minutes and a second in the future', 301_000],
])('The documented webhook verification refuses a message whose timestamp is %s', async (_, apart) => {
  const headers = await headersFor('{}', { at: now + apart });
  expect(isSignedAndFresh(secret, headers, Buffer.from('{}'), now)).toBe(false);
  expect(isSignedAndFresh(secret, headers, Buffer.from('{}'), now + apart)).toBe(true);
});

test.each([
  ['an empty timestamp', ''],
  ...['NaN', '1e9', ' 1', '-1', '0x1'].map((malformed) => [`the malformed timestamp “${malformed}”`, malformed]),
])('The documented webhook verification refuses %s', async (_, timestamp) => {
  const headers = { ...(await headersFor('{}')), 'webhook-timestamp': timestamp };
  expect(isSignedAndFresh(secret, headers, Buffer.from('{}'), now)).toBe(false);
});

import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from '../../client/src/index.ts';

const now = 1_800_000_000_000;
const seconds = String(now / 1_000);
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const other = `whsec_${randomBytes(32).toString('base64')}`;
const message = {
  id: 'dlv_1',
  event: 'service.deleted',
  timestamp: '2026-12-01T08:00:00.000Z',
  apiVersion: '1.0',
  data: { serviceId: 1, name: 'Bērnu frizūra', deletedAt: '2026-12-01T08:00:00.000Z' },
};
const body = JSON.stringify(message);

function sign(by = secret, at = seconds, of = body, id = 'dlv_1'): string {
  const key = Buffer.from(by.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${of}`).digest('base64')}`;
}

const headersOf = (signature = sign(), timestamp = seconds, id = 'dlv_1') => ({
  'webhook-id': id,
  'webhook-timestamp': timestamp,
  'webhook-signature': signature,
});

/** What any verifier must take and refuse. The same table judges the real one and the negative control. */
type Verifier = typeof verifyWebhook;
type Case = readonly [what: string, verify: (verifier: Verifier) => Promise<unknown>];

const accepted: readonly Case[] = [
  ['Headers', (verify) => verify(secret, new Headers(headersOf()), body, { now })],
  ["Node's headers", (verify) => verify(secret, { ...headersOf(), 'set-cookie': ['a', 'b'] }, body, { now })],
  ['names in another case', (verify) => verify(secret, upperCase(headersOf()), body, { now })],
  ['a Buffer', (verify) => verify(secret, headersOf(), Buffer.from(body), { now })],
  ['bytes that are a part of more', (verify) => verify(secret, headersOf(), padded(body), { now })],
  ['an ArrayBuffer', (verify) => verify(secret, headersOf(), new TextEncoder().encode(body).buffer, { now })],
  ['two secrets, the second one right', (verify) => verify([other, secret], headersOf(), body, { now })],
  [
    'two signatures, the second one right',
    (verify) => verify(secret, headersOf(`${sign(other)} ${sign()}`), body, { now }),
  ],
  ['a version beside v1', (verify) => verify(secret, headersOf(`v2,abc ${sign()}`), body, { now })],
  ['five minutes ago', (verify) => verify(secret, headersOf(), body, { now: now + 300_000 })],
  ['five minutes ahead', (verify) => verify(secret, headersOf(), body, { now: now - 300_000 })],
  [
    'a tolerance of its own',
    (verify) => verify(secret, headersOf(), body, { now: now + 600_000, toleranceSeconds: 600 }),
  ],
];

const replays: readonly Case[] = [
  ['a message of longer ago', (verify) => verify(secret, headersOf(), body, { now: now + 301_000 })],
  ['a message from further ahead', (verify) => verify(secret, headersOf(), body, { now: now - 301_000 })],
  ['a timestamp that is no number', (verify) => verify(secret, headersOf(sign(secret, 'x'), 'x'), body, { now })],
];

const forgeries: readonly Case[] = [
  ['a wrong secret', (verify) => verify(other, headersOf(), body, { now })],
  ['another body', (verify) => verify(secret, headersOf(), body.replace('1', '2'), { now })],
  ['another id', (verify) => verify(secret, headersOf(sign(), seconds, 'dlv_2'), body, { now })],
  ['another timestamp', (verify) => verify(secret, headersOf(sign(), String(now / 1_000 + 1)), body, { now })],
  ['a signature of another version', (verify) => verify(secret, headersOf(sign().replace('v1', 'v0')), body, { now })],
  ['a signature cut short', (verify) => verify(secret, headersOf(sign().slice(0, -8)), body, { now })],
  ['a signature that is not Base64', (verify) => verify(secret, headersOf('v1,%%%'), body, { now })],
  ['no secret at all', (verify) => verify([], headersOf(), body, { now })],
];

test.each(accepted)('verifyWebhook accepts %s and returns the event', async (_, verify) => {
  expect(await verify(verifyWebhook)).toEqual(message);
});

test.each(replays)('verifyWebhook refuses %s as a replay', async (_, verify) => {
  await expect(verify(verifyWebhook)).rejects.toMatchObject({ code: 'timestamp_outside_tolerance' });
});

test.each(forgeries)('verifyWebhook refuses %s', async (_, verify) => {
  const error: unknown = await verify(verifyWebhook).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect(error).toMatchObject({ code: 'signature_mismatch' });
  expect(String(error)).not.toContain(secret);
});

test.each(Object.keys(headersOf()))('verifyWebhook refuses a message without %s', async (name) => {
  const { [name]: _, ...headers }: Record<string, string> = headersOf();
  await expect(verifyWebhook(secret, headers, body, { now })).rejects.toMatchObject({ code: 'header_missing' });
});

test('verifyWebhook refuses a signed body that is not JSON', async () => {
  const verified = verifyWebhook(secret, headersOf(sign(secret, seconds, 'hello')), 'hello', { now });
  await expect(verified).rejects.toMatchObject({ code: 'body_invalid' });
});

test.each(['', 'whsec_', 'whsec_%%%', 'abc'])(
  'verifyWebhook refuses the secret %j without repeating it in the error',
  async (wrong) => {
    const error: unknown = await verifyWebhook(wrong, headersOf(), body, { now }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    if (wrong.length > 6) expect(String(error)).not.toContain(wrong);
  },
);

test('verifyWebhook hashes a body a limited number of times, however many signatures the message has', async () => {
  const many = headersOf([...Array.from({ length: 300 }, () => sign(other)), sign()].join(' '));
  await expect(verifyWebhook(secret, many, body, { now })).rejects.toMatchObject({ code: 'signature_mismatch' });
});

test('verifyWebhook accepts a message that a Standard Webhooks library signed', async () => {
  const signature = new Webhook(secret).sign('dlv_1', new Date(now), body);
  expect(await verifyWebhook(secret, headersOf(signature), body, { now })).toEqual(message);
});

describe('negative control', () => {
  const timeless: Verifier = (by, headers, rawBody) =>
    verifyWebhook(by, headers, rawBody, { now, toleranceSeconds: Number.POSITIVE_INFINITY });

  test.each(replays.slice(0, 2))(
    'Negative control: a verification that ignores the timestamp accepts %s',
    async (_, verify) => {
      expect(await verify(timeless)).toEqual(message);
    },
  );
});

function upperCase(headers: Record<string, string>): WebhookHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

function padded(text: string): Uint8Array {
  const inner = new TextEncoder().encode(text);
  const outer = new Uint8Array(inner.length + 20).fill(7);
  outer.set(inner, 10);
  return outer.subarray(10, 10 + inner.length);
}

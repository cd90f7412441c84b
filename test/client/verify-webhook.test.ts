import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
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

interface Message extends Partial<NonNullable<Parameters<typeof verifyWebhook>[3]>> {
  readonly by?: Parameters<typeof verifyWebhook>[0];
  readonly headers?: WebhookHeaders;
  readonly rawBody?: Parameters<typeof verifyWebhook>[2];
}

/** Verifies a message that differs from a valid one in the given fields only. */
const verified = ({ by = secret, headers = headersOf(), rawBody = body, ...options }: Message) =>
  verifyWebhook(by, headers, rawBody, { now, ...options });

test.each<[string, Message]>([
  ['a Headers object', { headers: new Headers(headersOf()) }],
  ["the headers object of Node's HTTP server", { headers: { ...headersOf(), 'set-cookie': ['a', 'b'] } }],
  ['header names in upper case', { headers: upperCase(headersOf()) }],
  ['a Buffer as body', { rawBody: Buffer.from(body) }],
  ['a Uint8Array inside a larger buffer', { rawBody: padded(body) }],
  ['an ArrayBuffer as body', { rawBody: new TextEncoder().encode(body).buffer }],
  ['a message that the second of two secrets verifies', { by: [other, secret] }],
  ['a message whose second signature is valid', { headers: headersOf(`${sign(other)} ${sign()}`) }],
  ['a message with a signature of an unknown version beside the valid one', { headers: headersOf(`v2,abc ${sign()}`) }],
  ['a message from five minutes ago', { now: now + 300_000 }],
  ['a message from five minutes ahead', { now: now - 300_000 }],
  ['a message from ten minutes ago with a tolerance of ten minutes', { now: now + 600_000, toleranceSeconds: 600 }],
])('verifyWebhook accepts %s and returns the event', async (_, sent) => {
  expect(await verified(sent)).toEqual(message);
});

const replays: readonly (readonly [string, Message])[] = [
  ['a message from more than five minutes ago', { now: now + 301_000 }],
  ['a message from more than five minutes ahead', { now: now - 301_000 }],
];

test.each([
  ...replays,
  ['an old message if the tolerance is not a number', { now: now + 301_000, toleranceSeconds: Number.NaN }] as const,
  ['a message whose timestamp is not a number', { headers: headersOf(sign(secret, 'x'), 'x') }] as const,
])('verifyWebhook refuses %s as a replay', async (_, sent) => {
  await expect(verified(sent)).rejects.toMatchObject({ code: 'timestamp_outside_tolerance' });
});

test.each(replays)('Negative control: if verifyWebhook ignores the timestamp, it accepts %s', async (_, sent) => {
  expect(await verified({ ...sent, toleranceSeconds: Number.POSITIVE_INFINITY })).toEqual(message);
});

test.each<[string, Message]>([
  ['a signature by another secret', { by: other }],
  ['a changed body', { rawBody: body.replace('1', '2') }],
  ['a changed id', { headers: headersOf(sign(), seconds, 'dlv_2') }],
  ['a changed timestamp', { headers: headersOf(sign(), String(now / 1_000 + 1)) }],
  ['a signature of another version', { headers: headersOf(sign().replace('v1', 'v0')) }],
  ['a truncated signature', { headers: headersOf(sign().slice(0, -8)) }],
  ['a signature that is not Base64', { headers: headersOf('v1,%%%') }],
  ['a signature when the list of secrets is empty', { by: [] }],
])('verifyWebhook refuses a message with %s', async (_, sent) => {
  const error: unknown = await verified(sent).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect(error).toMatchObject({ code: 'signature_mismatch' });
  expect(String(error)).not.toContain(secret);
});

test.each(Object.keys(headersOf()))('verifyWebhook refuses a message without the header %s', async (name) => {
  const { [name]: _, ...headers }: Record<string, string> = headersOf();
  await expect(verified({ headers })).rejects.toMatchObject({ code: 'header_missing' });
});

test('verifyWebhook refuses a signed body that is not JSON', async () => {
  const hello = { headers: headersOf(sign(secret, seconds, 'hello')), rawBody: 'hello' };
  await expect(verified(hello)).rejects.toMatchObject({ code: 'body_invalid' });
});

test.each([
  ['an empty secret', ''],
  ['a secret that ends after whsec_', 'whsec_'],
  ['a secret that is not Base64', 'whsec_%%%'],
  ['a secret without whsec_', 'abc'],
])('verifyWebhook refuses %s, and does not repeat the secret in the error', async (wrong) => {
  const error: unknown = await verified({ by: wrong }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  if (wrong.length > 6) expect(String(error)).not.toContain(wrong);
});

test('verifyWebhook reports a missing secret when the environment variable with the secret is not set', async () => {
  const error: unknown = await verifyWebhook(undefined as never, headersOf(), body, { now }).catch((reason) => reason);
  expect(error).toEqual(new TypeError('The secret must be the whsec_… of the webhook.'));
});

test.each([
  ['a parsed object', message],
  ['undefined', undefined],
  ['a parsed list', [1, 2]],
])(
  'If verifyWebhook gets %s in place of the raw body, its error explains that a body parser may be the cause',
  async (_, parsed) => {
    const error: unknown = await verifyWebhook(secret, headersOf(), parsed as never, { now }).catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('before any parser');
  },
);

test('verifyWebhook checks only the first of very many signatures, so that a forged message costs little', async () => {
  const headers = headersOf([...Array.from({ length: 300 }, () => sign(other)), sign()].join(' '));
  await expect(verified({ headers })).rejects.toMatchObject({ code: 'signature_mismatch' });
});

test('verifyWebhook accepts a message that a Standard Webhooks library signed', async () => {
  const signature = new Webhook(secret).sign('dlv_1', new Date(now), body);
  expect(await verified({ headers: headersOf(signature) })).toEqual(message);
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

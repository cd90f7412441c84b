import { sign as signAsGitHub } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { webhookHeaders } from '../../../../contract/headers.ts';
import type { Mode } from '../../../../contract/modes.ts';
import { newSecret, secretPrefix } from '../../../../core/webhooks/sender/secret.ts';
import { signedHeaders } from '../../../../core/webhooks/sender/signature.ts';
import { isSigned, isSignedAndFresh } from '../../../../docs/examples/verify-webhook.ts';

const sentAt = Date.parse('2026-11-24T08:30:00.750Z');
const message = { mode: 'live' as Mode, deliveryId: 'dlv_1z', event: 'booking.created', body: '{}', sentAt };
const { deliveryId } = message;

/** Texts that encoders often get wrong: halves of surrogate pairs, NUL, marks, joiners, right to left, line ends. */
const pieces = [
  ...['\ud83d', '\ude42', '\0', '\ufeff', '\ufffd', '\u2028', '\r\n', 'e\u0301', '\u05d0', '\u202e'],
  ...['👩‍👩‍👧', '漢字', ' '],
];
const character = fc.oneof(fc.integer({ min: 0, max: 0xffff }).map(String.fromCharCode), fc.constantFrom(...pieces));
const text = fc.oneof(
  fc.string({ unit: character, size: 'medium' }),
  fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value, null, 2)),
);
const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((key) => secretPrefix + Buffer.from(key).toString('base64'));
const times = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });

test('A webhook message has the documented headers and no others', () => {
  const headers = signedHeaders({ ...message, secret: newSecret() });
  const everyMessage = webhookHeaders.filter((name) => name !== 'X-Webhook-Mode');
  expect(Object.keys(headers).sort()).toEqual([...everyMessage, 'Content-Type', 'User-Agent'].sort());
  expect(headers).toMatchObject({
    'Content-Type': 'application/json',
    'User-Agent': expect.stringMatching(/^BookingWebhooks\/./),
    'X-Webhook-Event': 'booking.created',
    'X-Webhook-Delivery': deliveryId,
    'X-Webhook-Timestamp': '2026-11-24T08:30:00.750Z',
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Date.parse('2026-11-24T08:30:00Z') / 1_000),
  });
  expect(headers['X-Webhook-Signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
  expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
});

test('A webhook message of the sandbox is marked as a test, and a live message is not', () => {
  const headers = (mode: Mode) => signedHeaders({ ...message, mode, secret: 'whsec_AAAA' });
  expect(headers('test')).toEqual({ ...headers('live'), 'X-Webhook-Mode': 'test' });
});

test('No header of a webhook message contains the signing secret, encoded or decoded', () => {
  const secret = newSecret();
  const headers = JSON.stringify(signedHeaders({ ...message, secret }));
  expect(headers).not.toContain(secret.slice(6));
  expect(headers).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
});

type Sign = typeof signedHeaders;

const agreesWithStandardWebhooks = (sign: Sign) =>
  fc.property(secrets, text, times, (secret, body, at) => {
    const headers = sign({ ...message, secret, body, sentAt: at });
    return headers['webhook-signature'] === new Webhook(secret).sign(deliveryId, new Date(at), body);
  });

test('The header webhook-signature equals that of the standardwebhooks library for any message text', () => {
  fc.assert(agreesWithStandardWebhooks(signedHeaders), { numRuns: 3_000 });
});

test('The header X-Webhook-Signature equals that of @octokit/webhooks-methods for any message text', async () => {
  const agrees = fc.asyncProperty(secrets, text, async (secret, body) => {
    fc.pre(body !== '');
    expect(signedHeaders({ ...message, secret, body })['X-Webhook-Signature']).toBe(await signAsGitHub(secret, body));
  });
  await fc.assert(agrees, { numRuns: 1_000 });
});

test('The documented code for webhook receivers accepts the signature of a message with any body', () => {
  const accepts = fc.property(secrets, text, times, (secret, body, at) => {
    const signed = Object.entries(signedHeaders({ ...message, secret, body, sentAt: at }));
    const headers = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), value]));
    expect(isSigned(secret, headers, Buffer.from(body))).toBe(true);
    expect(isSignedAndFresh(secret, headers, Buffer.from(body), at)).toBe(true);
  });
  fc.assert(accepts, { numRuns: 2_000 });
});

const signing =
  (change: (body: string) => string | Uint8Array): Sign =>
  (signed) =>
    signedHeaders({ ...signed, body: change(signed.body) as string });
const printedAgain = (body: string) => {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
};

test.each<[fault: string, sign: Sign]>([
  ['text in UTF-16', signing((body) => Buffer.from(body, 'utf16le'))],
  ['text in Latin-1', signing((body) => Buffer.from(body, 'latin1'))],
  [
    'separate halves of surrogate pairs',
    signing((body) => Buffer.concat(body.split('').map((one) => Buffer.from(one)))),
  ],
  ['text without halves of surrogate pairs', signing((body) => body.replaceAll(/\p{Surrogate}/gu, ''))],
  ['JSON parsed and printed again', signing(printedAgain)],
  ['text up to its first NUL character', signing((body) => body.split('\0', 1)[0] ?? '')],
  ['text without the white space around it', signing((body) => body.trim())],
  ['text without a byte order mark', signing((body) => body.replace(/^\ufeff/, ''))],
  ['text in a Unicode normal form', signing((body) => body.normalize())],
  ['text without carriage returns', signing((body) => body.replaceAll('\r\n', '\n'))],
  ['a rounded time', (signed) => signedHeaders({ ...signed, sentAt: signed.sentAt + 500 })],
])('Negative control: a webhook signature of %s is not that of the standardwebhooks library', (_, sign) => {
  expect(() => fc.assert(agreesWithStandardWebhooks(sign), { numRuns: 10_000, endOnFailure: true })).toThrow(/seed/);
});

import { isUtf8 } from 'node:buffer';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify as verifyAsGitHub } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { webhookHeaders } from '../../../../contract/headers.ts';
import { limits } from '../../../../contract/limits.ts';
import type { Mode } from '../../../../contract/modes.ts';
import { newSecret, secretPrefix } from '../../../../core/webhooks/sender/secret.ts';
import { hmacSha256, signedHeaders } from '../../../../core/webhooks/sender/signature.ts';
import { isSigned, isSignedAndFresh } from '../../../../docs/examples/verify-webhook.ts';
import { hmacByDefinition, utf8 } from './hmac-by-definition.ts';

const sentAt = Date.parse('2026-11-24T08:30:00.750Z');
const deliveryId = 'dlv_1z';
const event = 'booking.created';
const mode = 'live';

/** Pieces of text that encoders get wrong: halves of surrogate pairs, NUL, marks, what joins, and what turns the line. */
const troublesome = [
  '\ud83d',
  '\ude42',
  '\u0000',
  '\ufeff',
  '\ufffd',
  '\u2028',
  '\r\n',
  'e\u0301',
  'é',
  '\u05d0\u05d1',
  '\u0645\u0631\u062d\u0628\u0627',
  '\u202e',
  '🙂',
  '👩‍👩‍👧',
  '🇱🇻',
  '漢字',
];
const text = fc.string({
  unit: fc.oneof(fc.integer({ min: 0, max: 0xffff }).map(String.fromCharCode), fc.constantFrom(...troublesome)),
  size: 'medium',
});

/** Text as events hold it: any script, emoji, escapes, and now and then something long. */
const json = fc.json({ depthSize: 'medium', maxDepth: 4, stringUnit: 'binary' });

/** The text once and again, filled up with spaces to the most bytes that a body may have. */
const longest = text.map((once) => {
  const many = once.repeat(limits.bodyBytes / Math.max(1, Buffer.byteLength(once)));
  return many + ' '.repeat(limits.bodyBytes - Buffer.byteLength(many));
});

const bodies = fc.oneof(
  { weight: 500, arbitrary: json },
  { weight: 300, arbitrary: fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value, null, 2)) },
  { weight: 950, arbitrary: text },
  { weight: 246, arbitrary: fc.uint8Array({ size: 'medium' }) },
  { weight: 4, arbitrary: longest },
);
const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((key) => secretPrefix + Buffer.from(key).toString('base64'));
const times = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });

describe('the headers', () => {
  const everyMessage = webhookHeaders.filter((name) => name !== 'X-Webhook-Mode');

  test('are ours, those of Standard Webhooks, and User-Agent, and no others', () => {
    const headers = signedHeaders({ mode, secret: newSecret(), deliveryId, event, body: '{}', sentAt });
    expect(Object.keys(headers).sort()).toEqual([...everyMessage, 'Content-Type', 'User-Agent'].sort());
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Webhook-Event': event,
      'X-Webhook-Delivery': deliveryId,
      'X-Webhook-Timestamp': '2026-11-24T08:30:00.750Z',
      'webhook-id': deliveryId,
      'webhook-timestamp': String(Date.parse('2026-11-24T08:30:00Z') / 1_000),
    });
    expect(headers['X-Webhook-Signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  test('say of a message of a sandbox, and of no other, that it is a test', () => {
    const headers = (mode: Mode) =>
      signedHeaders({ mode, secret: 'whsec_AAAA', deliveryId, event, body: '{}', sentAt });
    expect(headers('test')).toEqual({ ...headers('live'), 'X-Webhook-Mode': 'test' });
  });

  test('never contain the secret or its decoded part', () => {
    const secret = newSecret();
    const headers = JSON.stringify(signedHeaders({ mode, secret, deliveryId, event, body: '{}', sentAt }));
    expect(headers).not.toContain(secret.slice(6));
    expect(headers).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
  });

  test('sign text as its UTF-8 bytes', () => {
    const secret = newSecret();
    const body = '{"name":"Žanete 🙂 漢字"}';
    expect(signedHeaders({ mode, secret, deliveryId, event, body, sentAt })).toEqual(
      signedHeaders({ mode, secret, deliveryId, event, body: Buffer.from(body, 'utf8'), sentAt }),
    );
  });
});

describe('both signatures are those of the definition', () => {
  type Sign = typeof signedHeaders;

  const agrees = (sign: Sign, seen: (body: string | Uint8Array) => void = () => {}) =>
    fc.property(secrets, bodies, times, (secret, body, at) => {
      seen(body);
      const headers = sign({ mode, secret, deliveryId, event, body, sentAt: at });
      const bytes = typeof body === 'string' ? utf8(body) : body;
      const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
      const content = Buffer.concat([utf8(`${deliveryId}.${Math.floor(at / 1_000)}.`), bytes]);
      return (
        headers['X-Webhook-Signature'] === `sha256=${hmacByDefinition(utf8(secret), bytes).toString('hex')}` &&
        headers['webhook-signature'] === `v1,${hmacByDefinition(key, content).toString('base64')}`
      );
    });

  const kinds: Record<string, (body: string | Uint8Array) => boolean> = {
    'JSON text': (body) => typeof body === 'string' && /^[[{"]/.test(body),
    'other text': (body) => typeof body === 'string' && !/^[[{"]/.test(body),
    'bytes that are no text': (body) => typeof body !== 'string' && !isUtf8(body),
    'half a surrogate pair': (body) => typeof body === 'string' && !body.isWellFormed(),
    NUL: (body) => typeof body === 'string' && body.includes('\0'),
    'characters beyond 16 bits': (body) => typeof body === 'string' && /[\u{10000}-\u{10ffff}]/u.test(body),
    'right to left': (body) => typeof body === 'string' && /[\u0590-\u08ff\u202e]/.test(body),
    'the most bytes a body may have': (body) => Buffer.byteLength(body) === limits.bodyBytes,
  };

  test('over 25 000 random bodies, at least 20 of each kind', () => {
    const counts = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0]));
    const count = (body: string | Uint8Array) => {
      for (const [kind, is] of Object.entries(kinds)) if (is(body)) counts[kind] = (counts[kind] ?? 0) + 1;
    };
    fc.assert(agrees(signedHeaders, count), { numRuns: 25_000 });
    for (const [kind, found] of Object.entries(counts)) expect(found, kind).toBeGreaterThanOrEqual(20);
  }, 120_000);

  const signing =
    (bytesOf: (body: string) => string | Uint8Array): Sign =>
    (message) =>
      signedHeaders(typeof message.body === 'string' ? { ...message, body: bytesOf(message.body) } : message);
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
    ['each half of a surrogate pair', signing((body) => Buffer.concat(body.split('').map(utf8)))],
    ['text without halves of surrogate pairs', signing((body) => body.replaceAll(/\p{Surrogate}/gu, ''))],
    ['JSON parsed and printed again', signing(printedAgain)],
    ['text up to its first NUL', signing((body) => body.split('\0', 1)[0] ?? '')],
    ['text without the white space around it', signing((body) => body.trim())],
    ['text without a byte order mark', signing((body) => body.replace(/^\ufeff/, ''))],
    ['text in one normal form', signing((body) => body.normalize())],
    ['text with line feeds alone', signing((body) => body.replaceAll('\r\n', '\n'))],
    [
      'all but the last byte of the longest body',
      signing((body) => Buffer.from(body).subarray(0, limits.bodyBytes - 1)),
    ],
    ['bytes taken for text', (message) => signedHeaders({ ...message, body: Buffer.from(message.body).toString() })],
    ['the time rounded', (message) => signedHeaders({ ...message, sentAt: message.sentAt + 500 })],
  ])('a signer of %s would be found out, and the seed told', (_, sign) => {
    expect(() => fc.assert(agrees(sign), { numRuns: 25_000, endOnFailure: true })).toThrow(/seed: -?\d+/);
  });
});

describe('independent implementations agree', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: sentAt, toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the standardwebhooks library, over 2 000 random bodies', () => {
    const secret = newSecret();
    const receiver = new Webhook(secret);
    fc.assert(
      fc.property(json, (body) => {
        const headers = signedHeaders({ mode, secret, deliveryId, event, body, sentAt });
        expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
      }),
      { numRuns: 2_000 },
    );
  });

  test('the @octokit/webhooks-methods library, over 1 000 random bodies', async () => {
    const secret = newSecret();
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        const signature = signedHeaders({ mode, secret, deliveryId, event, body, sentAt })['X-Webhook-Signature'] ?? '';
        expect(await verifyAsGitHub(secret, body, signature)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the receiver of the documents, over 2 000 random bodies as they arrive', () => {
    fc.assert(
      fc.property(secrets, bodies, times, (secret, body, at) => {
        const signed = Object.entries(signedHeaders({ mode, secret, deliveryId, event, body, sentAt: at }));
        const headers = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), value]));
        expect(isSigned(secret, headers, Buffer.from(body))).toBe(true);
        expect(isSignedAndFresh(secret, headers, Buffer.from(body), at)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)('the openssl command, over 1 000 random bodies', () => {
    const secret = newSecret();
    const folder = mkdtempSync(join(tmpdir(), 'bodies-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const some = fc.sample(bodies, { numRuns: 1_000, seed: 1 });
    for (const [i, body] of some.entries()) writeFileSync(join(folder, String(i)), body);
    const files = some.map((_, i) => String(i));
    const lines = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => `sha256=${line.split(' ').at(-1)}`),
    ).toEqual(
      some.map((body) => signedHeaders({ mode, secret, deliveryId, event, body, sentAt })['X-Webhook-Signature']),
    );
  });

  test('both libraries refuse another body, another secret, and another id or time', async () => {
    const secret = newSecret();
    const body = '{"a":1}';
    const headers = signedHeaders({ mode, secret, deliveryId, event, body, sentAt });
    const receiver = new Webhook(secret);
    expect(() => receiver.verify('{"a":2}', headers)).toThrow('No matching signature');
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature');
    expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'dlv_other' })).toThrow('No matching signature');
    const later = { ...headers, 'webhook-timestamp': String(Math.floor(sentAt / 1_000) + 1) };
    expect(() => receiver.verify(body, later)).toThrow('No matching signature');
    expect(await verifyAsGitHub(secret, '{"a":2}', headers['X-Webhook-Signature'] ?? '')).toBe(false);
    expect(await verifyAsGitHub(newSecret(), body, headers['X-Webhook-Signature'] ?? '')).toBe(false);
  });
});

describe('the test cases of RFC 4231', () => {
  const hex = (text: string) => Buffer.from(text, 'hex');
  const cases: [name: string, key: Buffer, message: Buffer, mac: string][] = [
    [
      '1',
      Buffer.alloc(20, 0x0b),
      Buffer.from('Hi There'),
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      '2',
      Buffer.from('Jefe'),
      Buffer.from('what do ya want for nothing?'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      '3',
      Buffer.alloc(20, 0xaa),
      Buffer.alloc(50, 0xdd),
      '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    ],
    [
      '4',
      hex('0102030405060708090a0b0c0d0e0f10111213141516171819'),
      Buffer.alloc(50, 0xcd),
      '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
    ],
    [
      '6',
      Buffer.alloc(131, 0xaa),
      Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
    [
      '7',
      Buffer.alloc(131, 0xaa),
      Buffer.from(
        'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
      ),
      '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
    ],
  ];

  test.each(cases)('case %s', (_, key, message, mac) => {
    expect(hmacSha256(key, message).toString('hex')).toBe(mac);
    expect(hmacByDefinition(key, message).toString('hex')).toBe(mac);
  });

  test('case 5, which is truncated to 128 bits', () => {
    const mac = hmacSha256(Buffer.alloc(20, 0x0c), 'Test With Truncation').toString('hex');
    expect(mac.slice(0, 32)).toBe('a3b6167473100ee06e0c796c2955552b');
  });

  test('parts in a row are one message', () => {
    expect(hmacSha256('Jefe', 'what do ya ', Buffer.from('want for '), 'nothing?')).toEqual(
      hmacSha256('Jefe', 'what do ya want for nothing?'),
    );
  });
});

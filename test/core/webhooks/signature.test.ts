import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { verify as verifyAsGitHub } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { webhookHeaders } from '../../../contract/headers.ts';
import { newSecret } from '../../../core/webhooks/secret.ts';
import { hmacSha256, signedHeaders } from '../../../core/webhooks/signature.ts';

const sentAt = Date.parse('2026-11-24T08:30:00.750Z');
const deliveryId = 'dlv_1z';
const event = 'booking.created';

/** HMAC by its definition (RFC 2104), so that two implementations have to agree. */
function hmacByDefinition(key: Uint8Array, message: Uint8Array): string {
  const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const block = Buffer.alloc(64);
  block.set(key.length > 64 ? sha256(key) : key);
  return sha256(
    block.map((byte) => byte ^ 0x5c),
    sha256(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  ).toString('hex');
}

/** Text as events hold it: any script, emoji, escapes, and now and then something long. */
const bodies = fc.json({ depthSize: 'medium', maxDepth: 4, stringUnit: 'binary' });

describe('the headers', () => {
  test('are those of section 6.2, those of Standard Webhooks, and User-Agent, and no others', () => {
    const headers = signedHeaders({ secret: newSecret(), deliveryId, event, body: '{}', sentAt });
    expect(Object.keys(headers).sort()).toEqual(
      [...webhookHeaders, 'Content-Type', 'User-Agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'].sort(),
    );
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

  test('never contain the secret or its decoded part', () => {
    const secret = newSecret();
    const headers = JSON.stringify(signedHeaders({ secret, deliveryId, event, body: '{}', sentAt }));
    expect(headers).not.toContain(secret.slice(6));
    expect(headers).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
  });

  test('sign text as its UTF-8 bytes', () => {
    const secret = newSecret();
    const body = '{"name":"Žanete 🙂 漢字"}';
    expect(signedHeaders({ secret, deliveryId, event, body, sentAt })).toEqual(
      signedHeaders({ secret, deliveryId, event, body: Buffer.from(body, 'utf8'), sentAt }),
    );
  });
});

describe('independent implementations agree', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: sentAt, toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('HMAC by its definition, over 10 000 random bodies', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const secret = newSecret();
        const headers = signedHeaders({ secret, deliveryId, event, body, sentAt });
        expect(headers['X-Webhook-Signature']).toBe(
          `sha256=${hmacByDefinition(Buffer.from(secret), Buffer.from(body))}`,
        );
      }),
      { numRuns: 10_000 },
    );
  });

  test('the standardwebhooks library, over 2 000 random bodies', () => {
    const secret = newSecret();
    const receiver = new Webhook(secret);
    fc.assert(
      fc.property(bodies, (body) => {
        const headers = signedHeaders({ secret, deliveryId, event, body, sentAt });
        expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
      }),
      { numRuns: 2_000 },
    );
  });

  test('the @octokit/webhooks-methods library, over 1 000 random bodies', async () => {
    const secret = newSecret();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const signature = signedHeaders({ secret, deliveryId, event, body, sentAt })['X-Webhook-Signature'] ?? '';
        expect(await verifyAsGitHub(secret, body, signature)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)('the openssl command, over bytes of many kinds', () => {
    for (const body of ['', '{}', '{"a":"ž"}', `{"a":"${'漢'.repeat(5_000)}"}`, '{"a":"\u0000\u{1f642}"}']) {
      const secret = newSecret();
      const line = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: body, encoding: 'utf8' });
      const { 'X-Webhook-Signature': signature } = signedHeaders({ secret, deliveryId, event, body, sentAt });
      expect(signature).toBe(`sha256=${line.trim().split(' ').at(-1)}`);
    }
  });

  test('both libraries refuse another body, another secret, and another id or time', async () => {
    const secret = newSecret();
    const body = '{"a":1}';
    const headers = signedHeaders({ secret, deliveryId, event, body, sentAt });
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
    expect(hmacByDefinition(key, message)).toBe(mac);
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

import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { hmacSha256, signedHeaders } from '../../../../core/webhooks/sender/signature.ts';
import { isSigned, isSignedAndFresh } from '../../../../docs/examples/verify-webhook.ts';
import { hmacByDefinition } from './hmac-by-definition.ts';

interface Vector {
  readonly tcId: number;
  readonly key: Buffer;
  readonly message: Buffer;
  /** 32 bytes, or the first 16 of them. */
  readonly tag: Buffer;
  readonly valid: boolean;
}

const vectors = readFileSync(new URL('hmac-sha256-vectors.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Vector => {
    const [tcId = '', key = '', message = '', tag = '', result] = line.split(',');
    const [keyBytes, messageBytes, tagBytes] = [key, message, tag].map((hex) => Buffer.from(hex, 'hex'));
    if (!keyBytes || !messageBytes || !tagBytes) throw new Error(line);
    return { tcId: Number(tcId), key: keyBytes, message: messageBytes, tag: tagBytes, valid: result === 'valid' };
  });
const valid = vectors.filter((vector) => vector.valid);
const short = vectors.filter(({ tag }) => tag.length < 32);

const ids = (some: readonly Vector[]) => some.map(({ tcId }) => tcId);

/** The vectors whose key is text, as a secret is. */
const withTextKey = vectors.filter(({ key }) => Buffer.from(key.toString()).equals(key));

/** `signature` with the fault that the vector's tag has: what flipped there flips here. */
function withFaultOf({ key, message, tag }: Vector, signature: Buffer): Buffer {
  const right = hmacByDefinition(key, message);
  return Buffer.from(signature.map((byte, i) => byte ^ (right[i] ?? 0) ^ (tag[i] ?? right[i] ?? 0)));
}

test('there are 174 vectors, 66 of them valid, 87 with a tag of 32 bytes and 87 with one of 16', () => {
  expect(ids(vectors)).toEqual(Array.from({ length: 174 }, (_, i) => i + 1));
  expect(valid).toHaveLength(66);
  expect(vectors.filter(({ tag }) => tag.length === 32)).toHaveLength(87);
  expect(short.filter(({ tag }) => tag.length === 16)).toHaveLength(87);
});

describe('the HMAC of both signatures', () => {
  const agreed = (hmac: (key: Uint8Array, message: Uint8Array) => Buffer) =>
    ids(vectors.filter(({ key, message, tag }) => hmac(key, message).subarray(0, tag.length).equals(tag)));

  test('agrees with every valid vector and with no other', () => {
    expect(agreed((key, message) => hmacSha256(key, message))).toEqual(ids(valid));
    expect(agreed(hmacByDefinition)).toEqual(ids(valid));
  });

  test('is the same into whichever two parts a message falls', () => {
    for (const { key, message } of vectors) {
      const whole = hmacSha256(key, message);
      for (let at = 0; at <= message.length; at++) {
        expect(hmacSha256(key, message.subarray(0, at), message.subarray(at)).equals(whole)).toBe(true);
      }
    }
  });

  test.each<[fault: string, hmac: (key: Uint8Array, message: Uint8Array) => Buffer]>([
    ['cuts a long key', (key, message) => hmacSha256(key.subarray(0, 64), message)],
    ['hashes a short key', (key, message) => hmacSha256(hmacByDefinition(key, Buffer.alloc(0)), message)],
    ['takes its key for text', (key, message) => hmacSha256(Buffer.from(key).toString(), message)],
    ['takes its message for text', (key, message) => hmacSha256(key, Buffer.from(message).toString())],
    ['takes its message for Latin-1', (key, message) => hmacSha256(key, Buffer.from(message).toString('latin1'))],
    ['forgets the last byte', (key, message) => hmacSha256(key, message.subarray(0, -1))],
  ])('would be found out by a valid vector if it %s', (_, hmac) => {
    const found = agreed(hmac);
    expect(ids(valid).filter((id) => !found.includes(id))).not.toEqual([]);
  });
});

describe('X-Webhook-Signature, with the secret that the key of a vector is', () => {
  const signed = ({ key, message }: Vector) =>
    signedHeaders({
      mode: 'live',
      secret: key.toString(),
      deliveryId: 'dlv_1',
      event: 'ping',
      body: message,
      sentAt: 0,
    });

  /** Every vector of them is invalid: so what `verify` accepts it accepts wrongly. */
  const accepted = (verify: typeof isSigned, signature: (vector: Vector) => Buffer) =>
    ids(
      withTextKey.filter((vector) => {
        const headers = { 'x-webhook-signature': `sha256=${signature(vector).toString('hex')}` };
        return verify(vector.key.toString(), headers, vector.message);
      }),
    );
  const tagAsItIs = ({ tag }: Vector) => tag;
  const tagMadeLong = (vector: Vector) => withFaultOf(vector, hmacByDefinition(vector.key, vector.message));
  const rightButShort = ({ key, message, tag }: Vector) => hmacByDefinition(key, message).subarray(0, tag.length - 1);

  test('all 108 invalid vectors can be tried, and none of the valid', () => {
    expect(ids(withTextKey)).toEqual(ids(vectors.filter((vector) => !vector.valid)));
    expect(withTextKey).toHaveLength(108);
  });

  test('is made, and accepted by the receiver', () => {
    for (const vector of withTextKey) {
      const right = hmacByDefinition(vector.key, vector.message);
      const { 'X-Webhook-Signature': signature } = signed(vector);
      expect(signature).toBe(`sha256=${right.toString('hex')}`);
      const headers = { 'x-webhook-signature': signature };
      expect(isSigned(vector.key.toString(), headers, vector.message)).toBe(true);
    }
  });

  test('is refused with the fault of any invalid vector, and when it is short', () => {
    expect(accepted(isSigned, tagAsItIs)).toEqual([]);
    expect(accepted(isSigned, tagMadeLong)).toEqual([]);
    expect(accepted(isSigned, rightButShort)).toEqual([]);
  });

  const receiver =
    (equal: (actual: Buffer, expected: Buffer) => boolean): typeof isSigned =>
    (secret, headers, rawBody) =>
      equal(Buffer.from(String(headers['x-webhook-signature']).slice(7), 'hex'), hmacSha256(secret, rawBody));
  const onlyBits = (mask: number) => (actual: Buffer, expected: Buffer) =>
    actual.length === expected.length && actual.every((byte, i) => ((byte ^ (expected[i] ?? 0)) & mask) === 0);
  const sum = (bytes: Buffer) => bytes.reduce((total, byte) => total ^ byte, 0);

  test.each<[fault: string, receiver: typeof isSigned]>([
    ['first half', receiver((actual, expected) => actual.subarray(0, 16).equals(expected.subarray(0, 16)))],
    ['last half', receiver((actual, expected) => actual.subarray(-16).equals(expected.subarray(-16)))],
    ['upper seven bits of each byte', receiver(onlyBits(0xfe))],
    ['lower seven bits of each byte', receiver(onlyBits(0x7f))],
    ['sum of the bytes', receiver((actual, expected) => sum(actual) === sum(expected))],
    ['bytes that arrived', receiver((actual, expected) => actual.equals(expected.subarray(0, actual.length)))],
  ])('a receiver that compares only the %s would be found out', (_, verify) => {
    const wrongly = [tagAsItIs, tagMadeLong, rightButShort].flatMap((signature) => accepted(verify, signature));
    expect(wrongly).not.toEqual([]);
  });
});

describe('the Standard Webhooks signature, with the key of a vector in the secret', () => {
  const sentAt = Date.UTC(2026, 11, 1, 8);
  const id = 'dlv_1';
  const secretOf = ({ key }: Vector) => `whsec_${key.toString('base64')}`;
  const content = ({ message }: Vector) => Buffer.concat([Buffer.from(`${id}.${sentAt / 1_000}.`), message]);
  const right = (vector: Vector) => hmacByDefinition(vector.key, content(vector));

  const accepted = (signature: (vector: Vector) => Buffer) =>
    ids(
      vectors.filter((vector) => {
        const headers: IncomingHttpHeaders = {
          'webhook-id': id,
          'webhook-timestamp': String(sentAt / 1_000),
          'webhook-signature': `v1,${signature(vector).toString('base64')}`,
        };
        return isSignedAndFresh(secretOf(vector), headers, vector.message, sentAt);
      }),
    );

  test('covers id, time and message under any key', () => {
    for (const vector of vectors) {
      const body = vector.message;
      const headers = signedHeaders({
        mode: 'live',
        secret: secretOf(vector),
        deliveryId: id,
        event: 'ping',
        body,
        sentAt,
      });
      expect(headers['webhook-signature']).toBe(`v1,${right(vector).toString('base64')}`);
    }
  });

  test('is refused with the fault of any invalid vector, and accepted with that of a valid one, which has none', () => {
    expect(accepted((vector) => withFaultOf(vector, right(vector)))).toEqual(ids(valid));
  });

  test('is refused when it is as short as a tag of 16 bytes', () => {
    expect(accepted((vector) => right(vector).subarray(0, vector.tag.length))).toEqual(
      ids(vectors.filter((vector) => !short.includes(vector))),
    );
  });
});

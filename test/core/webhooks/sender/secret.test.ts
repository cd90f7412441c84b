import { afterEach, expect, test } from 'vitest';
import { setWorld } from '../../../../core/clock.ts';
import { newSecret } from '../../../../core/webhooks/sender/secret.ts';

afterEach(() => setWorld());

test('a secret is whsec_ and the base64 of 32 random bytes', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
});

test('no two secrets are equal', () => {
  expect(new Set(Array.from({ length: 1_000 }, newSecret)).size).toBe(1_000);
});

test('the bytes come from the one source of chance', () => {
  setWorld({ randomBytes: (size) => new Uint8Array(size).fill(7) });
  expect(newSecret()).toBe(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
});

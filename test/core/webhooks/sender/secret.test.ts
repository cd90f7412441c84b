import { afterEach, expect, test } from 'vitest';
import { setRuntime } from '../../../../core/clock.ts';
import { newSecret } from '../../../../core/webhooks/sender/secret.ts';

afterEach(() => setRuntime());

test('A signing secret consists of whsec_ and the base64 of 32 random bytes', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
});

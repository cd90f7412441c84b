import { expect, test } from 'vitest';
import { callerHash } from '../../../../core/http/access/key.ts';

const key = 'b3a1c6f0-5d1e-11f1-8a37-0a5f3e7d9c21';
const noon = Date.UTC(2026, 10, 23, 12);
const dayMs = 86_400_000;
const many = Array.from({ length: 1_000 }, (_, i) => `203.0.${i >> 8}.${i & 255}`);

test('The log identifies a caller by a hash that stays the same all day and is another one the next day', () => {
  const hash = callerHash('203.0.113.7', key, noon);
  expect(callerHash('203.0.113.7', key, noon + dayMs / 2 - 1)).toBe(hash);
  expect(callerHash('203.0.113.7', key, noon + dayMs / 2)).not.toBe(hash);
});

test('The hash that identifies a caller in the log does not reveal the IP address, and differs between deployment stages', () => {
  expect(callerHash('203.0.113.7', key, noon)).toMatch(/^[0-9a-f]{6}$/);
  const elsewhere = many.map((address) => callerHash(address, 'another', noon));
  expect(many.filter((address, i) => callerHash(address, key, noon) === elsewhere[i])).toEqual([]);
});

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { createKeyValue, parseKeyValue } from '../../../core/keys/key-value.ts';

afterEach(() => setRuntime());

test('A new API key value has the documented form and is stored only as its SHA-256 hash', () => {
  for (const kind of [true, false]) {
    const value = createKeyValue({ test: kind });
    expect(value).toMatch(kind ? /^bk_test_[0-9A-Za-z]{36}$/ : /^bk_live_[0-9A-Za-z]{36}$/);
    expect(parseKeyValue(value)).toEqual({
      hash: createHash('sha256').update(value).digest('hex'),
      prefix: value.slice(0, 12),
      isSession: false,
    });
  }
});

test('The last six characters of an API key value are the base-62 CRC-32 checksum of the thirty characters before', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = createKeyValue({ test: false });
  const number = [...value.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
  expect(number).toBe(crc32(value.slice(8, 38)));
});

test('An API key value in which any single character was changed is refused', () => {
  const value = createKeyValue({ test: false });
  for (let i = 0; i < value.length; i++) {
    const typo = value.slice(0, i) + (value[i] === 'x' ? 'y' : 'x') + value.slice(i + 1);
    expect(parseKeyValue(typo)).toBeUndefined();
  }
});

test.each([
  ...['', 'bk_live_', 'sk_live_x', 'bk_live_\n', 'ключ', `bk_prod_${'a'.repeat(36)}`, `bk_live_${'a'.repeat(37)}`],
  ...[`${createKeyValue({ test: false })}\n`, ` ${createKeyValue({ test: false })}`],
])('The text %j is not a valid API key value', (value) => expect(parseKeyValue(value)).toBeUndefined());

test('All characters of an API key value are equally likely, because random bytes above 247 are discarded', () => {
  const rounds = [248, 251, 255, 247];
  setRuntime({ randomBytes: (size) => new Uint8Array(size).fill(rounds.shift() ?? 0) });
  expect(createKeyValue({ test: false }).slice(8, 38)).toBe('z'.repeat(30));
  expect(rounds).toEqual([]);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten } from '../../core/shorten.ts';

test('A text that fits is not shortened.', () => {
  expect([shorten('', 3), shorten('abc', 3), shorten('a😀', 3)]).toEqual(['', 'abc', 'a😀']);
});

test('A character at the bound stays whole or goes.', () => {
  expect([shorten('ab😀', 3), shorten('ab😀c', 4), shorten('😀', 1), shorten('abcd', 3)]).toEqual([
    'ab',
    'ab😀',
    '',
    'abc',
  ]);
});

test('The beginning of any well-formed text is well-formed and misses at most one unit of the bound.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
      const short = shorten(text, max);
      expect(short.isWellFormed() && text.startsWith(short) && short.length <= max).toBe(true);
      expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1);
    }),
  );
});

test('Negative control: a plain slice at the same bound leaves half a character.', () => {
  expect('ab😀'.slice(0, 3).isWellFormed()).toBe(false);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten } from '../../core/shorten.ts';

test('A text is cut to its maximum length, but never in the middle of a surrogate pair', () => {
  expect([shorten('', 3), shorten('abc', 3), shorten('a😀', 3)]).toEqual(['', 'abc', 'a😀']);
  const shortened = [shorten('ab😀', 3), shorten('ab😀c', 4), shorten('😀', 1), shorten('abcd', 3)];
  expect(shortened).toEqual(['ab', 'ab😀', '', 'abc']);
});

test('Any shortened text is well-formed Unicode, and at most one code unit shorter than the maximum', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
      const short = shorten(text, max);
      expect(short.isWellFormed() && text.startsWith(short) && short.length <= max).toBe(true);
      expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1);
    }),
  );
});

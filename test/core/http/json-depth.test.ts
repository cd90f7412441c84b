import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeperThan } from '../../../core/http/request.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('The JSON depth agrees with the parsed depth, whatever strings and escapes the text contains', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, max) => {
      expect(nestsDeeperThan(max, JSON.stringify(value))).toBe(depthOf(value) > max);
    }),
  );
});

test('The JSON depth of ten million brackets is computed without recursion', () => {
  expect(nestsDeeperThan(32, '['.repeat(10_000_000))).toBe(true);
});

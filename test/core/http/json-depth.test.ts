import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeperThan } from '../../../core/http/request.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('agrees with the depth of what is parsed, whatever strings and escapes it holds', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, max) => {
      expect(nestsDeeperThan(max, JSON.stringify(value))).toBe(depthOf(value) > max);
    }),
  );
});

test('ten million brackets are judged without recursion', () => {
  expect(nestsDeeperThan(32, '['.repeat(10_000_000))).toBe(true);
});

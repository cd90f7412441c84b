import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeperThan } from '../../../core/http/request.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('The nesting depth that is computed from JSON text equals the depth of the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const [depth, text] = [depthOf(value), JSON.stringify(value)];
      expect([nestsDeeperThan(depth, text), nestsDeeperThan(depth - 1, text)]).toEqual([false, depth > 0]);
    }),
    { examples: [[{ a: {}, b: [[], []] }], [[']"[{', '\\', '{']]] },
  );
});

import { expect, test } from 'vitest';
import { BoundedMap } from '../../core/bounded-map.ts';

test('A map with a maximum size drops its oldest entry when it is full, and writing an entry again makes it the newest', () => {
  const map = new BoundedMap<string, number>(2);
  for (const [i, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, i);
  expect([map.get('a'), map.get('b'), map.get('c'), [...map.values()]]).toEqual([2, undefined, 3, [2, 3]]);
});

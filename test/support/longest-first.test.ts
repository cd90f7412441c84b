import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longest } from './longest-first.ts';

test('every file that begins first is there, and named once', () => {
  expect(longest.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});

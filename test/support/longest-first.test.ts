import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longest } from './longest-first.ts';

test('Every test file in the list of slow test files exists and is listed once', () => {
  expect(longest.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});

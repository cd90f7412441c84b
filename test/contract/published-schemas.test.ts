/** What we send may gain fields (decisions §7, §9): no published schema of it forbids others; those of requests do (§1). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listEventTypes } from '../../core/events/types.ts';

/** Paths of the objects below `value` that forbid other fields. */
function closed(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = 'additionalProperties' in value && value.additionalProperties === false ? [path] : [];
  return [...here, ...Object.entries(value).flatMap(([name, child]) => closed(child, `${path}/${name}`))];
}

test.each(['openapi.json', 'openapi-account.json'])('%s', (file) => {
  const found = closed(JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')));
  expect(found.filter((path) => !/^\/paths\/.*\/requestBody\//.test(path))).toEqual([]);
  expect(found.filter((path) => path.startsWith('/paths/')).length).toBeGreaterThan(3);
});

test('GET /webhooks/events', () => {
  expect(closed(listEventTypes())).toEqual([]);
});

/** Finds the changes of the document that break programs that were built on it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakingChanges } from '../../bin/breaking-changes.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

interface Body {
  properties: Record<string, { type?: string; additionalProperties?: object; propertyNames?: object }>;
  required: string[];
}
interface Document {
  paths: Record<string, Record<string, { parameters: object[]; responses: Record<string, unknown> }>>;
  components: { schemas: Record<'Booking' | 'BookingCreate' | 'Staff', Body> };
}

/** The findings after this change of the current document. */
function found(change: (document: Document) => void): string[] {
  const changed = JSON.parse(text) as Document;
  change(changed);
  return breakingChanges(JSON.parse(text), changed as never);
}

const bookings = (document: Document) => document.paths['/bookings'] as Document['paths'][string];

test('The check for breaking changes of the API reports nothing if the OpenAPI document has not changed', () => {
  expect(found(() => undefined)).toEqual([]);
});

test.each<[string, (document: Document) => void, string]>([
  ['a removed endpoint', (document) => delete bookings(document).post, 'POST /bookings: is gone'],
  [
    'a removed success status',
    (document) => delete bookings(document).post?.responses['201'],
    'POST /bookings: no longer answers 201',
  ],
  [
    'a parameter that is now required',
    (document) => bookings(document).get?.parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
    'GET /bookings x: is required now',
  ],
  [
    'a request field that is now required',
    ({ components }) => components.schemas.BookingCreate.required.push('externalId'),
    'POST /bookings.externalId: is required now',
  ],
  [
    'a removed request field',
    ({ components }) => delete components.schemas.BookingCreate.properties.externalId,
    'POST /bookings.externalId: is gone',
  ],
  [
    'a removed response field',
    ({ components }) => delete components.schemas.Booking.properties.startTime,
    'startTime: is gone',
  ],
  [
    'a response field that is now optional',
    ({ components }) => components.schemas.Booking.required.splice(0, 1),
    'is no longer always sent',
  ],
  [
    'a changed type of a field',
    ({ components }) => Object.assign(components.schemas.Booking.properties.startTime ?? {}, { type: 'integer' }),
    'startTime: type was "string" and is "integer"',
  ],
  [
    'a request field that takes shorter texts than before',
    ({ components }) => Object.assign(components.schemas.BookingCreate.properties.externalId ?? {}, { maxLength: 10 }),
    'POST /bookings.externalId: maxLength was 200 and is 10',
  ],
  [
    'a request field that takes only longer texts than before',
    ({ components }) => Object.assign(components.schemas.BookingCreate.properties.externalId ?? {}, { minLength: 5 }),
    'POST /bookings.externalId: minLength was 1 and is 5',
  ],
  [
    'a request field whose length is now limited',
    ({ components }) => Object.assign(components.schemas.BookingCreate.properties.startTime ?? {}, { maxLength: 20 }),
    'POST /bookings.startTime: maxLength was not limited and is 20',
  ],
  [
    'a request field whose values by name are shorter than before',
    ({ components }) =>
      Object.assign(components.schemas.BookingCreate.properties.metadata?.additionalProperties ?? {}, { maxLength: 9 }),
    'POST /bookings.metadata: maxLength was 500 and is 9',
  ],
  [
    'a request field whose names are shorter than before',
    ({ components }) =>
      Object.assign(components.schemas.BookingCreate.properties.metadata?.propertyNames ?? {}, { maxLength: 9 }),
    'POST /bookings.metadata: maxLength was 40 and is 9',
  ],
])('The check for breaking changes of the API reports %s', (_, change, sentence) => {
  expect(found(change)).toContainEqual(expect.stringContaining(sentence));
});

test.each<[string, (document: Document) => void]>([
  ['a new endpoint', (document) => Object.assign(document.paths, { '/new': { get: { responses: {} } } })],
  ['a new response field', ({ components }) => Object.assign(components.schemas.Booking.properties, { x: {} })],
  [
    'a request field that takes longer texts than before',
    ({ components }) => Object.assign(components.schemas.BookingCreate.properties.externalId ?? {}, { maxLength: 999 }),
  ],
  ['a request field that is now optional', ({ components }) => components.schemas.BookingCreate.required.splice(0, 1)],
  [
    'a new optional parameter',
    (document) => bookings(document).get?.parameters.push({ name: 'x', in: 'query', schema: {} }),
  ],
])('The check for breaking changes of the API accepts %s', (_, change) => {
  expect(found(change)).toEqual([]);
});

test('The check for breaking changes prints what it compares: the newest release tag, otherwise the last commit', async () => {
  const env = { GIT_DIR: join(temporaryFolder('releases'), '.git') };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      // Without the settings of the developer, such as signed commits.
      env: { ...process.env, ...env, GIT_WORK_TREE: '.', GIT_CONFIG_GLOBAL: devNull, GIT_INDEX_FILE: undefined },
    });
  const printed = async () => (await command('bin/breaking.ts', [], { env }).ended).stdout;
  expect(await printed()).toContain('compared with nothing');
  git('init', '--quiet');
  git('add', 'openapi.json');
  git('commit', '--quiet', '--message', 'api: release');
  expect(await printed()).toContain('compared with the last commit');
  git('tag', 'v1.2.3');
  expect(await printed()).toContain('compared with v1.2.3.');
});

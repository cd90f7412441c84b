/** The fields that a schema allows, and those that callers without `bookings:read` see (docs/rules.md#privacy). */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { personal } from '../../../contract/personal-data.ts';
import { project } from '../../../core/http/response.ts';

const inner = z.object({ b: z.string(), a: z.optional(z.nullable(z.int())) });
const schema = z.object({
  one: inner,
  maybe: z.optional(z.nullable(inner)),
  many: z.array(inner),
  map: z.record(z.string(), z.int()),
  text: z.string(),
  list: z.optional(z.array(z.string())),
});

test('A response contains only the fields that its schema lists, in the order of the schema, also in nested objects', () => {
  const stored = { a: 1, secret: 2, b: 'x' };
  const body = { b: 'x', a: 1 };
  const value = { text: 't', map: { x: 1 }, many: [stored, { b: 'y' }], maybe: stored, one: stored, pk: 'T#1' };
  const expected = { one: body, maybe: body, many: [body, { b: 'y' }], map: { x: 1 }, text: 't' };
  expect(JSON.stringify(project(schema, value))).toBe(JSON.stringify(expected));
  const more = { maybe: null, list: ['x'] };
  expect(project(schema, { ...value, ...more })).toStrictEqual({ ...expected, ...more });
  expect(project(schema, value)).not.toHaveProperty('list');
});

const booking = z.object({
  id: z.int(),
  client: personal(z.nullable(z.object({ name: z.string(), phone: z.nullable(z.string()) })), 'client'),
  comment: personal(z.nullable(z.string()), 'comment'),
  clientId: personal(z.optional(z.int())),
});
const client = { name: 'Jane', phone: '+371' };
const stored = { id: 1, client, comment: 'x', clientId: 5 };
const hidden = { id: 1, client: null, comment: null, clientId: null };

test('A caller with access to personal data gets all personal data of a booking', () => {
  expect(project(booking, stored)).toStrictEqual(stored);
});

test.each([
  ['nothing', 'no personal data', {}, hidden],
  ['the stored client and comment', 'only these data', stored, { ...hidden, client, comment: 'x' }],
  ['another name and comment', 'no personal data', { client: { ...client, name: 'Bob' }, comment: 'y' }, hidden],
  ['only the phone of the client', 'no personal data', { client: { phone: '+371' } }, hidden],
  ['null as the client', 'no personal data', { client: null }, hidden],
  ['a text as the client', 'no personal data', { client: 'Jane' }, hidden],
])('A caller who may not see personal data gets back only what was sent (%s: %s)', (_sent, _got, brought, seen) => {
  expect(project(booking, stored, brought)).toStrictEqual(seen);
});

test('A caller who may not see personal data gets back what it sent, and null for each personal field that it left out', () => {
  const bare = { id: 1, client: { name: 'Jane', phone: null }, comment: null };
  expect(project(booking, bare, { client: { name: 'Jane' } })).toStrictEqual(bare);
  const empty = { id: 1, client: null, comment: null };
  expect(project(booking, empty, { client: {} })).toStrictEqual(empty);
});

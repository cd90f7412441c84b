import { expect, test } from 'vitest';
import { readCursor, writeCursor } from '../../core/cursor.ts';

const scope = { tenantId: 7, list: 'bookings', status: 'confirmed', staffId: undefined };
const place = '29900460.376971264003429';
const refused = expect.objectContaining({
  code: 'validation_failed',
  extras: { details: [{ path: 'cursor', message: 'must be the nextCursor of an answer to the same filters' }] },
});

test('A cursor leads back to its position', () => {
  expect(readCursor(scope, writeCursor(scope, place))).toBe(place);
});

test('A filter that is left out of a cursor is the same filter', () => {
  const { staffId: _, ...same } = scope;
  expect(readCursor(same, writeCursor(scope, place))).toBe(place);
});

test('The order in which filters are named does not change a cursor', () => {
  const turned = Object.fromEntries(Object.entries({ ...scope, a: 1, z: 2 }).reverse());
  expect(readCursor(turned, writeCursor({ ...scope, a: 1, z: 2 }, place))).toBe(place);
});

test('A cursor that was given out once is accepted for as long as its list lives', () => {
  expect(writeCursor(scope, place)).toBe('MzkxNzdmOTY1NWI3ZTY1ZjI5OTAwNDYwLjM3Njk3MTI2NDAwMzQyOQ');
});

test.each<[string, Record<string, unknown>]>([
  ['another business', { ...scope, tenantId: 8 }],
  ['another list', { ...scope, list: 'reviews' }],
  ['another value of a filter', { ...scope, status: 'pending' }],
  ['another filter', { ...scope, status: undefined, serviceId: 'confirmed' }],
  ['a filter more', { ...scope, staffId: 1 }],
])('A cursor of %s is refused', (_, other) => {
  expect(() => readCursor(scope, writeCursor(other, place))).toThrow(refused);
});

test('a cursor with any character changed, added or taken away is refused', () => {
  const cursor = writeCursor(scope, place);
  for (let i = 0; i < cursor.length; i++) {
    const other = cursor[i] === 'A' ? 'B' : 'A';
    expect(() => readCursor(scope, cursor.slice(0, i) + other + cursor.slice(i + 1))).toThrow(refused);
    expect(() => readCursor(scope, cursor.slice(0, i))).toThrow(refused);
  }
  for (const more of ['=', '!', ' ', 'A', 'AAAA']) expect(() => readCursor(scope, cursor + more)).toThrow(refused);
});

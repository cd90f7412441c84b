import { expect, test } from 'vitest';
import { readCursor, writeCursor } from '../../core/cursor.ts';

const scope = { tenantId: 7, list: 'bookings', status: 'confirmed', staffId: undefined };
const position = '29900460.376971264003429';
const refused = expect.objectContaining({
  code: 'validation_failed',
  extras: {
    details: [{ path: 'cursor', message: 'must be the nextCursor of a response to a request with the same filters' }],
  },
});

test.each<[string, Record<string, unknown>]>([
  ['a request with the same filters', scope],
  ['a request that leaves out an empty filter', { tenantId: 7, list: 'bookings', status: 'confirmed' }],
  ['a request with its filters in another order', Object.fromEntries(Object.entries(scope).reverse())],
])('A list cursor is accepted for %s', (_, same) => {
  expect(readCursor(same, writeCursor(scope, position))).toBe(position);
});

test('A list cursor that an earlier release returned is still accepted', () => {
  expect(writeCursor(scope, position)).toBe('MzkxNzdmOTY1NWI3ZTY1ZjI5OTAwNDYwLjM3Njk3MTI2NDAwMzQyOQ');
});

test.each<[string, Record<string, unknown>]>([
  ['a list of another business', { ...scope, tenantId: 8 }],
  ['another list', { ...scope, list: 'reviews' }],
  ['a list with another value of a filter', { ...scope, status: 'pending' }],
  ['a list with another filter', { ...scope, status: undefined, serviceId: 'confirmed' }],
  ['a list with one more filter', { ...scope, staffId: 1 }],
])('A list cursor made for %s is refused', (_, other) => {
  expect(() => readCursor(scope, writeCursor(other, position))).toThrow(refused);
});

test('A list cursor with any character changed, added or removed is refused', () => {
  const cursor = writeCursor(scope, position);
  for (let i = 0; i < cursor.length; i++) {
    const other = cursor[i] === 'A' ? 'B' : 'A';
    expect(() => readCursor(scope, cursor.slice(0, i) + other + cursor.slice(i + 1))).toThrow(refused);
    expect(() => readCursor(scope, cursor.slice(0, i))).toThrow(refused);
  }
  for (const more of ['=', '!', ' ', 'A', 'AAAA']) expect(() => readCursor(scope, cursor + more)).toThrow(refused);
});

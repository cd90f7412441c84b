import { describe, expect, test } from 'vitest';
import { checkPattern, matches, type Pattern } from '../src/event-pattern.ts';

const event = {
  source: 'booking',
  'detail-type': 'booking.created',
  detail: { id: 7, tags: ['new', 'web'], price: { amount: 4500 }, note: null, items: [{ kind: 'a' }, { kind: 'b' }] },
};

describe('event patterns', () => {
  test.each<[string, Pattern, boolean]>([
    ['that is empty', {}, true],
    ['with one value', { source: ['booking'] }, true],
    ['with two allowed values', { source: ['x', 'booking'] }, true],
    ['with a value that the event does not have', { source: ['x'] }, false],
    ['with two fields, one of which differs from the event,', { source: ['booking'], 'detail-type': ['x'] }, false],
    ['with a nested number', { detail: { price: { amount: [4500] } } }, true],
    ['with the digits of a number as text', { detail: { id: ['7'] } }, false],
    ['with one value of a list in the event', { detail: { tags: ['web'] } }, true],
    ['with null', { detail: { note: [null] } }, true],
    ['with a prefix that is excluded by anything-but', { source: [{ 'anything-but': { prefix: 'book' } }] }, false],
    ['with a field of one object in a list', { detail: { items: { kind: ['b'] } } }, true],
    ['with a field value that no object in a list has', { detail: { items: { kind: ['c'] } } }, false],
    ['with a nested pattern for a number', { detail: { id: { more: [7] } } }, false],
    ['with $or and no matching alternative', { $or: [{ source: ['x'] }, { detail: { id: [8] } }] }, false],
    ['with $or and one matching alternative', { $or: [{ source: ['x'] }, { detail: { id: [7] } }] }, true],
  ])('In a local run, an EventBridge pattern %s gives the same result as in AWS', (_, pattern, expected) => {
    expect(matches(pattern, event)).toBe(expected);
  });
});

const anyCase = (text: string) => ({ 'equals-ignore-case': text });

describe('matchers of an event pattern', () => {
  const shown = (value: unknown) => JSON.stringify(value) ?? 'a missing field';
  const matchers: readonly [matcher: unknown, holds: unknown, fails: readonly unknown[]][] = [
    [{ prefix: 'book' }, 'booking', ['Booking', 'abook']],
    [{ prefix: '7' }, '7a', [7]],
    [{ prefix: anyCase('Book') }, 'bOOKing', ['abook']],
    [{ suffix: 'ing' }, 'booking', ['bookings', 'bookING', 7]],
    [{ suffix: anyCase('Ing') }, 'bookiNG', ['bookings']],
    [{ 'equals-ignore-case': 'Booking' }, 'bOOKing', ['bookings', 7]],
    [{ wildcard: 'a.*z' }, 'a.\nz', ['abz', 'a.z2', '1a.z', 7]],
    [{ wildcard: '*' }, '', [7, undefined]],
    [{ exists: true }, null, [undefined]],
    [{ exists: false }, undefined, [null, 0]],
    [{ 'anything-but': ['a', 7] }, 'b', ['a', 7, undefined]],
    [{ 'anything-but': { suffix: 'ing' } }, 'booked', ['booking', undefined]],
    [{ 'anything-but': { prefix: ['a', 'b'] } }, 'ca', ['ac', 'bc', undefined]],
    [{ 'anything-but': { suffix: ['a', 'b'] } }, 'ac', ['ca', 'cb']],
    [{ 'anything-but': { 'equals-ignore-case': ['new', 'paid'] } }, 'newer', ['New', 'PAID']],
    [{ 'anything-but': { wildcard: ['a*', '*b'] } }, 'c', ['ab', 'ac', 'cb']],
    [{ numeric: ['=', 7] }, 7, [6, 8, '7']],
    [{ numeric: ['<', 7] }, 6, [7, 8]],
    [{ numeric: ['<=', 7] }, 7, [8, '7', null, undefined]],
    [{ numeric: ['>', 7] }, 8, [7, 6, '8']],
    [{ numeric: ['>=', 7] }, 7, [6]],
    [{ numeric: ['>', 5, '<', 7] }, 6, [5, 7]],
  ];
  const titled = matchers.map(([matcher, holds, fails]) => {
    return [shown(matcher), shown(holds), fails.map(shown).join(' or '), matcher, holds, fails] as const;
  });
  test.each(titled)('The EventBridge pattern %s matches %s, but not %s', (...[, , , matcher, holds, fails]) => {
    expect(matches({ value: [matcher] }, { value: holds })).toBe(true);
    for (const value of fails) expect(matches({ value: [matcher] }, { value })).toBe(false);
  });
});

describe('unsupported event patterns', () => {
  test.each<[string, Pattern, string]>([
    ['an unknown matcher', { detail: { ip: [{ cidr: '10.0.0.0/8' }] } }, 'cidr'],
    ['an unknown matcher inside $or', { $or: [{ source: ['a'] }, { detail: { ip: [{ cidr: '' }] } }] }, 'cidr'],
    ['two matchers in one object', { source: [{ prefix: 'a', suffix: 'b' }] }, 'prefix, suffix'],
    ['a value outside a list', { source: 'booking' }, 'source'],
    ['a nested value outside a list', { detail: { id: 7 } }, 'id'],
    ['an unknown comparison', { detail: { id: [{ numeric: ['>', 5, '!', 7] }] } }, 'numeric !'],
    ['$or without a list', { $or: 'booking' }, '$or'],
    ['a number as prefix', { source: [{ prefix: 7 }] }, '7'],
    ['null as wildcard', { source: [{ wildcard: null }] }, 'null'],
    ['a number to compare without case', { source: [{ prefix: { 'equals-ignore-case': 7 } }] }, '7'],
    ['a list of suffixes outside anything-but', { source: [{ suffix: ['a', 'b'] }] }, '["a","b"]'],
    ['a number in a list inside anything-but', { source: [{ 'anything-but': { wildcard: ['*', 7] } }] }, '7'],
    ['numeric inside anything-but', { source: [{ 'anything-but': { numeric: ['>', 7] } }] }, 'anything-but numeric'],
    ['a comparison without a list', { source: [{ numeric: 7 }] }, 'numeric 7'],
  ])('A local run refuses an EventBridge rule whose pattern has %s', (_, pattern, named) => {
    if (named !== '$or')
      expect(() => matches(pattern, { ...event, source: '', detail: { id: 7, ip: '' } })).toThrow(named);
    expect(() => checkPattern(pattern)).toThrow(`this part of an event pattern: ${named}`);
  });

  test('A local run accepts an EventBridge pattern that uses only supported matchers', () => {
    const known = { detail: { id: [{ numeric: ['>', 5] }, null, 'a'] }, source: [{ 'anything-but': { prefix: 'a' } }] };
    expect(() => checkPattern({ $or: [known, { source: [{ exists: false }] }] })).not.toThrow();
  });
});

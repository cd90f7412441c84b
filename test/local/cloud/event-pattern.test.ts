import { describe, expect, test } from 'vitest';
import { checkPattern, matches, type Pattern } from '../../../local/cloud/event-pattern.ts';

const event = {
  source: 'booking',
  'detail-type': 'booking.created',
  detail: { id: 7, tags: ['new', 'web'], price: { amount: 4500 }, note: null },
};

describe('patterns', () => {
  test.each<[string, Pattern, boolean]>([
    ['an empty pattern', {}, true],
    ['a value', { source: ['booking'] }, true],
    ['one of several values', { source: ['x', 'booking'] }, true],
    ['another value', { source: ['x'] }, false],
    ['every field must match', { source: ['booking'], 'detail-type': ['x'] }, false],
    ['a nested number', { detail: { price: { amount: [4500] } } }, true],
    ['a number is not its text', { detail: { id: ['7'] } }, false],
    ['an item of a list', { detail: { tags: ['web'] } }, true],
    ['null', { detail: { note: [null] } }, true],
    ['prefix', { 'detail-type': [{ prefix: 'booking.' }] }, true],
    ['prefix of another', { 'detail-type': [{ prefix: 'client.' }] }, false],
    ['suffix', { 'detail-type': [{ suffix: '.created' }] }, true],
    ['wildcard', { 'detail-type': [{ wildcard: '*.cre*' }] }, true],
    ['equals-ignore-case', { source: [{ 'equals-ignore-case': 'BOOKING' }] }, true],
    ['anything-but', { source: [{ 'anything-but': ['x', 'y'] }] }, true],
    ['anything-but of this', { source: [{ 'anything-but': 'booking' }] }, false],
    ['anything-but a prefix', { source: [{ 'anything-but': { prefix: 'book' } }] }, false],
    ['exists', { detail: { id: [{ exists: true }] } }, true],
    ['exists not', { detail: { nothing: [{ exists: false }] } }, true],
    ['numeric', { detail: { id: [{ numeric: ['>', 5, '<=', 7] }] } }, true],
    ['numeric out of range', { detail: { id: [{ numeric: ['<', 7] }] } }, false],
    ['$or', { $or: [{ source: ['x'] }, { detail: { id: [7] } }] }, true],
  ])('%s', (_, pattern, expected) => {
    expect(matches(pattern, event)).toBe(expected);
  });
});

test('an unknown matcher is refused when the rule is read', () => {
  expect(() => checkPattern({ detail: { ip: [{ cidr: '10.0.0.0/8' }] } })).toThrow('cidr');
});

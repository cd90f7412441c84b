import { describe, expect, test } from 'vitest';
import { checkPattern, matches, type Pattern } from '../src/event-pattern.ts';

const event = {
  source: 'booking',
  'detail-type': 'booking.created',
  detail: { id: 7, tags: ['new', 'web'], price: { amount: 4500 }, note: null, items: [{ kind: 'a' }, { kind: 'b' }] },
};

describe('event patterns', () => {
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
    ['the item of a list that is what is asked for', { detail: { items: { kind: ['b'] } } }, true],
    ['no item of a list', { detail: { items: { kind: ['c'] } } }, false],
    ['a prefix', { source: [{ prefix: 'book' }] }, true],
    ['another prefix', { source: [{ prefix: 'Book' }] }, false],
    ['a prefix of an item of a list', { detail: { tags: [{ prefix: 'we' }] } }, true],
  ])('EventBridge patterns match as in AWS: %s', (_, pattern, expected) => {
    expect(matches(pattern, event)).toBe(expected);
  });
});

describe('values of another type', () => {
  test.each<[string, Pattern]>([
    ['prefix against a number', { detail: { id: [{ prefix: '7' }] } }],
    ['a part against a number', { detail: { id: { more: [7] } } }],
  ])('An event pattern does not match a value of another type: %s', (_, pattern) => {
    expect(matches(pattern, event)).toBe(false);
    expect(matches(pattern, { ...event, detail: { ...event.detail, tags: ['7'] } })).toBe(false);
  });
});

function refusal(judge: () => void): string {
  try {
    judge();
  } catch (error) {
    return String(error);
  }
  return 'none';
}

describe('unsupported event patterns', () => {
  test.each<[string, Pattern, string]>([
    ['an unknown matcher', { detail: { ip: [{ cidr: '10.0.0.0/8' }] } }, 'cidr'],
    ['a known matcher of another type', { source: [{ prefix: 7 }] }, 'prefix'],
    ['two matchers in one', { source: [{ prefix: 'a', suffix: 'b' }] }, 'prefix, suffix'],
    ['a value outside a list', { source: 'booking' }, 'source'],
    ['a value outside a list, further in', { detail: { id: 7 } }, 'id'],
    ['$or', { $or: [{ source: ['a'] }, { detail: { id: [7] } }] }, 'source'],
  ])('An event pattern with %s is refused when the rule is read', (_, pattern, named) => {
    expect(() => matches(pattern, { ...event, source: '', detail: { id: 7, ip: '' } })).toThrow(named);
    expect(refusal(() => checkPattern(pattern))).toMatch(`this part of an event pattern: ${named}`);
  });

  test('An event pattern that uses only supported matchers is accepted', () => {
    expect(() => checkPattern({ detail: { id: [7, null, 'a'] }, source: [{ prefix: 'a' }] })).not.toThrow();
  });
});

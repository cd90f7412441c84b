/** Which claims may be looked up to be cleared away, and how a webhook's numbers are taken. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setWorld } from '../../../../core/clock.ts';
import { claimsToLookUp } from '../../../../core/deliveries/plan/claims.ts';
import type { Claim, WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';

const events = ['booking.created'] as const;
/** Claims of events from one id on. */
const claims = (from: number, count: number): Record<string, Claim> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [from + i, [i, 0, (from + i) % 5]]));
const webhook = (changes: Partial<WebhookItem>) =>
  ({ pk: 'T#7', sk: 'WEBHOOK#1', tenantId: 7, status: 'active', events, lastNumber: 4, ...changes }) as WebhookItem;
const event = (changes: object = {}) => ({ id: 1_000, tenantId: 7, name: 'booking.created', ...changes });
const place = (id: number) => ({ id, shard: id % 5 });
const places = (from: number, count: number) => Array.from({ length: count }, (_, i) => place(from + i));

/** Chance comes to so many 256ths. */
const chance = (byte: number) => setWorld({ randomBytes: (size) => new Uint8Array(size).fill(byte, 0, 1) });

beforeEach(() => chance(0));
afterEach(() => setWorld());

describe('of a webhook that takes numbers', () => {
  test.each([
    ['no claims are no work', undefined, []],
    ['a few are kept', claims(1, 8), []],
    ['more are looked up, in the order of their events', claims(1, 9), places(1, 9)],
  ])('%s', (_, its, expected) => {
    expect(claimsToLookUp([webhook({ claims: its as never })], [event()])).toEqual(expected);
  });
});

test.each([
  ['an event of another business', event({ tenantId: 8 })],
  ['an event that it does not subscribe to', event({ name: 'booking.cancelled' })],
  ['an event that has its number', event({ id: 5 })],
])('a webhook takes no number for %s, and its claims stay', (_, one) => {
  expect(claimsToLookUp([webhook({ claims: claims(1, 9) })], [one])).toEqual([]);
  expect(claimsToLookUp([webhook({ claims: claims(1, 9) })], [one, event()])).toEqual(places(1, 9));
});

test('an event that several webhooks have claims of is looked up once', () => {
  const both = [webhook({ claims: claims(20, 12) }), webhook({ claims: claims(15, 12) })];
  expect(claimsToLookUp(both, [event()])).toEqual(places(15, 17));
});

test.each([
  ['forty at once', 60, 0, places(1, 40)],
  ['from a random place on, and round', 60, 128, [...places(31, 30), ...places(1, 10)]],
  ['half of them when they are many', 101, 0, places(1, 51)],
])('of many claims are looked up %s', (_, count, byte, expected) => {
  chance(byte);
  expect(claimsToLookUp([webhook({ claims: claims(1, count) })], [event()])).toEqual(expected);
});

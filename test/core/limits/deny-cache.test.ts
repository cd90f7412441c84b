import { expect, test } from 'vitest';
import type { Exhausted } from '../../../core/limits/counter.ts';
import { denyCache } from '../../../core/limits/deny-cache.ts';

const denial: Exhausted = {
  outcome: 'minute_exhausted',
  usage: {
    limits: { perMinute: 60, perDay: 10_000 },
    remaining: 0,
    resetsMs: 60_000,
    dayRemaining: 9,
    dayResetsMs: 86_400_000,
  },
  untilMs: 60_000,
};

test('A flood of requests with different API keys cannot fill the memory in which a Lambda container remembers refused keys', () => {
  const cache = denyCache<Exhausted>();
  const keys = Array.from({ length: 30_000 }, (_, i) => `key ${i}`);
  for (const key of keys) cache.remember(key, denial, 60_000);
  expect(keys.filter((key) => cache.get(key, 0))).toEqual(keys.slice(-10_000));
});

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

test('A flood of different API keys cannot fill the memory with remembered refusals', () => {
  const cache = denyCache<Exhausted>();
  for (let i = 0; i < 30_000; i++) cache.remember(`key ${i}`, denial, 60_000);
  expect(cache.size).toBe(10_000);
  expect(cache.get('key 29999', 0)).toBe(denial);
});

import { afterEach, expect, test, vi } from 'vitest';
import { latest } from '../../console/src/format/clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('The time that the console shows changes once a minute, and is correct at once after an hour without updates', () => {
  vi.useFakeTimers({ now: Date.now() + 3_600_000 });
  const drawn = latest();
  expect(drawn).toBe(Date.now());
  vi.advanceTimersByTime(59_999);
  expect(latest()).toBe(drawn);
  vi.advanceTimersByTime(1);
  expect(latest()).toBe(Date.now());
});

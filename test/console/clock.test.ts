import { afterEach, expect, test, vi } from 'vitest';
import { latest } from '../../console/src/format/clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('The time that the console shows changes once a minute, and is right when it is shown again after an hour', () => {
  vi.useFakeTimers({ now: Date.now() + 3_600_000 });
  const drawn = latest();
  expect(drawn).toBe(Date.now());
  vi.advanceTimersByTime(59_999);
  expect(latest()).toBe(drawn);
  vi.advanceTimersByTime(1);
  expect(latest()).toBe(Date.now());
});

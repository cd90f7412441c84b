import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { delaySecondsUntil, faultPauseSecondsAfter, nextDueAt } from '../../../../core/deliveries/model/due-times.ts';

test('In a local run with accelerated time, the waits between delivery attempts are divided by the acceleration', () => {
  expect(nextDueAt(1, 0, 60)).toBe(1_000);
  expect(nextDueAt(1, 0, 7)).toBe(8_572);
});

test('A long wait before a delivery attempt is split into delays that SQS accepts, and never ends early', () => {
  expect(delaySecondsUntil(0, 5_000)).toBe(0);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 15_000_000 }), (wait) => {
      let now = 0;
      let hops = 0;
      while (now < wait) {
        const seconds = delaySecondsUntil(wait, now);
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThanOrEqual(limits.queueDelaySecondsMax);
        now += seconds * 1_000;
        hops += 1;
      }
      expect(now - wait).toBeLessThan(1_000);
      expect(hops).toBe(Math.ceil(wait / 900_000));
    }),
  );
});

test('After a fault of the platform, a delivery attempt is repeated with growing waits for at most a day', () => {
  expect(
    [0, 30_000, 60_000, 120_000, 600_000, 3_600_000, 86_400_000].map((late) => faultPauseSecondsAfter(0, late)),
  ).toEqual([30, 30, 60, 120, 600, 900, 900]);
  expect(faultPauseSecondsAfter(0, 86_400_001)).toBeUndefined();
});

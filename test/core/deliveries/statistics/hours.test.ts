/** How hours are counted and stored. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryErrorCodes } from '../../../../contract/integration/resources.ts';
import { limits } from '../../../../contract/limits.ts';
import { hourMs } from '../../../../core/clock.ts';
import { compressText } from '../../../../core/compressed-text.ts';
import {
  attemptCounts,
  type CountedRecord,
  countRecord,
  type Hours,
  packHours,
  unpackHours,
} from '../../../../core/deliveries/statistics/hours.ts';
import { bucketOf, percentile } from '../../../../core/deliveries/statistics/response-times.ts';
import { at, countedRecord as record } from './counted-record.ts';

function counted(...records: readonly CountedRecord[]) {
  const hours: Hours = new Map();
  for (const one of records) countRecord(hours, one);
  return hours;
}

test("Percentiles of receivers' response times differ from the exact percentiles by at most 5 %", () => {
  const times = fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95, 1), (all, share) => {
      const sorted = [...all].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      const buckets = new Map<number, number>();
      for (const ms of all) buckets.set(bucketOf(ms), (buckets.get(bucketOf(ms)) ?? 0) + 1);
      const found = percentile(buckets, share) ?? Number.NaN;
      expect(Math.abs(found - exact)).toBeLessThanOrEqual((limits.responseTimeErrorPercent / 100) * exact + 1e-9);
    }),
  );
});

test('Stored hourly delivery statistics are read back unchanged', () => {
  const some = fc.record({
    sentAt: fc.integer({ min: at - 31 * 24 * hourMs, max: at }),
    errorCode: fc.option(fc.constantFrom(...deliveryErrorCodes)),
    responseStatusCode: fc.constantFrom(0, 200, 500),
    responseTimeMs: fc.integer({ min: 0, max: 20_000 }),
  });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 200 }), (changes) => {
      const hours = counted(...changes.map(record));
      const sorted = (all: Hours) => [...all].sort(([a], [b]) => a - b);
      const shown = (all: Hours) => sorted(all).map(([hour, counts]) => [hour, attemptCounts(counts)]);
      expect(shown(unpackHours(packHours(hours)))).toEqual(shown(hours));
    }),
  );
});

test('Stored delivery statistics in a format of an unknown version are refused, and missing ones are read as no statistics', () => {
  expect(unpackHours(undefined)).toEqual(new Map());
  expect(() => unpackHours(compressText('[2]'))).toThrow('unknown version');
});

test('Statistics of an hour take at most ten bytes for one attempt, and at most 300 bytes for ten thousand', () => {
  const quiet = Array.from({ length: 90 }, (_, i) => record({ sentAt: at + i * hourMs }));
  expect(packHours(counted(...quiet)).length).toBeLessThanOrEqual(90 * 10);
  const busy = Array.from({ length: 10_000 }, (_, i) => record({ responseTimeMs: 30 + (i % 300) }));
  expect(packHours(counted(...busy)).length).toBeLessThanOrEqual(300);
});

/**
 * Response times in buckets, each of which ends 5 % above the previous one. So a percentile differs from the exact
 * value by at most 5 %, an hour takes few bytes, and hours can be added up.
 */
import { limits } from '../../../contract/limits.ts';

const growth = 1 + limits.responseTimeErrorPercent / 100;

/** How many response times fell into each bucket. */
export type ResponseTimes = Map<number, number>;

/**
 * The bucket of a whole number of milliseconds. Bucket 0 is 0 ms, bucket i is above `growth ** (i - 2)` and up to
 * `growth ** (i - 1)`.
 */
export function bucketOf(ms: number): number {
  return ms <= 0 ? 0 : 1 + Math.ceil(Math.log(ms) / Math.log(growth));
}

/** A whole number of milliseconds from the middle of a bucket. All values of a bucket are within 5 % of each other. */
function millisecondsOf(bucket: number): number {
  if (bucket === 0) return 0;
  const least = Math.floor(growth ** (bucket - 2)) + 1;
  const most = Math.floor(growth ** (bucket - 1));
  return Math.round((Math.max(1, least) + Math.max(1, most)) / 2);
}

/** The nearest-rank percentile, at most 5 % off; null without values. `share` is above 0 and at most 1. */
export function percentile(times: ResponseTimes, share: number): number | null {
  const buckets = [...times].sort(([a], [b]) => a - b);
  let left = Math.ceil(share * buckets.reduce((sum, [, count]) => sum + count, 0));
  for (const [bucket, count] of buckets) {
    left -= count;
    if (left <= 0) return millisecondsOf(bucket);
  }
  return null;
}

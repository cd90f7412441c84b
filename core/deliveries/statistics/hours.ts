/**
 * Attempts counted by hour, and their stored form: at most ten bytes for an hour with few attempts, some hundred bytes
 * for one with many.
 */
import type { DeliveryErrorCode } from '../../../contract/integration/resources.ts';
import type { AttemptCounts } from '../../../contract/statistics.ts';
import { hourMs } from '../../clock.ts';
import { compressText, decompressText } from '../../compressed-text.ts';
import type { AttemptItem } from '../model/delivery-record.ts';
import { bucketOf, percentile, type ResponseTimes } from './response-times.ts';

interface HourCounts {
  successes: number;
  skipped: number;
  readonly failures: Map<DeliveryErrorCode, number>;
  readonly times: ResponseTimes;
}

/** By hours since the epoch. */
export type Hours = Map<number, HourCounts>;

/** The fields of a record that are counted. */
export type CountedRecord = Pick<
  AttemptItem,
  'createdAt' | 'sentAt' | 'trigger' | 'deliveryStatus' | 'errorCode' | 'responseStatusCode' | 'responseTimeMs'
>;

export const isPending = ({ deliveryStatus }: Pick<CountedRecord, 'deliveryStatus'>) => deliveryStatus === 'pending';

/** Counts a finished record in the hour in which it was sent. Pings are not counted. */
export function countRecord(hours: Hours, record: CountedRecord): void {
  if (record.trigger === 'ping') return;
  const { createdAt, sentAt = Date.parse(createdAt), errorCode } = record;
  const counts = hourOf(hours, Math.floor(sentAt / hourMs));
  if (errorCode === 'webhook_disabled') {
    counts.skipped += 1;
    return;
  }
  if (errorCode) addTo(counts.failures, errorCode, 1);
  else counts.successes += 1;
  if (record.responseStatusCode > 0) addTo(counts.times, bucketOf(record.responseTimeMs), 1);
}

export function addHours(to: Hours, from: Hours): void {
  for (const [hour, counts] of from) addCounts(hourOf(to, hour), counts);
}

export function addCounts(to: HourCounts, { successes, skipped, failures, times }: HourCounts): void {
  to.successes += successes;
  to.skipped += skipped;
  for (const [code, count] of failures) addTo(to.failures, code, count);
  for (const [bucket, count] of times) addTo(to.times, bucket, count);
}

function hourOf(hours: Hours, hour: number): HourCounts {
  const known = hours.get(hour);
  if (known) return known;
  const counts = noCounts();
  hours.set(hour, counts);
  return counts;
}

export function noCounts(): HourCounts {
  return { successes: 0, skipped: 0, failures: new Map(), times: new Map() };
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

export function attemptCounts({ successes, skipped, failures, times }: HourCounts): AttemptCounts {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  return {
    attempts: successes + failed,
    successes,
    failures: failed,
    failuresByCode: [...failures]
      .map(([errorCode, count]) => ({ errorCode, count }))
      .sort((a, b) => b.count - a.count || a.errorCode.localeCompare(b.errorCode, 'en')),
    skipped,
    medianResponseTimeMs: percentile(times, 0.5),
    p95ResponseTimeMs: percentile(times, 0.95),
  };
}

/**
 * The stored form of an hour: hours since the epoch, successes, skipped, failures by code, response times by bucket.
 */
type StoredHour = readonly [
  hour: number,
  successes: number,
  skipped: number,
  failures: readonly (readonly [DeliveryErrorCode, number])[],
  times: readonly (readonly [bucket: number, count: number])[],
];
const version = 1;

/** Deflated JSON: the version, then the hours in order. */
export function packHours(hours: Hours): Uint8Array {
  const stored = [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, { successes, skipped, failures, times }]): StoredHour => {
      return [hour, successes, skipped, [...failures], [...times].sort(([a], [b]) => a - b)];
    });
  return compressText(JSON.stringify([version, ...stored]));
}

export function unpackHours(packed: Uint8Array | undefined): Hours {
  if (!packed) return new Map();
  const [found, ...stored]: [number, ...StoredHour[]] = JSON.parse(decompressText(packed));
  if (found !== version) throw new Error('Statistics of an unknown version');
  return new Map(
    stored.map(([hour, successes, skipped, failures, times]) => [
      hour,
      { successes, skipped, failures: new Map(failures), times: new Map(times) },
    ]),
  );
}

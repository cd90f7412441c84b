/** Attempts counted by hour, and how they are stored: some ten bytes for a quiet hour, some hundred for a busy one. */
import { type DeliveryErrorCode, deliveryErrorCodes } from '../../../contract/integration/resources.ts';
import type { AttemptCounts } from '../../../contract/statistics.ts';
import type { AttemptItem } from '../model/delivery-record.ts';
import { bucketOf, percentile, type ResponseTimes } from './response-times.ts';

export const hourMs = 3_600_000;

export interface HourCounts {
  successes: number;
  skipped: number;
  readonly failures: Map<DeliveryErrorCode, number>;
  readonly times: ResponseTimes;
}

/** By hours since the epoch. */
export type Hours = Map<number, HourCounts>;

/** What of a record is counted. */
export type CountedRecord = Pick<
  AttemptItem,
  'createdAt' | 'sentAt' | 'trigger' | 'deliveryStatus' | 'errorCode' | 'responseStatusCode' | 'responseTimeMs'
>;

export const isPending = ({ deliveryStatus }: Pick<CountedRecord, 'deliveryStatus'>) => deliveryStatus === 'pending';

/** A record that has ended, in the hour in which it was sent. Pings say nothing of deliveries. */
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

/** Adds the counts of some hours to others. */
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

/** As they are stored: they may be added to, and never change. */
const codeNumbers: Readonly<Record<DeliveryErrorCode, number>> = {
  dns_error: 0,
  connect_error: 1,
  tls_error: 2,
  timeout: 3,
  http_status: 4,
  target_not_allowed: 5,
  protocol_error: 6,
  webhook_disabled: 7,
};
const version = 1;

/**
 * Whole numbers, seven bits a byte: the version, then of each hour its distance from the one before, successes, skipped,
 * failures and response times. Lists begin with their length.
 */
export function packHours(hours: Hours): Uint8Array {
  const numbers = [version];
  let before = 0;
  for (const [hour, { successes, skipped, failures, times }] of inOrder(hours)) {
    numbers.push(hour - before, successes, skipped, failures.size);
    for (const [code, count] of failures) numbers.push(codeNumbers[code], count);
    numbers.push(times.size);
    let last = 0;
    for (const [bucket, count] of inOrder(times)) {
      numbers.push(bucket - last, count);
      last = bucket;
    }
    before = hour;
  }
  return Uint8Array.from(numbers.flatMap(bytesOf));
}

export function unpackHours(packed: Uint8Array | undefined): Hours {
  const hours: Hours = new Map();
  if (!packed) return hours;
  const numbers = numbersIn(packed);
  const next = () => numbers.next().value ?? 0;
  const list = <Key>(keyOf: (number: number) => Key) =>
    new Map(Array.from({ length: next() }, () => [keyOf(next()), next()] as const));
  if (next() !== version) throw new Error('Statistics of an unknown version');
  const codeOf = (number: number) =>
    deliveryErrorCodes.find((code) => codeNumbers[code] === number) ?? 'protocol_error';
  let hour = 0;
  for (let distance = numbers.next(); !distance.done; distance = numbers.next()) {
    hour += distance.value;
    const [successes, skipped] = [next(), next()];
    let bucket = 0;
    hours.set(hour, {
      successes,
      skipped,
      failures: list(codeOf),
      times: list((more) => (bucket += more)),
    });
  }
  return hours;
}

const inOrder = <Value>(map: ReadonlyMap<number, Value>) => [...map].sort(([a], [b]) => a - b);

function bytesOf(number: number): number[] {
  const bytes: number[] = [];
  let left = number;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return [...bytes, left];
}

function* numbersIn(bytes: Uint8Array): Generator<number, undefined> {
  let number = 0;
  let scale = 1;
  for (const byte of bytes) {
    number += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte & 0x80) continue;
    yield number;
    number = 0;
    scale = 1;
  }
}

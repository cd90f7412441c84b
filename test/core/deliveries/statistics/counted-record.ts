/** A record of the log as its sweeper counts it: the first attempt of its hour, which was delivered at once. */
import { timestamp } from '../../../../core/clock.ts';
import type { CountedRecord } from '../../../../core/deliveries/statistics/hours.ts';

export const at = Date.UTC(2026, 11, 1, 5);

export function countedRecord(change: Partial<CountedRecord> = {}): CountedRecord {
  return {
    createdAt: timestamp(at),
    sentAt: at,
    trigger: 'scheduled',
    deliveryStatus: 'success',
    errorCode: null,
    responseStatusCode: 200,
    responseTimeMs: 80,
    ...change,
  };
}

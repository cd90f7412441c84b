/** Log records as the sweeper counts them, grouped in hours. */
import { hourMs, timestamp } from '../../../../core/clock.ts';
import { type CountedRecord, type Hours, noCounts } from '../../../../core/deliveries/statistics/hours.ts';

export const at = Date.UTC(2026, 11, 1, 5);

/** The first attempt of its hour, which succeeded at once. */
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

/** This many hours up to `last`, with counts that hardly compress: about 200 of them exceed a checkpoint. */
export const variedHours = (count: number, last = Math.floor(at / hourMs)): Hours =>
  new Map(
    Array.from({ length: count }, (_, i) => [
      last - i,
      { ...noCounts(), successes: 1 + ((i * 7_919) % 10_007), skipped: (i * 104_729) % 7_919 },
    ]),
  );

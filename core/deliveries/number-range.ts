/** Finds a place in a webhook's log, which is in the order of numbers and so of time. */
import { getItem } from '../records/read.ts';
import { deliveries } from '../table-keys.ts';
import type { RecordItem } from './records.ts';

/**
 * The lowest number whose record `isFrom` holds for, by halving; one above `lastNumber` when there is none. Holds for
 * one record means holds for all after it. A record that is gone is past its time, and so comes before all others.
 */
export async function firstNumber(
  webhookId: number,
  lastNumber: number,
  isFrom: (record: RecordItem) => boolean,
  above = 0,
): Promise<number> {
  let before = above;
  let found = lastNumber + 1;
  while (found - before > 1) {
    const middle = Math.floor((before + found) / 2);
    const item = await getItem<RecordItem>('deliveries', deliveries.record(webhookId, middle));
    if (item && isFrom(item)) found = middle;
    else before = middle;
  }
  return found;
}

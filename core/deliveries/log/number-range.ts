/** Finds a position in the log of a webhook by binary search. The log is in the order of numbers, and so of time. */
import { queryPage } from '../../store/read.ts';
import { type AttemptItem, recordsBetween } from '../model/delivery-record.ts';

/**
 * How far the order of numbers may differ from the order of creation: attempts take a number when they end, events when
 * they are planned.
 */
export const disorderMs = 600_000;

/**
 * The number of the lowest record for which `isFrom` is true, by binary search; one above `lastNumber` if there is
 * none. If `isFrom` is true for one record, it is true for all later ones. A number without a record decides nothing,
 * because its record may have expired or may not be written yet; then the next record decides.
 */
export async function firstNumber(
  webhookId: number,
  lastNumber: number,
  isFrom: (record: AttemptItem) => boolean,
  above = 0,
): Promise<number> {
  let found = lastNumber + 1;
  let before = above;
  let end = found;
  while (end - before > 1) {
    const middle = Math.floor((before + end) / 2);
    const record = await lowestRecord(webhookId, middle, end - 1);
    if (record && !isFrom(record)) {
      before = record.id;
    } else {
      end = middle;
      if (record) found = record.id;
    }
  }
  return found;
}

/** The record with the lowest number in a range, both ends included, by a consistent read: one read unit. */
export async function lowestRecord(webhookId: number, from: number, to: number): Promise<AttemptItem | undefined> {
  // DynamoDB refuses a range that ends before it begins.
  if (to < from) return undefined;
  const { items } = await queryPage<AttemptItem>('deliveries', {
    ...recordsBetween(webhookId, from, to),
    Limit: 1,
    ConsistentRead: true,
  });
  return items[0];
}

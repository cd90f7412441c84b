/** Finds a position in a webhook's log, which is in the order of numbers and so of time. */
import { queryPage } from '../../store/read.ts';
import { type AttemptItem, recordsBetween } from '../model/delivery-record.ts';

/** Records are numbered about as they are created: attempts take a number when they end, events when they are planned. */
export const disorderMs = 600_000;

/**
 * The number of the lowest record that `isFrom` holds for, by halving; one above `lastNumber` when there is none. Holds
 * for one record means holds for all after it. A number without a record tells nothing: its record may be past its time
 * and gone, or taken and not put yet, so the next one decides.
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

/** The record with the lowest number from one to another, both included, read consistently: one read unit. */
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

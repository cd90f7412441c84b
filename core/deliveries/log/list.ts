/**
 * `GET /webhooks/:id/deliveries` (docs/rules.md#delivery-records): newest first, and page 1000 costs as much as page 1.
 */

import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import type { PageQuery } from '../../page.ts';
import type { Principal } from '../../principal.ts';
import { queryAll } from '../../store/read.ts';
import { inGaps, nthNewestNumber } from '../../webhooks/registry/gaps.ts';
import { loadWebhook } from '../../webhooks/registry/store.ts';
import { type AttemptItem, recordsBetween } from '../model/delivery-record.ts';
import { firstNumber, lowestRecord } from './number-range.ts';
import { recordsFor } from './shown-record.ts';

/**
 * Records are numbered without gaps, so a page is a range of table keys. The total is computed from the newest number,
 * which the webhook stores, and the oldest number that has not expired.
 */
export async function listDeliveries(
  principal: Principal,
  { id }: { id: number },
  query: PageQuery,
): Promise<{ data: DeliveryRecord[]; total: number }> {
  const { lastNumber, gaps } = await loadWebhook(principal, id);
  const first = await oldestKept(id, lastNumber);
  const limit = query.limit ?? limits.pageSizeDefault;
  const newer = ((query.page ?? 1) - 1) * limit;
  const newest = nthNewestNumber(lastNumber, newer, gaps);
  const total = lastNumber - first + 1 - inGaps(first, lastNumber, gaps);
  if (newest < first) return { data: [], total };
  const from = Math.max(first, nthNewestNumber(lastNumber, newer + limit - 1, gaps));
  const rows = await readRange(id, from, newest, false);
  // An eventually consistent read costs half and may miss the newest record; then the page has too few records.
  const all =
    rows.length === newest - from + 1 - inGaps(from, newest, gaps) ? rows : await readRange(id, from, newest, true);
  return { data: await recordsFor(principal, all), total };
}

/** Newest first. */
async function readRange(webhookId: number, from: number, to: number, consistent: boolean): Promise<AttemptItem[]> {
  return queryAll<AttemptItem>('deliveries', {
    ...recordsBetween(webhookId, from, to),
    ScanIndexForward: false,
    ConsistentRead: consistent,
  });
}

/**
 * The number of the oldest record that has not expired after 30 days; one above the newest if there is none. DynamoDB
 * deletes expired records some days later and in any order, so the number is found by binary search.
 */
export async function oldestKept(webhookId: number, lastNumber: number): Promise<number> {
  const nowSeconds = now() / 1_000;
  const oldest = await lowestRecord(webhookId, 1, lastNumber);
  if (!oldest) return lastNumber + 1;
  if (oldest.expiresAtSeconds > nowSeconds) return oldest.id;
  return firstNumber(webhookId, lastNumber, (item) => item.expiresAtSeconds > nowSeconds, oldest.id);
}

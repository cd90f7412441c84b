/**
 * `GET /deliveries` (docs/rules.md#delivery-records): the logs of all webhooks of a key or a business as one list,
 * newest first. There is no index. A page is merged from the ends of the logs, with few more reads than it has records;
 * a cursor contains the position in each log.
 */
import type * as z from 'zod/mini';
import type { ListedDeliveryRecord } from '../../../contract/integration/resources.ts';
import type { listAllDeliveries as row } from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import { now, timestamp } from '../../clock.ts';
import { badCursor, readCursor, writeCursor } from '../../cursor.ts';
import { invalid } from '../../errors.ts';
import { isWithin, type Period, periodOf } from '../../period.ts';
import type { Principal } from '../../principal.ts';
import { getItems } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import { webhooksOf } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { parseDeliveryId } from '../model/delivery-id.ts';
import type { AttemptItem, DeliveryItem } from '../model/delivery-record.ts';
import { type LogFilter, type LogPosition, NewestFirst } from './newest-first.ts';
import { disorderMs, firstNumber } from './number-range.ts';
import { recordsFor } from './shown-record.ts';

export type DeliveriesQuery = z.output<(typeof row)['query']>;
type Filter = Omit<DeliveriesQuery, 'limit' | 'cursor'>;

/** A further condition on the listed records, beside the filters. */
type RecordTest = (record: AttemptItem) => boolean;

/**
 * A page ends early after `recordsForPage` records if some of them match, and after `recordsPerPage` if none does.
 * `nextCursor` is null only at the end of the list. Errors: 400 `validation_failed` for a cursor of other filters, and
 * for a period that ends before it begins.
 */
export async function listAllDeliveries(
  principal: Principal,
  query: DeliveriesQuery,
): Promise<{ data: ListedDeliveryRecord[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listRecords(principal, query);
  const records = await recordsFor(principal, items);
  return { data: records.map((record, i) => ({ webhookId: items[i]?.webhookId ?? 0, ...record })), nextCursor };
}

/**
 * The list of stored records. `more` is a text that describes the condition `wants`; a cursor is valid only with the
 * same text.
 */
export async function listRecords(
  principal: Principal,
  { limit = limits.pageSizeDefault, cursor, ...filter }: DeliveriesQuery,
  wants: RecordTest = () => true,
  more: object = {},
): Promise<{ items: AttemptItem[]; nextCursor: string | null }> {
  const period = periodOf(filter);
  const { tenantId, actor } = principal;
  const scope = { tenantId, ...(actor.kind === 'key' && { keyId: actor.id }), list: 'deliveries', ...filter, ...more };
  const webhooks = (await webhooksOf(principal)).filter(
    ({ id }) => filter.webhookId === undefined || id === filter.webhookId,
  );
  if (filter.deliveryId !== undefined) {
    if (cursor !== undefined) throw invalid('cursor', 'cannot be combined with deliveryId');
    const { matches } = logFilter(filter, period, wants);
    return { items: (await attemptsOf(filter.deliveryId, webhooks)).filter(matches), nextCursor: null };
  }
  const positions =
    cursor === undefined
      ? await Promise.all(webhooks.map((webhook) => beginning(webhook, period)))
      : positionsIn(readCursor(scope, cursor), webhooks);
  const logs = positions.map(
    (position) => new NewestFirst(position, firstChunk(limit, positions.length), logFilter(filter, period, wants)),
  );
  const { items, isLast } = await merge(logs, limit);
  return { items, nextCursor: isLast ? null : writeCursor(scope, textOf(logs)) };
}

/** The records of one delivery, newest first. The first record, found by the id, lists the numbers of all others. */
async function attemptsOf(deliveryId: string, webhooks: readonly WebhookItem[]): Promise<readonly AttemptItem[]> {
  const named = parseDeliveryId(deliveryId);
  if (!named || !webhooks.some(({ id }) => id === named.webhookId)) return [];
  const at = (number: number) => deliveries.record(named.webhookId, number);
  const [first] = await getItems<DeliveryItem>('deliveries', [at(named.number)]);
  if (first?.deliveryId !== deliveryId) return [];
  const later = await getItems<AttemptItem>('deliveries', (first.laterRecords ?? []).map(at));
  const all = [first, ...later].filter((one) => one !== undefined);
  return all.filter(({ expiresAtSeconds }) => expiresAtSeconds > now() / 1_000).reverse();
}

/** Half a read unit pays for 4 KB, about five records. */
const leastChunk = 4;

/**
 * If all logs contribute equally to a page, one query of each is enough; one more record shows whether there is a next
 * page.
 */
function firstChunk(limit: number, logs: number): number {
  return Math.max(leastChunk, Math.ceil((limit + 1) / logs));
}

/** How many records are read for a page that has matches: with ten webhooks at most 20 read units for 20 records. */
function recordsForPage(limit: number): number {
  return limits.recordsForShortPage + 1.5 * limit;
}

/** Takes the newest of all records that were found. If another log may have a newer one, reads on in that log first. */
async function merge(logs: readonly NewestFirst[], limit: number): Promise<{ items: AttemptItem[]; isLast: boolean }> {
  const items: AttemptItem[] = [];
  for (let read = 0; ; ) {
    const [newest] = logs.filter((log) => log.newest).sort((a, b) => b.bound - a.bound);
    const dry = logs.filter((log) => !log.newest && log.bound > (newest?.bound ?? Number.NEGATIVE_INFINITY));
    if (dry.length === 0) {
      if (newest && items.length === limit) return { items, isLast: false };
      const record = newest?.take();
      if (!record) return { items, isLast: true };
      items.push(record);
      continue;
    }
    const left = (items.length > 0 ? recordsForPage(limit) : limits.recordsPerPage) - read;
    if (left <= 0) return { items, isLast: false };
    const most = Math.max(leastChunk, Math.ceil(left / dry.length));
    for (const count of await Promise.all(dry.map((log) => log.read(most)))) read += count;
  }
}

function logFilter({ deliveryStatus, event }: Filter, period: Period, wants: RecordTest): LogFilter {
  return {
    fromMs: period.fromMs,
    matches: (record) =>
      (deliveryStatus === undefined || record.deliveryStatus === deliveryStatus) &&
      (event === undefined || record.event === event) &&
      isWithin(period, record.createdAt) &&
      wants(record),
  };
}

/** The end of a log, or the position of the end of a period, which is found by binary search. */
async function beginning({ id, lastNumber }: WebhookItem, { toMs }: Period): Promise<LogPosition> {
  // A record of the period may have a higher number than a record that was created after it.
  const endMs = toMs + disorderMs;
  if (endMs > now()) return { webhookId: id, number: lastNumber };
  const end = timestamp(endMs);
  return { webhookId: id, number: (await firstNumber(id, lastNumber, ({ createdAt }) => createdAt >= end)) - 1 };
}

/** `webhook.number` of each unfinished log, in base 36: a hundred of these fit into a cursor. */
function textOf(logs: readonly NewestFirst[]): string {
  return logs
    .flatMap(({ position }) => (position ? [`${position.webhookId.toString(36)}.${position.number.toString(36)}`] : []))
    .join();
}

/** Only logs of this business are read, so a forged cursor shows no other data. */
function positionsIn(text: string, webhooks: readonly WebhookItem[]): LogPosition[] {
  const own = new Map(webhooks.map(({ id, lastNumber }) => [id, lastNumber]));
  return text.split(',').flatMap((one) => {
    const [webhookId = 0, number = 0] = one.split('.').map((digits) => Number.parseInt(digits, 36));
    if (!(webhookId > 0 && number > 0)) throw badCursor();
    const lastNumber = own.get(webhookId);
    return lastNumber === undefined ? [] : [{ webhookId, number: Math.min(number, lastNumber) }];
  });
}

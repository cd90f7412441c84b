/**
 * `GET /v1/account/deliveries?groupBy=delivery` (docs/rules.md#delivery-records): one entry for each message, with its
 * newest attempt, its booking and its client. Only first records are listed: they contain the message, and the number
 * of the newest attempt's record.
 */
import type * as z from 'zod/mini';
import type { ListedDelivery } from '../../../contract/account/resources.ts';
import type { listAllDeliveries as row } from '../../../contract/account/routes.ts';
import { hourMs, timeOfId, timestamp } from '../../clock.ts';
import { decompressText } from '../../compressed-text.ts';
import { periodOf } from '../../period.ts';
import type { Principal } from '../../principal.ts';
import { getItems } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import { type AttemptItem, type DeliveryItem, recordOf } from '../model/delivery-record.ts';
import { type DeliveriesQuery, listAllDeliveries, listRecords } from './list-all.ts';

/** More than the clocks of two containers differ. */
const clocksMs = hourMs;

type First = AttemptItem & Partial<DeliveryItem>;

/**
 * To find the messages about a booking, all messages since its creation are searched. Errors: those of
 * `listAllDeliveries`.
 */
export async function listDeliveriesOfOwner(
  principal: Principal,
  { groupBy, bookingId, ...query }: z.output<NonNullable<(typeof row)['query']>>,
): Promise<{ data: ListedDelivery[]; nextCursor: string | null }> {
  if (groupBy === undefined && bookingId === undefined) return listAllDeliveries(principal, query);
  const { deliveryStatus, ...rest } = query;
  const { toMs } = periodOf(rest);
  const from = bookingId === undefined ? rest.from : laterOf(rest.from, bookingId);
  if (from !== undefined && Date.parse(from) > toMs) return { data: [], nextCursor: null };
  const filters: DeliveriesQuery = { ...rest, from };
  const wants = (record: First) =>
    // The record of the first attempt has the number of the delivery.
    record.attemptNumber === 1 &&
    (bookingId === undefined || aboutOf(record).bookingId === bookingId) &&
    (deliveryStatus === undefined || mayBe(record, deliveryStatus));
  const { items, nextCursor } = await listRecords(principal, filters, wants, { groupBy, bookingId, deliveryStatus });
  const newest = await newestOf(items);
  const data = items.map((first, i) => ({
    webhookId: first.webhookId,
    ...recordOf(newest[i] ?? first),
    plannedAt: first.createdAt,
    ...aboutOf(first),
  }));
  return {
    data: data.filter((one) => deliveryStatus === undefined || one.deliveryStatus === deliveryStatus),
    nextCursor,
  };
}

/** The first record has the status of the delivery, until the delivery is sent again manually. */
function mayBe({ state, deliveryStatus, lastRedelivery }: First, wanted: AttemptItem['deliveryStatus']): boolean {
  return lastRedelivery !== undefined || (state ?? deliveryStatus) === wanted;
}

/** The record of each delivery's newest attempt, in the order of the deliveries. */
function newestOf(firsts: readonly First[]): Promise<(AttemptItem | undefined)[]> {
  const numbers = firsts.map(({ id, laterRecords = [] }) => laterRecords.at(-1) ?? id);
  return getItems(
    'deliveries',
    firsts.map(({ webhookId }, i) => deliveries.record(webhookId, numbers[i] ?? 0)),
  );
}

/** A ping contains example data, so it is about no booking. */
function aboutOf({ body, trigger }: First): Pick<ListedDelivery, 'bookingId' | 'clientId'> {
  if (!body || trigger === 'ping') return { bookingId: null, clientId: null };
  const { data } = JSON.parse(decompressText(body)) as { data: { bookingId?: number; clientId?: number } };
  return { bookingId: data.bookingId ?? null, clientId: data.clientId ?? null };
}

function laterOf(from: string | undefined, bookingId: number): string {
  const bookingCreatedAt = timestamp(timeOfId(bookingId) - clocksMs);
  return from === undefined || Date.parse(from) < Date.parse(bookingCreatedAt) ? bookingCreatedAt : from;
}

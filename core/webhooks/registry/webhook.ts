/** A webhook: the stored item and the resource that callers see (docs/rules.md#webhooks). */
import type * as z from 'zod/mini';
import type { AccountWebhook } from '../../../contract/account/resources.ts';
import type { Webhook } from '../../../contract/integration/resources.ts';
import type { createWebhook } from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import { hourMs, newId, now, timestamp } from '../../clock.ts';
import { deliveries, webhookShards } from '../../table-keys.ts';
import { type Gap, inGaps } from './gaps.ts';

export type Claim = readonly [number: number, takenAt: number, shard: number];

/** The reserved attempts of a business (docs/rules.md#sending-budget). */
export interface Reserved {
  /** The number of a window, and the number of attempts in this and each later window, in runs. */
  readonly sends?: readonly number[];
  /** The reserved attempts, retries included, to each host that has never responded with 2xx. */
  readonly hostSends?: Readonly<Record<string, readonly number[]>>;
}

export interface WebhookItem extends Omit<Webhook, 'failingSince' | 'feed'>, Reserved {
  readonly pk: string;
  readonly sk: string;
  readonly tenantId: number;
  /** The shard of its entry in the list of all webhooks (`registration.ts`). */
  readonly shard: number;
  /** The API key to which the webhook belongs (docs/rules.md#webhooks). */
  readonly keyId: number;
  /** The number of its newest delivery record. Records are numbered 1, 2, 3 … without gaps (docs/rules.md#ids). */
  readonly lastNumber: number;
  /** Numbers up to `lastNumber` without a record. */
  readonly gaps?: readonly Gap[];
  /**
   * The claims of events that may still be in the outbox, by event id. A claim contains the number that was taken for
   * the event, when (epoch milliseconds), and the event's shard in the outbox. The write that takes a number also
   * stores its claim, so an event that is planned twice gets one delivery.
   */
  readonly claims?: Readonly<Record<string, Claim>>;
  /** Absent before the first attempt; a response shows null. */
  readonly failingSince?: string | null;
  /** Stays until the next success, so that each `webhook.disabled` is followed by exactly one `webhook.recovered`. */
  readonly disabledAt?: string | null;
  /** When the webhook last raised `webhook.recovered`. */
  readonly recoveredAt?: string;
  /** Until when (epoch milliseconds) its messages use the slow queue, because its receiver was slow. */
  readonly slowUntil?: number;
  /** The highest `after` with which its feed was read, and when this value last increased. Absent before. */
  readonly readThrough?: number;
  readonly readAt?: string;
  /** The last host that has responded with 2xx for the first time (docs/rules.md#sending-budget). */
  readonly answeredHost?: string;
  /** When its newest held first attempt is due (epoch milliseconds); no later delivery is due before. */
  readonly heldUntil?: number;
  /** Deliveries up to this number were planned for another host (docs/rules.md#sending-budget). */
  readonly movedAfter?: number;
  /** The last hour of the clock (its number) in which `targetUrl` was written, and how often. */
  readonly targetChanges?: readonly [hour: number, count: number];
  /** Only in the first webhook of a business: how often the reservations of the business were written. */
  readonly reservations: number;
}

export type NewWebhook = z.output<(typeof createWebhook)['body']>;

/** The item of a new webhook of a key: active, without records. */
export function newWebhookItem(
  { tenantId, keyId }: Pick<WebhookItem, 'tenantId' | 'keyId'>,
  { delivery = 'push', targetUrl = '', events, description = '', filter }: NewWebhook,
): WebhookItem {
  const id = newId();
  const createdAt = timestamp(now());
  return {
    ...deliveries.webhook(tenantId, keyId, id),
    id,
    tenantId,
    shard: id % webhookShards,
    keyId,
    delivery,
    targetUrl,
    events,
    filter: filter ?? null,
    description,
    status: 'active',
    consecutiveFailures: 0,
    lastTriggeredAt: null,
    createdAt,
    updatedAt: createdAt,
    lastNumber: 0,
    reservations: 0,
  };
}

/** The host of its receiver without the port, because all ports of a host have one owner. */
export function hostOf({ targetUrl }: Pick<WebhookItem, 'targetUrl'>): string {
  return URL.parse(targetUrl)?.hostname ?? targetUrl;
}

/** The response body, field by field, so that no other stored field is returned. */
export function webhookOf(item: WebhookItem): AccountWebhook {
  return {
    id: item.id,
    apiKeyId: item.keyId,
    delivery: item.delivery,
    targetUrl: item.targetUrl,
    events: item.events,
    filter: item.filter,
    description: item.description,
    status: item.status,
    consecutiveFailures: item.consecutiveFailures,
    failingSince: item.failingSince ?? null,
    notice: noticeOf(item, now()),
    heldUntil: (item.heldUntil ?? 0) > now() ? timestamp(item.heldUntil ?? 0) : null,
    lastTriggeredAt: item.lastTriggeredAt,
    feed: item.delivery === 'poll' ? progressOf(item) : null,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
  };
}

/**
 * The notice about the webhook in the console (docs/rules.md#notices). It is shown as long as its cause exists; after a
 * recovery, for a day.
 */
function noticeOf(item: WebhookItem, at: number): AccountWebhook['notice'] {
  const { status, consecutiveFailures, disabledAt, recoveredAt } = item;
  if (status === 'failed') return 'webhook.disabled';
  if (consecutiveFailures >= limits.failedDeliveriesToWarn) return 'webhook.failing';
  // A reactivated webhook works again only after its next success.
  if (disabledAt) return null;
  const isNews = recoveredAt !== undefined && at - Date.parse(recoveredAt) < limits.noticeRecoveredHours * hourMs;
  return isNews ? 'webhook.recovered' : null;
}

function progressOf({ lastNumber, gaps, readThrough = 0, readAt }: WebhookItem): Webhook['feed'] {
  const unread = lastNumber - readThrough - inGaps(readThrough + 1, lastNumber, gaps);
  return { lastNumber, readThrough, unread, readAt: readAt ?? null };
}

/** The fields of an event with ids that a filter may contain. */
interface Named {
  readonly serviceId?: unknown;
  readonly staffId?: unknown;
  readonly previousStaffIds?: readonly unknown[];
  readonly segments?: readonly Named[];
}

/**
 * Whether an event with this data passes the filter: it has an id in the filter, or no such id. A move has the ids of
 * the staff members before it, too.
 */
export function passesFilter({ filter }: Pick<WebhookItem, 'filter'>, data: object): boolean {
  const { previousStaffIds = [], segments = [], ...first }: Named = data;
  const all = [first, ...segments, ...previousStaffIds.map((staffId) => ({ staffId }))];
  const passes = (wanted: readonly unknown[] | undefined, field: 'serviceId' | 'staffId') => {
    const ids = all.flatMap((one: Named) => one[field] ?? []);
    return !wanted || ids.length === 0 || ids.some((id) => wanted.includes(id));
  };
  return passes(filter?.serviceIds, 'serviceId') && passes(filter?.staffIds, 'staffId');
}

/**
 * Whether the webhook is subscribed to an event (docs/rules.md#webhooks). Its status does not matter here: for a
 * disabled webhook, the event gets a failed record and no message.
 */
export function subscribesTo(webhook: WebhookItem, event: string): boolean {
  return webhook.events.some((name) => name === event);
}

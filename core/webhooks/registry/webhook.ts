/** A webhook as it is stored, and as it is shown (docs/rules.md#webhooks). */
import type * as z from 'zod/mini';
import type { AccountWebhook } from '../../../contract/account/resources.ts';
import type { Webhook } from '../../../contract/integration/resources.ts';
import type { createWebhook } from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import { newId, now, timestamp } from '../../clock.ts';
import { deliveries, webhookShards } from '../../table-keys.ts';
import { type Gap, inGaps } from './gaps.ts';

export type Claim = readonly [number: number, takenAt: number, shard: number];

/** Attempts that a business has reserved (docs/rules.md#sending-budget). */
export interface Reserved {
  /** The number of a window, and how many attempts fall into it and into each window after it, in runs. */
  readonly sends?: readonly number[];
  /** The same by host that has not answered yet, with retries. */
  readonly hostSends?: Readonly<Record<string, readonly number[]>>;
}

export interface WebhookItem extends Omit<Webhook, 'failingSince' | 'feed'>, Reserved {
  readonly pk: string;
  readonly sk: string;
  readonly tenantId: number;
  /** Where its entry in the sweeper's list is. */
  readonly shard: number;
  /** The API key that created it and that it belongs to (docs/rules.md#webhooks). */
  readonly keyId: number;
  /** The number of its newest delivery record. Numbers count 1, 2, 3 … without holes (docs/rules.md#ids). */
  readonly lastNumber: number;
  /** Numbers up to `lastNumber` that no record has. */
  readonly gaps?: readonly Gap[];
  /**
   * Which numbers events took, when (epoch milliseconds), and in which shard of the outbox they are, by the event's id,
   * as long as the event may still be there. Written with the number itself, so that an event that is planned twice gets
   * one delivery.
   */
  readonly claims?: Readonly<Record<string, Claim>>;
  /** Absent before its first attempt, which is null. */
  readonly failingSince?: string | null;
  /** Kept until the next success, so that `webhook.recovered` is sent exactly once per `webhook.disabled`. */
  readonly disabledAt?: string | null;
  /** When it last raised `webhook.recovered`. */
  readonly recoveredAt?: string;
  /** Its receiver was slow: until then (epoch milliseconds) its messages take the slow queue. */
  readonly slowUntil?: number;
  /** The highest `after` that its feed was read with, and when that moved. Absent before. */
  readonly readThrough?: number;
  readonly readAt?: string;
  /** The host that last answered it with 2xx for the first time (docs/rules.md#sending-budget). */
  readonly answeredHost?: string;
  /** Its newest held first attempt is due then (epoch milliseconds), and none that comes later is due before. */
  readonly heldUntil?: number;
  /** Deliveries up to this number were planned for another host (docs/rules.md#sending-budget). */
  readonly movedAfter?: number;
  /** The last hour of the clock (by number) in which its `targetUrl` was written, and how often. */
  readonly targetChanges?: readonly [hour: number, count: number];
  /** How often what the business has reserved was written here: it is kept in its first webhook. */
  readonly reservations: number;
}

export type NewWebhook = z.output<(typeof createWebhook)['body']>;

/** The item of a webhook of that key that begins now: active, with no record yet. */
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

/** Of its receiver, without the port: one owner has all ports of a host. */
export function hostOf({ targetUrl }: Pick<WebhookItem, 'targetUrl'>): string {
  return URL.parse(targetUrl)?.hostname ?? targetUrl;
}

/** The answer's body. It is listed field by field, so that nothing stored beside them can slip out. */
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

/** What the console tells of it (docs/rules.md#notices): for as long as it lasts, and of a recovery for a day. */
function noticeOf({ status, consecutiveFailures, recoveredAt }: WebhookItem, at: number): AccountWebhook['notice'] {
  if (status === 'failed') return 'webhook.disabled';
  if (consecutiveFailures >= limits.failedDeliveriesToWarn) return 'webhook.failing';
  const isNews = recoveredAt !== undefined && at - Date.parse(recoveredAt) < limits.noticeRecoveredHours * 3_600_000;
  return isNews ? 'webhook.recovered' : null;
}

function progressOf({ lastNumber, gaps, readThrough = 0, readAt }: WebhookItem): Webhook['feed'] {
  const unread = lastNumber - readThrough - inGaps(readThrough + 1, lastNumber, gaps);
  return { lastNumber, readThrough, unread, readAt: readAt ?? null };
}

/** What of an event may have ids that a filter names. */
interface Named {
  readonly serviceId?: unknown;
  readonly staffId?: unknown;
  readonly previousStaffId?: unknown;
  readonly segments?: readonly Named[];
}

/** Whether an event with this data passes: with an id that the filter names, or with none. A move is of both members. */
export function passesFilter({ filter }: Pick<WebhookItem, 'filter'>, data: object): boolean {
  const { previousStaffId, segments = [], ...first }: Named = data;
  const all = [first, ...segments, { staffId: previousStaffId }];
  const passes = (wanted: readonly unknown[] | undefined, field: 'serviceId' | 'staffId') => {
    const ids = all.flatMap((one: Named) => one[field] ?? []);
    return !wanted || ids.length === 0 || ids.some((id) => wanted.includes(id));
  };
  return passes(filter?.serviceIds, 'serviceId') && passes(filter?.staffIds, 'staffId');
}

/**
 * docs/rules.md#webhooks. Whether the webhook is active as well decides between a message and a record that says it was
 * not.
 */
export function subscribesTo(webhook: WebhookItem, event: string): boolean {
  return webhook.events.some((name) => name === event);
}

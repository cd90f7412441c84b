/** The delivery records in the table `deliveries`: one for each attempt (docs/rules.md#delivery-records). */

import type { DeliveryRecord, DeliveryStatus } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { type Caused, causedBy, causedByRequest } from '../../cause.ts';
import { timestamp } from '../../clock.ts';
import { compressText } from '../../compressed-text.ts';
import type { Event } from '../../events/event.ts';
import { putNew, set, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { eventBody } from '../../webhooks/sender/message.ts';
import { deliveryId } from './delivery-id.ts';

/** One attempt as the log shows it, with its table key and its expiry. */
export interface AttemptItem extends DeliveryRecord, Caused {
  readonly pk: string;
  readonly sk: string;
  readonly webhookId: number;
  /** Absent for a ping. */
  readonly eventId?: number;
  readonly expiresAtSeconds: number;
  /**
   * When the request was sent, in epoch milliseconds. Absent while the attempt is pending, and if the webhook was
   * disabled, so that no request was sent.
   */
  readonly sentAt?: number;
}

/** The record of a ping: it has a body and no state, and no queue message refers to it. */
export interface PingItem extends AttemptItem {
  readonly body: Uint8Array;
}

/**
 * A delivery record to which queue messages refer. It also contains a state: the record of attempt 1 contains the state
 * of the scheduled attempts, and the record of a redelivery (`trigger: manual`) the state of its single attempt.
 */
export interface DeliveryItem extends AttemptItem, DeliveryState {
  readonly tenantId: number;
  readonly keyId: number;
  readonly eventId: number;
  /** The client in the body, if any: erasures and exports need not read the bodies about other clients. */
  readonly about?: number;
  /** The exact body, made when the event was planned, compressed by `compressText`. */
  readonly body: Uint8Array;
  /** Whether no budget was left for the retries at planning: then each retry is reserved when it is due. */
  readonly reservesRetries?: true;
  /** The attempt, and the host, for which the budget was reserved after planning. */
  readonly reservedFor?: string;
  /** Only in the record of attempt 1: the numbers of the records of all later attempts, redeliveries included. */
  readonly laterRecords?: readonly number[];
  /** Only in the record of attempt 1: the number of the delivery's last redelivery, if there was one. */
  readonly lastRedelivery?: number;
  /**
   * Only in the record of attempt 1: how many redeliveries were requested, and how many of them have failed as far as
   * is known.
   */
  readonly redeliveries?: number;
  readonly failedRedeliveries?: number;
}

/** The state of a delivery. `success` and `failed` are final (docs/rules.md#delivery-records). */
export interface DeliveryState {
  readonly state: DeliveryStatus;
  /** The number of recorded attempts; in the record of attempt 1 also the requested redeliveries. */
  readonly attempts: number;
  /** When the next attempt is due, in epoch milliseconds; without meaning in a final state. */
  readonly dueAt: number;
}

/** The table key of a record, and its expiry. */
export function recordBase(webhookId: number, number: number, at: number) {
  return {
    ...deliveries.record(webhookId, number),
    webhookId,
    expiresAtSeconds: Math.ceil(at / 1_000) + limits.deliveryRetentionDays * 86_400,
  };
}

/** The query of a log from one number to another, both included; without the second number to the end of the log. */
export function recordsBetween(webhookId: number, first: number, last = Number.MAX_SAFE_INTEGER) {
  return {
    KeyConditionExpression: 'pk = :log AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':log': deliveries.log(webhookId),
      ':first': deliveries.record(webhookId, first).sk,
      ':last': deliveries.record(webhookId, last).sk,
    },
  };
}

export function isOver(state: DeliveryStatus): boolean {
  return state === 'success' || state === 'failed';
}

/** Whether the next attempt already has its record, which is then the delivery record itself. */
export function isOwnRecord(delivery: Pick<DeliveryItem, 'attempts' | 'attemptNumber'>): boolean {
  return delivery.attempts === delivery.attemptNumber - 1;
}

/** The fields of an attempt before it is made. */
export const unanswered = {
  responseStatusCode: 0,
  responseTimeMs: 0,
  errorMessage: null,
  errorCode: null,
  nextAttemptAt: null,
  responseBody: null,
} as const;

/** The error of an attempt that was not sent because its webhook or key did not allow it (docs/rules.md#retries). */
export const disabled = {
  errorCode: 'webhook_disabled',
  errorMessage:
    'Nothing was sent: when the attempt was due, the webhook or its API key was not active, or the key lacked a scope.',
} as const;

/**
 * The record of a new delivery: its first attempt is pending. Its creation time is when its number was taken, so that
 * the log is in the order of time; it is due when it is planned. Both are epoch milliseconds, and nearly always equal.
 * For a disabled webhook the record is `failed` at once, so that `redeliver` and `recover` can send it later. For a
 * webhook with a feed it is `success` at once.
 */
export function newDelivery(
  event: Event,
  webhook: WebhookItem,
  number: number,
  { createdAt, dueAt }: { readonly createdAt: number; readonly dueAt: number },
): DeliveryItem {
  const id = deliveryId(webhook.id, number);
  const active = webhook.status === 'active';
  const state = webhook.delivery === 'poll' ? 'success' : active ? 'pending' : 'failed';
  return {
    ...recordBase(webhook.id, number, createdAt),
    id: number,
    event: event.name,
    deliveryId: id,
    ...unanswered,
    ...(!active && disabled),
    deliveryStatus: state,
    attemptNumber: 1,
    createdAt: timestamp(createdAt),
    trigger: 'scheduled',
    tenantId: webhook.tenantId,
    keyId: webhook.keyId,
    eventId: event.id,
    ...causedBy(event.requestId),
    ...aboutOf(event.data),
    body: compressText(
      eventBody({
        deliveryId: id,
        eventId: event.id,
        event: event.name,
        occurredAt: event.occurredAt,
        data: event.data,
      }),
    ),
    state,
    attempts: state === 'pending' ? 0 : 1,
    dueAt,
  };
}

/**
 * The record of a redelivery: one more attempt with the body of the first record, and the id of the request that asked
 * for it.
 */
export function redeliveryOf(first: DeliveryItem, number: number, at: number, dueAt = at): DeliveryItem {
  const { tenantId, keyId, event, deliveryId, eventId, about, body } = first;
  return {
    tenantId,
    keyId,
    event,
    deliveryId,
    eventId,
    ...aboutOf({ clientId: about }),
    body,
    ...recordBase(first.webhookId, number, at),
    id: number,
    ...unanswered,
    ...(dueAt > at && { nextAttemptAt: timestamp(dueAt) }),
    deliveryStatus: 'pending',
    attemptNumber: first.attempts + 1,
    createdAt: timestamp(at),
    trigger: 'manual',
    state: 'pending',
    attempts: first.attempts,
    dueAt,
    ...causedByRequest(),
  };
}

function aboutOf(data: object): Pick<DeliveryItem, 'about'> {
  return 'clientId' in data && typeof data.clientId === 'number' ? { about: data.clientId } : {};
}

export function newRecord(item: AttemptItem): Write {
  return putNew('deliveries', item);
}

/**
 * Takes the next numbers of the webhook on the condition that no other was taken, and fails if the webhook is deleted.
 */
export function takeNumbers(webhook: WebhookItem, count: number): Write {
  const { lastNumber } = webhook;
  return set('deliveries', webhook, { lastNumber: lastNumber + count }, { lastNumber });
}

/** A record as the integrator sees it (docs/rules.md#delivery-records). */
export function recordOf(item: AttemptItem): DeliveryRecord {
  return {
    id: item.id,
    event: item.event,
    deliveryId: item.deliveryId,
    responseStatusCode: item.responseStatusCode,
    responseTimeMs: item.responseTimeMs,
    deliveryStatus: item.deliveryStatus,
    attemptNumber: item.attemptNumber,
    errorMessage: item.errorMessage,
    createdAt: item.createdAt,
    errorCode: item.errorCode,
    nextAttemptAt: item.nextAttemptAt,
    responseBody: item.responseBody,
    trigger: item.trigger,
  };
}

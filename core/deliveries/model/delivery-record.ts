/** The records of the deliveries table: one per attempt (docs/rules.md#delivery-records). */

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

/** One attempt as the log shows it, with its key and its expiry. */
export interface AttemptItem extends DeliveryRecord, Caused {
  readonly pk: string;
  readonly sk: string;
  readonly webhookId: number;
  readonly expiresAtSeconds: number;
  /** When it was sent, in epoch milliseconds; absent while it is pending, and when it fell due in vain. */
  readonly sentAt?: number;
}

/** The record of a ping, which no message names: it has a body and no state. */
export interface PingItem extends AttemptItem {
  readonly body: Uint8Array;
}

/**
 * A delivery record, which a message names. It carries the state of a delivery beside its own: the record of attempt 1
 * that of the scheduled attempts, the record of a redelivery (`trigger: manual`) that of the one attempt it is for.
 */
export interface DeliveryItem extends AttemptItem, DeliveryState {
  readonly tenantId: number;
  readonly keyId: number;
  readonly eventId: number;
  /** The client whom the body names, if it names one: erasures and exports need not read the bodies of the others. */
  readonly about?: number;
  /** The exact body, frozen when the event was planned, compressed by `compressText`. */
  readonly body: Uint8Array;
  /** The sending budget had no place for its retries when it was planned: each reserves one when it is due. */
  readonly reservesRetries?: true;
  /** The attempt, and the host, for which it has reserved a place since it was planned. */
  readonly reservedFor?: string;
  /** Of the record of attempt 1: the numbers of the records of all later attempts, redeliveries included. */
  readonly laterRecords?: readonly number[];
  /** Of the record of attempt 1: the number of the delivery's last redelivery, once there is one. */
  readonly lastRedelivery?: number;
  /** Of the record of attempt 1: how many manual attempts were asked for, and how many of these are known to have failed. */
  readonly redeliveries?: number;
  readonly failedRedeliveries?: number;
}

/** Where a delivery stands. `success` and `failed` are its ends (docs/rules.md#delivery-records). */
export interface DeliveryState {
  readonly state: DeliveryStatus;
  /** Attempts made and recorded so far, and in the record of attempt 1 also the redeliveries that were asked for. */
  readonly attempts: number;
  /** When the next attempt is due, in epoch milliseconds; meaningless at the end. */
  readonly dueAt: number;
}

/** The key of a record, and when it expires. */
export function recordBase(webhookId: number, number: number, at: number) {
  return {
    ...deliveries.record(webhookId, number),
    webhookId,
    expiresAtSeconds: Math.ceil(at / 1_000) + limits.deliveryRetentionDays * 86_400,
  };
}

/** The query of a log from one number to another, both included; without the second one to its end. */
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

/** Whether the next attempt has its record already: the delivery record itself. */
export function isOwnRecord(delivery: Pick<DeliveryItem, 'attempts' | 'attemptNumber'>): boolean {
  return delivery.attempts === delivery.attemptNumber - 1;
}

/** What the fields of an attempt say before it is made. */
export const unanswered = {
  responseStatusCode: 0,
  responseTimeMs: 0,
  errorMessage: null,
  errorCode: null,
  nextAttemptAt: null,
  responseBody: null,
} as const;

/** Nothing is sent for a webhook or an API key that is not active, or a key that may not read it any more (docs/rules.md#retries). */
export const disabled = {
  errorCode: 'webhook_disabled',
  errorMessage:
    'The webhook or its API key was not active, or the key lacked the scope, when the attempt fell due; nothing was sent.',
} as const;

/**
 * The record of a new delivery: its first attempt is pending. It is created when its number was taken, so that the log is
 * in the order of time, and due when it is planned; both in epoch milliseconds, and nearly always the same. For a disabled
 * webhook it has failed at once, so that `redeliver` and `recover` can bring it back. One that is read has it then.
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

/** The record of a redelivery: one more attempt, with the body of the first. The request that asked for it caused it. */
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

/** Takes the webhook's next numbers by compare-and-set, and fails when the webhook is gone. */
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

/** The items of the deliveries table that tell of deliveries: one per attempt (decisions §6). */
import { limits } from '../../contract/limits.ts';
import type { DeliveryRecord, DeliveryStatus } from '../../contract/resources.ts';
import { timestamp } from '../clock.ts';
import type { Event } from '../events/event.ts';
import { deliveries } from '../table-keys.ts';
import { eventBody } from '../webhooks/message.ts';
import type { WebhookItem } from '../webhooks/webhook.ts';
import { deliveryId } from './delivery-id.ts';

/** One attempt as the log shows it, with its place and its end. */
export interface RecordItem extends DeliveryRecord {
  readonly pk: string;
  readonly sk: string;
  readonly webhookId: number;
  readonly expiresAtSeconds: number;
}

/** The record of attempt 1. It carries the state of the whole delivery beside its own. */
export interface HeadItem extends RecordItem, DeliveryState {
  readonly businessId: number;
  readonly keyId: number;
  readonly eventId: number;
  /** The exact body, frozen when the event was planned. */
  readonly body: string;
}

/** Where a delivery stands. `success` and `failed` are its ends (section 3.3). */
export interface DeliveryState {
  readonly state: DeliveryStatus;
  /** Attempts made and recorded so far: 0 while pending. */
  readonly attempts: number;
  /** When the next attempt is due, in epoch milliseconds; meaningless at the end. */
  readonly dueAt: number;
}

/** Where a record lies and when it goes. */
export function recordPlace(webhookId: number, number: number, at: number) {
  return {
    ...deliveries.record(webhookId, number),
    webhookId,
    expiresAtSeconds: Math.ceil(at / 1_000) + limits.deliveryRetentionDays * 86_400,
  };
}

/** The head of a new delivery: its first attempt is pending, and due at once. */
export function pendingHead(event: Event, webhook: WebhookItem, number: number, at: number): HeadItem {
  const id = deliveryId(webhook.id, number);
  return {
    ...recordPlace(webhook.id, number, at),
    id: number,
    event: event.name,
    deliveryId: id,
    responseStatusCode: 0,
    responseTimeMs: 0,
    deliveryStatus: 'pending',
    attemptNumber: 1,
    errorMessage: null,
    createdAt: timestamp(at),
    errorCode: null,
    nextAttemptAt: null,
    responseBody: null,
    trigger: 'scheduled',
    businessId: webhook.businessId,
    keyId: webhook.keyId,
    eventId: event.id,
    body: eventBody({ deliveryId: id, event: event.name, occurredAt: event.occurredAt, data: event.data }),
    state: 'pending',
    attempts: 0,
    dueAt: at,
  };
}

/** A record as the integrator sees it (section 2.3). */
export function recordOf(item: RecordItem): DeliveryRecord {
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

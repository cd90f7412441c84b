/** What an attempt is made with, and what it is once it is over. */
import type { KeyFacts } from '../../keys/api-key.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import type { DeliveryRef } from '../model/batch.ts';
import type { DeliveryItem } from '../model/delivery-record.ts';
import type { AttemptOutcome } from '../model/state.ts';

/**
 * What is read of a delivery and of its webhook, with their places. More than half of a record is for those who read the
 * log, and a webhook carries the claims of all its late events.
 */
export const neededFields = {
  delivery: [
    'pk',
    'sk',
    'webhookId',
    'deliveryId',
    'event',
    'eventId',
    'requestId',
    'trigger',
    'body',
    'state',
    'attempts',
    'attemptNumber',
    'dueAt',
    'laterRecords',
  ],
  webhook: [
    'pk',
    'sk',
    'id',
    'tenantId',
    'keyId',
    'targetUrl',
    'status',
    'consecutiveFailures',
    'failingSince',
    'disabledAt',
    'slowUntil',
    'lastNumber',
  ],
} as const satisfies { delivery: readonly (keyof DeliveryItem)[]; webhook: readonly (keyof WebhookItem)[] };

export type FoundDelivery = Pick<DeliveryItem, (typeof neededFields.delivery)[number]>;
export type FoundWebhook = Pick<WebhookItem, (typeof neededFields.webhook)[number]>;

/** A delivery and the webhook it is for. */
export interface Found {
  readonly webhook: FoundWebhook;
  readonly delivery: FoundDelivery;
}

/** What an attempt needs beside them. */
export interface Means {
  readonly key: KeyFacts | undefined;
  readonly secret: string | undefined;
}

/** An attempt that is over, with what was read before it. Times are epoch milliseconds. */
export interface Attempt extends Found {
  readonly message: DeliveryRef;
  readonly result: AttemptOutcome;
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * The events about webhooks and API keys for an operator on the bus (docs/rules.md#operational-events). They are not
 * events of the business: no webhook can subscribe to them. Each has its notice in `contract/notices.ts`.
 */
import * as z from 'zod/mini';
import { field, id, instant } from '../fields.ts';
import { deliveryErrorCode, webhookStatus } from '../integration/resources.ts';
import { mode } from '../modes.ts';
import type { NoticeKind } from '../notice-kinds.ts';

export type OperationalEventName = NoticeKind;

export function isOperational(name: string): name is OperationalEventName {
  return /^(?:webhook|key)\./.test(name);
}

export const webhookEventData = z.strictObject({
  webhookId: field('Id of the webhook.', id()),
  apiKeyId: field('Id of the API key that the webhook belongs to.', id()),
  mode: field('Whether it is a webhook of the live business or of its sandbox.', mode),
  status: field('Its state now.', webhookStatus),
  consecutiveFailures: field('Its deliveries in a row that failed.', z.int()),
  failingSince: field(
    'When its first failed attempt in a row ended, UTC; null after a success.',
    z.nullable(instant()),
  ),
  errorCode: field(
    'Why the delivery failed that brought the event about; null after a success.',
    z.nullable(deliveryErrorCode),
  ),
});

export const keyEventData = z.strictObject({
  apiKeyId: field('Id of the API key.', id()),
  mode: field('Whether it is a key of the live business or of its sandbox.', mode),
  expiresAt: field('When it expires, UTC.', instant()),
});

export type WebhookEventData = z.infer<typeof webhookEventData>;
type KeyEventData = z.infer<typeof keyEventData>;
export type OperationalEventData = WebhookEventData | KeyEventData;

/** The client of the booking integration API. See README.md. */
export type { CallOptions, CreateOptions, List } from './call.ts';
export { type BookingClient, type ClientOptions, createClient } from './create-client.ts';
export type { EnsuredWebhook, WantedWebhook } from './ensure-webhook.ts';
export { ApiError, type ClientErrorCode } from './errors.ts';
export type { FeedEvent, FeedOptions } from './feed.ts';
export type * from './generated/operations.ts';
export type * from './generated/types.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookErrorCode,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';

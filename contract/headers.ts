/** Names of the headers that are part of the contract (docs/rules.md#api-keys, #limits, #signatures). */
export const rateLimitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Limit-Day',
  'X-RateLimit-Remaining-Day',
  'X-RateLimit-Reset-Day',
] as const;

export const requestIdHeader = 'X-Request-Id';

/** Until when the old value of a regenerated key works, which sent this request (docs/rules.md#api-keys). */
export const replacedKeyHeader = 'X-API-Key-Works-Until';

/** Says that an answer is the first one again (docs/rules.md#idempotency). */
export const replayedHeader = { 'Idempotent-Replayed': 'true' } as const;

/** What a browser's script may read of an answer (docs/rules.md#origins). */
export const exposedHeaders = [
  ...rateLimitHeaders,
  requestIdHeader,
  'ETag',
  'Location',
  'Retry-After',
  'Idempotent-Replayed',
  replacedKeyHeader,
] as const;

export const webhookHeaders = [
  'X-Webhook-Event',
  'X-Webhook-Mode',
  'X-Webhook-Delivery',
  'X-Webhook-Signature',
  'X-Webhook-Timestamp',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const;

/** Where the edge puts its secret. Of no meaning to integrators: the edge overwrites what they send. */
export const edgeSecretHeader = 'x-origin-secret';

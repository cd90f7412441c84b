/** Names of the headers that are part of the contract (specification §5, §6.2, §8; decisions §2, §3, §6). */
export const rateLimitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Limit-Day',
  'X-RateLimit-Remaining-Day',
  'X-RateLimit-Reset-Day',
] as const;

export const requestIdHeader = 'X-Request-Id';

/** Says that an answer is the first one again (decisions §5). */
export const replayedHeader = { 'Idempotent-Replayed': 'true' } as const;

/** What a browser's script may read of an answer (decisions §3). */
export const exposedHeaders = [
  ...rateLimitHeaders,
  requestIdHeader,
  'ETag',
  'Location',
  'Retry-After',
  'Idempotent-Replayed',
] as const;

export const webhookHeaders = [
  'X-Webhook-Event',
  'X-Webhook-Delivery',
  'X-Webhook-Signature',
  'X-Webhook-Timestamp',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
] as const;

import { limits } from './limits.ts';

/** The headers that are part of the contract (docs/rules.md#api-keys, #limits, #signatures). */
export const rateLimitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Limit-Day',
  'X-RateLimit-Remaining-Day',
  'X-RateLimit-Reset-Day',
] as const;

export const requestIdHeader = 'X-Request-Id';

/** The time until which the old value of a regenerated key, which sent this request, works (docs/rules.md#api-keys). */
export const replacedKeyHeader = 'X-API-Key-Works-Until';

/** The value of `Idempotency-Key`, as a JSON Schema. HTTP clients cannot send other characters in a header. */
export const idempotencyKeySchema = {
  type: 'string',
  minLength: 1,
  maxLength: limits.idempotencyKeyLength,
  pattern: '^[ -~]+$',
} as const;

/** Describes what `idempotencyKeySchema` allows. */
export const idempotencyKeyForm = `1 to ${limits.idempotencyKeyLength} printable ASCII characters`;

export function isIdempotencyKey(value: unknown): boolean {
  const { maxLength, pattern } = idempotencyKeySchema;
  return typeof value === 'string' && value.length <= maxLength && new RegExp(pattern).test(value);
}

/** Marks a repeated response (docs/rules.md#idempotency). */
export const replayedHeader = { 'Idempotent-Replayed': 'true' } as const;

/** The response headers that scripts in a browser may read (docs/rules.md#origins). */
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

/** The header of the edge's secret. Integrators cannot use it: the edge overwrites their value. */
export const edgeSecretHeader = 'x-origin-secret';

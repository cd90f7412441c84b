import { limits } from './limits.ts';

/**
 * The error catalogue (docs/rules.md#errors): one row per stable `code`, with its status and the public default
 * message. Every error of the functions has the shape `{ statusCode, error, message, code, details?, requestId }`.
 */
export const errors = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  validation_failed: { status: 400, message: 'The request is not valid. See details.' },
  range_too_large: { status: 400, message: 'The requested range is too long, or contains too many entries.' },
  api_key_missing: { status: 401, message: 'Send your API key in the X-API-Key header, or as Authorization: Bearer.' },
  api_key_invalid: { status: 401, message: 'The API key is not valid.' },
  api_key_revoked: { status: 401, message: 'The API key was revoked.' },
  api_key_expired: { status: 401, message: 'The API key has expired.' },
  insufficient_scope: {
    status: 403,
    message: 'The API key lacks a scope that the request needs, or the session does not allow the request.',
  },
  agents_not_allowed: { status: 403, message: 'AI agents may not use this API key.' },
  origin_not_allowed: {
    status: 403,
    message:
      'This API key accepts requests from its allowed origins only. Leave allowedOrigins empty for a key used on a server.',
  },
  business_claim_missing: { status: 403, message: 'The token contains no business. Sign in again, or ask support.' },
  role_not_allowed: { status: 403, message: 'Your role in this business does not allow the request.' },
  not_found: { status: 404, message: 'There is no such resource.' },
  route_not_found: { status: 404, message: 'There is no such endpoint.' },
  method_not_allowed: { status: 405, message: 'This endpoint does not support the method. See the Allow header.' },
  slot_unavailable: { status: 409, message: 'The requested time is not available.' },
  invalid_state: { status: 409, message: 'The current state of the object does not allow this request.' },
  cancellation_window_passed: { status: 409, message: 'It is too late to cancel this booking.' },
  hold_expired: { status: 409, message: 'The slot hold has expired, was released, or was used for a booking.' },
  hold_limit_reached: { status: 409, message: `This API key already has ${limits.holdsPerKey} slot holds.` },
  contact_limit_reached: {
    status: 409,
    message: `This phone or email already has ${limits.upcomingBookingsPerContact} upcoming bookings through this API key, or one that overlaps.`,
  },
  colleague_exists: {
    status: 409,
    message: 'This address cannot be invited: another person signs in with it already.',
  },
  future_bookings: { status: 409, message: 'There are bookings that are not over yet.' },
  client_exists: { status: 409, message: 'Another client already has this phone or email.' },
  review_exists: { status: 409, message: 'This booking already has a review.' },
  refund_exceeds_payment: { status: 409, message: 'The refund is more than what is left of the payment.' },
  webhook_limit_reached: {
    status: 409,
    message: `This API key already has ${limits.activeWebhooksPerKey} active webhooks.`,
  },
  api_key_limit_reached: {
    status: 409,
    message: `This business already has ${limits.activeKeysPerBusiness} active API keys. Revoke one that is not in use.`,
  },
  recovery_in_progress: {
    status: 409,
    message: 'A recovery of this webhook is running or has just ended. See `retryAfter`.',
  },
  ping_in_progress: {
    status: 409,
    message: `A ping of this webhook is running, or ${limits.pingsPerBusiness} pings of this business. See \`retryAfter\`.`,
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again shortly.',
  },
  feed_busy: {
    status: 409,
    message: `Another request waits for this feed, ${limits.feedWaitersPerBusiness} requests wait for feeds of this business, or too many wait for all feeds. See \`retryAfter\`.`,
  },
  feed_expired: {
    status: 410,
    message:
      'The messages after this number are no longer stored. Continue with `after` = `details.oldest` − 1, and read the missed changes from `GET /bookings` and `GET /clients`.',
  },
  payload_too_large: { status: 413, message: `The request body is larger than ${limits.bodyBytes / 1_024} KiB.` },
  unsupported_media_type: { status: 415, message: 'Send the body as Content-Type: application/json.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was already used for another request.' },
  rate_limit_exceeded: { status: 429, message: 'The limit of requests per minute is exceeded.' },
  daily_limit_exceeded: { status: 429, message: 'The limit of requests per day is exceeded.' },
  internal_error: { status: 500, message: 'Something went wrong on our side. The request id helps us to find it.' },
  temporarily_unavailable: { status: 503, message: 'The service is briefly unavailable. Try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** The field `error` of the shape: the reason phrase of the status. */
export const reasons: Readonly<Record<(typeof errors)[ErrorCode]['status'], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** The errors that every endpoint can return, whatever its row lists. */
export const commonErrors = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
  'insufficient_scope',
  'origin_not_allowed',
  'rate_limit_exceeded',
  'daily_limit_exceeded',
  'internal_error',
  'temporarily_unavailable',
] as const satisfies readonly ErrorCode[];

/** The errors that every endpoint of the account API can return. The gateway returns 401 before a function runs. */
export const commonAccountErrors = [
  'business_claim_missing',
  'role_not_allowed',
  'rate_limit_exceeded',
  'daily_limit_exceeded',
  'internal_error',
  'temporarily_unavailable',
] as const satisfies readonly ErrorCode[];

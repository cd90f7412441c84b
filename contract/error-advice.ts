/** The advice to the caller for each error: the last column of docs/errors.md. */
import type { ErrorCode } from './errors.ts';
import { limits } from './limits.ts';

export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'Send valid JSON: no trailing commas, no single quotes.',
  validation_failed: '`details` lists every wrong field with its `path`. Correct all of them.',
  range_too_large: 'Split the range, and send one request for each part.',
  api_key_missing: 'Add the header `X-API-Key`.',
  api_key_invalid:
    'Use the key as it was shown at its creation: this key is incomplete, was replaced, or is of another deployment.',
  api_key_revoked: 'Ask the owner for a new key.',
  api_key_expired: 'Ask the owner for a new key, or for a later expiry date.',
  insufficient_scope:
    'For a key: ask the owner to add the scope that `details.scope` names. For a session: open a session that allows the request.',
  agents_not_allowed: 'Ask the owner to allow AI agents for this key (`agents`), or try with a test key.',
  origin_not_allowed:
    'On a server: use a key without allowed origins. In a browser: let the owner add the host of the page.',
  business_claim_missing: 'Sign in again. If the error remains, the account has no business yet.',
  role_not_allowed: 'Ask an owner to send the request, or to change your role.',
  not_found: 'Check the id. An id of another business or mode (live, test) gets the same error as an unknown id.',
  route_not_found: 'Check the path against the reference. It begins with `/v1/integration`.',
  method_not_allowed: 'Use one of the methods in the header `Allow`.',
  slot_unavailable:
    'Offer the starts in `details.nextAvailable`, or ask for slots again. If `nextAvailable` is empty, ask why the start is not free.',
  invalid_state:
    'Read the resource again: another request may have changed it. The state of the resource must allow the request.',
  cancellation_window_passed: 'Ask the client to call the business.',
  hold_expired:
    'Hold the slot again. Except with the tools for AI agents, you may also book without `holdId`. Send a new `Idempotency-Key`.',
  hold_limit_reached:
    'Wait until a hold expires, or release one. Except with the tools for AI agents, you may also book without a hold. Send a new `Idempotency-Key`.',
  colleague_exists:
    'If the colleague is in your team already, remove the colleague first. Otherwise, invite another address.',
  future_bookings: 'Move or cancel these bookings first.',
  client_exists: 'Use the client that has this phone or email.',
  review_exists: 'Do not send the review again: a booking has at most one.',
  refund_exceeds_payment: 'Read the payment and refund no more than what is left.',
  webhook_limit_reached: `Delete a webhook that is not in use. A business has at most ${limits.webhooksPerBusiness} webhooks.`,
  api_key_limit_reached: `Revoke a key that is not in use. After ${limits.newKeysPerDay} new keys on one day, wait until midnight UTC.`,
  recovery_in_progress: 'Try again after `retryAfter` seconds.',
  feed_busy: 'Let only one process wait for a feed. A request without `wait` gets a response at once.',
  feed_expired:
    'Read the bookings and clients that changed since then, see [keep a mirror](keep-a-mirror.md). Then continue with `after` = `details.oldest` − 1.',
  ping_in_progress: 'Try again after `retryAfter` seconds.',
  idempotency_in_progress: 'Wait a second and send the same request again.',
  payload_too_large: 'Send a smaller body.',
  unsupported_media_type: 'Add the header `Content-Type: application/json`.',
  idempotency_key_reused:
    'Make a new `Idempotency-Key` for each new request. Use an old one only to repeat its request.',
  contact_limit_reached:
    'Tell the client to call the business. Do not try again at once: the limit protects the owner of this phone or email.',
  rate_limit_exceeded: 'Wait for `Retry-After` seconds. See [limits](limits.md).',
  daily_limit_exceeded: 'Wait until midnight UTC (`Retry-After` seconds). See [limits](limits.md).',
  internal_error: 'Try again if the request is safe to repeat. Report the `requestId` if the error remains.',
  temporarily_unavailable:
    'Wait for `Retry-After` seconds, and try again if the request is safe to repeat: `GET`, `DELETE`, the cancellation of a booking, or a `POST` that takes an `Idempotency-Key` (send the same key again).',
};

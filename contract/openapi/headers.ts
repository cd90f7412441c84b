/** Descriptions of the headers of responses and of messages to webhooks. */
import type { exposedHeaders, webhookHeaders } from '../headers.ts';
import type { Api, Json } from './apis.ts';
import { refTo } from './schemas.ts';

const answerHeaders: Readonly<Record<(typeof exposedHeaders)[number] | 'WWW-Authenticate', string>> = {
  'X-RateLimit-Limit': 'Requests allowed per minute.',
  'X-RateLimit-Remaining': 'Requests left in this minute, or today if these are fewer.',
  'X-RateLimit-Reset': 'When the current minute ends, in Unix seconds.',
  'X-RateLimit-Limit-Day': 'Requests allowed per day.',
  'X-RateLimit-Remaining-Day': 'Requests left today (UTC).',
  'X-RateLimit-Reset-Day': 'When the current day ends (00:00 UTC), in Unix seconds.',
  'X-Request-Id': 'Id of this request in our log. Send it to support.',
  ETag: 'Version of the response. Send it as `If-None-Match`: the response is 304 if nothing has changed.',
  Location: 'Path of the created object.',
  'Retry-After': 'Seconds to wait before the next request.',
  'Idempotent-Replayed': '`true`: this is the response to an earlier request with the same `Idempotency-Key`.',
  'X-API-Key-Works-Until':
    'Time at which the old value of a regenerated key stops working, ISO 8601. Only in responses to requests with the old value.',
  'WWW-Authenticate': 'The authentication scheme: `Bearer`.',
};

/** The headers of a message, by the name of their description. */
export const messageHeaders: Readonly<Record<(typeof webhookHeaders)[number], string>> = {
  'X-Webhook-Event': 'Name of the event, as in the body.',
  'X-Webhook-Mode': '`test` on messages of a sandbox. Live messages do not have this header.',
  'X-Webhook-Delivery': 'Id of the message, as in the body: the same in every attempt.',
  'X-Webhook-Signature':
    '`sha256=` and the HMAC-SHA256 of the raw body in lowercase hex, keyed with the whole signing secret.',
  'X-Webhook-Timestamp': 'When this attempt was sent, ISO 8601.',
  'webhook-id': 'Id of the message, for Standard Webhooks libraries.',
  'webhook-timestamp': 'When this attempt was sent, in Unix seconds, for Standard Webhooks libraries.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded part of the secret after `whsec_`: Standard Webhooks.',
};

const numeric = /RateLimit|Retry/;

export function headersOf(api: Api, extra: readonly string[] = []): Json {
  return Object.fromEntries([...api.headers, ...extra].map((name) => [name, refTo('headers', name)]));
}

export function headerComponents(api: Api): Json {
  return Object.fromEntries(
    Object.entries(answerHeaders)
      .filter(([name]) => api.headers.includes(name) || sentBy(api, name))
      .map(([name, description]) => [
        name,
        { description, schema: numeric.test(name) ? { type: 'integer', format: 'int64' } : { type: 'string' } },
      ]),
  );
}

/** Whether a response of a row may contain this header. */
function sentBy({ routes }: Api, name: string): boolean {
  switch (name) {
    case 'ETag':
      return routes.some((route) => route.etag);
    case 'Location':
      return routes.some((route) => route.location);
    case 'Idempotent-Replayed':
      return routes.some((route) => route.idempotent);
    default:
      return name === 'Retry-After' || name === 'WWW-Authenticate';
  }
}

/**
 * The notices (docs/rules.md#notices): messages to people about a webhook or an API key, in the console and by email.
 * `{name}`, `{reason}`, `{when}` and `{id}` stand for what a notice is about.
 */
import type { DeliveryErrorCode } from './integration/resources.ts';
import { limits } from './limits.ts';
import type { NoticeKind } from './notice-kinds.ts';

export interface NoticeRow {
  /** `error`: nothing works until an owner acts. `warning`: that will happen soon. `good`: the problem is over. */
  readonly severity: 'error' | 'warning' | 'good';
  /** The subject of an email with this notice alone, and its heading in one with several. */
  readonly subject: string;
  /** What happened. */
  readonly says: string;
  /** What to do now. */
  readonly advice: string;
  /** The label of the link to the page of the console. */
  readonly act: string;
  readonly path: string;
}

const webhook = { act: 'Open the webhook', path: '/webhooks/{id}' } as const;
const key = { act: 'Open the API key', path: '/api-keys?key={id}' } as const;
const keyExpires = 'The API key “{name}” expires {when}. Its requests are refused from then on.';
const keyAdvice = 'Change its expiry, or create a new key and switch your integration over.';

export const notices = {
  'webhook.failing': {
    ...webhook,
    severity: 'warning',
    subject: 'Webhook is failing: {name}',
    says: 'The last three messages to the webhook “{name}” could not be delivered. {reason}',
    advice: 'Check the receiver. After five failed messages in a row we disable the webhook.',
  },
  'webhook.disabled': {
    ...webhook,
    severity: 'error',
    subject: 'Webhook was disabled: {name}',
    says: 'Five messages in a row to the webhook “{name}” could not be delivered, so we disabled it. It receives nothing. {reason}',
    advice: 'Repair the receiver, then reactivate the webhook and send again what it missed.',
  },
  'webhook.recovered': {
    ...webhook,
    severity: 'good',
    subject: 'Webhook works again: {name}',
    says: 'The webhook “{name}” receives messages again.',
    advice: 'Messages that failed in the meantime can be sent again from its page.',
  },
  'key.expires_in_14_days': {
    ...key,
    severity: 'warning',
    subject: 'API key expires in 14 days: {name}',
    says: keyExpires,
    advice: keyAdvice,
  },
  'key.expires_in_3_days': {
    ...key,
    severity: 'error',
    subject: 'API key expires in 3 days: {name}',
    says: keyExpires,
    advice: keyAdvice,
  },
} as const satisfies Record<NoticeKind, NoticeRow>;

/** The reason of a failure, as a sentence. */
export const noticeReasons = {
  dns_error: 'The host name was not found.',
  connect_error: 'The receiver could not be reached.',
  tls_error: 'The secure connection failed: check the certificate.',
  timeout: `The receiver did not answer within ${limits.deliveryTimeoutMs / 1_000} seconds.`,
  http_status: 'The receiver answered with an error instead of 2xx.',
  target_not_allowed: 'The address of the receiver is not public.',
  protocol_error: 'The answer of the receiver was not valid HTTP.',
  webhook_disabled: '',
} as const satisfies Record<DeliveryErrorCode, string>;

/** Puts values in the place of their names. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{([a-z]{1,10})\}/g, (_, name: string) => String(values[name] ?? '')).trim();
}

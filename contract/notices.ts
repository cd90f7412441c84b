/**
 * The notices (docs/rules.md#notices): messages to people about a webhook or an API key, in the console and by email.
 * `{name}`, `{reason}`, `{when}` and `{id}` are placeholders for the subject of a notice.
 */
import type { DeliveryErrorCode } from './integration/resources.ts';
import { limits } from './limits.ts';
import type { NoticeKind } from './notice-kinds.ts';

export interface NoticeRow {
  /** `error`: nothing works until an owner acts. `warning`: this will happen soon. `good`: the problem is over. */
  readonly severity: 'error' | 'warning' | 'good';
  /** The subject of an email with only this notice, and its heading in an email with several. */
  readonly subject: string;
  /** What happened. */
  readonly description: string;
  /** The action to take now. */
  readonly advice: string;
  /** The label of the link to the page of the console. */
  readonly act: string;
  readonly path: string;
  /** An explanation for owners who never created one. An email has it once, after its notices. */
  readonly about: string;
}

const webhook = {
  act: 'Open the webhook',
  path: '/webhooks/{id}',
  about:
    'A webhook tells another program, its receiver, about your bookings: your CRM, for example. If you do not look after that program, forward this email to the person who does.',
} as const;
const key = {
  act: 'Open the API key',
  path: '/api-keys?key={id}',
  about:
    'An API key lets another program, such as your website, work with your bookings. If you do not look after that program, forward this email to the person who does.',
} as const;
const keyExpires = 'The API key “{name}” expires {when}. The program that uses it stops working then.';
const keyAdvice = 'Choose a later date, or create a new key and put it in the place of the old one.';

export const notices = {
  'webhook.failing': {
    ...webhook,
    severity: 'warning',
    subject: 'Webhook is failing: {name}',
    description: 'The last three messages to the webhook “{name}” could not be delivered. {reason}',
    advice:
      'Check the receiver. After five failed messages in a row we disable the webhook. Your bookings are not affected.',
  },
  'webhook.disabled': {
    ...webhook,
    severity: 'error',
    subject: 'Webhook was disabled: {name}',
    description: 'Five messages in a row to the webhook “{name}” could not be delivered, so we disabled it. {reason}',
    advice: `Your bookings are not affected, but the receiver learns nothing new about them. Repair it, then reactivate the webhook and recover what it missed. Messages are kept for ${limits.deliveryRetentionDays} days.`,
  },
  'webhook.recovered': {
    ...webhook,
    severity: 'good',
    subject: 'Webhook works again: {name}',
    description: 'Messages to the webhook “{name}” are delivered again.',
    advice: 'You can recover the messages that failed before.',
  },
  'key.expires_in_14_days': {
    ...key,
    severity: 'warning',
    subject: 'API key expires in 14 days: {name}',
    description: keyExpires,
    advice: keyAdvice,
  },
  'key.expires_in_3_days': {
    ...key,
    severity: 'error',
    subject: 'API key expires in 3 days: {name}',
    description: keyExpires,
    advice: keyAdvice,
  },
} as const satisfies Record<NoticeKind, NoticeRow>;

/** The reason of a failure, as a sentence. */
export const noticeReasons = {
  dns_error: 'The host name was not found.',
  connect_error: 'The receiver could not be reached.',
  tls_error: 'The secure connection failed: check the certificate.',
  timeout: `The receiver did not respond within ${limits.deliveryTimeoutMs / 1_000} seconds.`,
  http_status: 'The receiver responded with an error.',
  target_not_allowed: 'The address of the receiver is not public.',
  protocol_error: 'The receiver sent a response that is not HTTP.',
  webhook_disabled: '',
} as const satisfies Record<DeliveryErrorCode, string>;

export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{([a-z]{1,10})\}/g, (_, name: string) => String(values[name] ?? '')).trim();
}

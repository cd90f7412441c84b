/**
 * The signatures that prove where a message comes from: our own and that of Standard Webhooks
 * (docs/rules.md#signatures).
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { apiVersion } from '../../../contract/events.ts';
import type { Mode } from '../../../contract/modes.ts';
import { timestamp } from '../../clock.ts';
import { secretPrefix } from './secret.ts';

interface Addressed {
  /** Of the tenant that the message is of. */
  readonly mode: Mode;
  readonly deliveryId: string;
  /** Event name, or `ping`. */
  readonly event: string;
  /** When this attempt is sent, in epoch milliseconds. */
  readonly sentAt: number;
}

interface Signing extends Addressed {
  /** `whsec_…` as the integrator got it. */
  readonly secret: string;
  /** The previous secret in its grace time: `webhook-signature` also contains a signature with this secret. */
  readonly previousSecret?: string | undefined;
  /** The exact body that is sent, as its UTF-8 bytes. */
  readonly body: string;
}

/**
 * Every header of a message (docs/rules.md#signatures): this API's own, those of Standard Webhooks, and `User-Agent`. A
 * message of a sandbox has a header that marks it as a test.
 *
 * `X-Webhook-Signature` is keyed with the whole secret as UTF-8 and covers the body. `webhook-signature` is keyed with
 * the decoded part after `whsec_` and covers `id.timestamp.body`, which binds the id and the time as well.
 */
export function signedHeaders({ secret, previousSecret, body, ...addressed }: Signing): Record<string, string> {
  const bound = `${addressed.deliveryId}.${seconds(addressed.sentAt)}.`;
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const standard = secrets.map((one) => `v1,${hmacSha256(standardKey(one), bound, body).toString('base64')}`);
  return {
    ...unsignedHeaders(addressed),
    'X-Webhook-Signature': `sha256=${hmacSha256(secret, body).toString('hex')}`,
    'webhook-signature': standard.join(' '),
  };
}

/** The headers of a message without its signatures, and without its times as long as it was not sent. */
export function unsignedHeaders({
  mode,
  deliveryId,
  event,
  sentAt,
}: Omit<Addressed, 'sentAt'> & { readonly sentAt: number | undefined }): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': `BookingWebhooks/${apiVersion}`,
    'X-Webhook-Event': event,
    ...(mode === 'test' && { 'X-Webhook-Mode': mode }),
    'X-Webhook-Delivery': deliveryId,
    'webhook-id': deliveryId,
    ...(sentAt !== undefined && { 'X-Webhook-Timestamp': timestamp(sentAt), 'webhook-timestamp': seconds(sentAt) }),
  };
}

function seconds(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1_000));
}

/** HMAC-SHA-256 (RFC 2104) over the UTF-8 bytes of the parts in a row. */
export function hmacSha256(key: string | KeyObject, ...parts: string[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Signing with plain bytes takes more than twice as long, because Node.js checks which kind of key they are. */
function standardKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(secretPrefix.length), 'base64');
}

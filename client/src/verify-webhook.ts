/** Verifies webhook messages by the Standard Webhooks headers: they come from the platform and are recent. */
import type { WebhookEvent } from './generated/types.ts';

/** Headers of any platform: `Headers`, Node's `request.headers`, or a record. Names are case-insensitive. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds. A message whose timestamp differs from now by more is rejected as a replay. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since the epoch. Default: now. */
  readonly now?: number | undefined;
}

export type WebhookErrorCode = 'header_missing' | 'timestamp_outside_tolerance' | 'signature_mismatch' | 'body_invalid';

/** The message is not authentic. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** A header may contain several signatures. The platform never sends more than these; each costs a hash of the body. */
const signaturesMax = 8;

const utf8 = new TextEncoder();

/**
 * Returns the event of a message that was recently signed with one of the secrets. `rawBody` is the body as received,
 * before any parser. During a rotation, pass the old and the new secret. The API may add events at any time: ignore
 * those that you do not know.
 *
 * Rejects with a `WebhookVerificationError`, or with a `TypeError` if a secret is malformed (`whsec_…`) or the body was
 * already parsed.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature').split(' ');
  const signatures = given.filter((signature) => signature.startsWith('v1,')).slice(0, signaturesMax);

  const age = now / 1_000 - Number(timestamp);
  // A tolerance that is not a number, such as that of a missing variable, accepts no message.
  if (!/^\d+$/.test(timestamp) || !(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError('timestamp_outside_tolerance', `Signed ${age.toFixed(0)} s ago.`);
  }

  const body = bodyOf(rawBody);
  const signed = joined(utf8.encode(`${id}.${timestamp}.`), body);
  const keys = await Promise.all([secret].flat().map(importKey));
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature: bytesOf(signature.slice(3)) })));
  // The comparison of the platform takes constant time.
  const checks = pairs.map(({ key, signature }) => signature && crypto.subtle.verify('HMAC', key, signature, signed));
  if (!(await Promise.all(checks)).some(Boolean)) {
    throw new WebhookVerificationError('signature_mismatch', 'No signature matches this secret and this body.');
  }
  return parsed(body);
}

/** In plain JavaScript the body may be anything, such as the result of `express.json()`, which no secret signs. */
function bodyOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === 'string') return utf8.encode(rawBody);
  // Bytes of another realm are not an `instanceof` this realm's classes.
  const kind = Object.prototype.toString.call(rawBody);
  if (kind === '[object Uint8Array]' || kind === '[object ArrayBuffer]') return new Uint8Array(rawBody);
  throw new TypeError('rawBody must be the body as it arrived, a string or bytes, before any parser.');
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('header_missing', name);
  return value;
}

async function importKey(secret: unknown) {
  const isSecret = typeof secret === 'string' && secret.startsWith('whsec_');
  const key = isSecret ? bytesOf(secret.slice('whsec_'.length)) : undefined;
  // The value is omitted: it is a secret, and errors are logged.
  if (!key?.length) throw new TypeError('The secret must be the whsec_… of the webhook.');
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Returns `undefined` if the text is not Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function parsed(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('body_invalid', 'The signature is valid, but the body is not JSON.');
  }
}

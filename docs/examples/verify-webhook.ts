import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Standard Webhooks: a message signed longer ago than this, or further ahead, is refused as a replay. */
const toleranceSeconds = 300;

/**
 * Checks `X-Webhook-Signature`: `sha256=` and the HMAC-SHA256 of the body in lowercase hex, keyed with the whole
 * secret. `rawBody` is the bytes as they arrived: parsing and printing JSON again gives other bytes.
 */
export function isSigned(secret: string, headers: IncomingHttpHeaders, rawBody: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
  // Anybody can sign with an empty key.
  return secret !== '' && equalInConstantTime(String(headers['x-webhook-signature'] ?? ''), `sha256=${expected}`);
}

/**
 * Checks the Standard Webhooks headers. Their signature also covers the message's id and time, so an old message that
 * an attacker sends again is refused. `now` is in milliseconds since the epoch.
 */
export function isSignedAndFresh(secret: string, headers: IncomingHttpHeaders, rawBody: Buffer, now: number): boolean {
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  if (!/^[0-9]+$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  const signatures = String(headers['webhook-signature'] ?? '').split(' ');
  return key.length > 0 && signatures.some((signature) => equalInConstantTime(signature, `v1,${expected}`));
}

/** Takes as long for a wrong first letter as for a wrong last one, so that the time reveals nothing. */
function equalInConstantTime(actual: string, expected: string): boolean {
  const actualBytes = Buffer.from(actual);
  const expectedBytes = Buffer.from(expected);
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes);
}

/** Tells floods of one network from floods of many, in a log that holds no address (docs/rules.md#privacy). */
import { createHmac } from 'node:crypto';

/** 24 bits: some 256 IPv4 addresses share a hash, so that it names none of them. */
const hexDigits = 6;

/**
 * The same for one address on one day of UTC, and another on the next. `key` is the stage's own, so that a list of all addresses
 * does not undo it elsewhere.
 */
export function callerHash(address: string, key: string, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return createHmac('sha256', key).update(`${day} ${address}`).digest('hex').slice(0, hexDigits);
}

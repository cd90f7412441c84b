/** An API key as the deliveries see it: the `KEY#id` item of the records table. */

export interface KeyRecord {
  readonly id: number;
  readonly businessId: number;
  readonly status: 'active' | 'revoked';
  /** Epoch milliseconds; without it the key never expires. */
  readonly expiresAt?: number;
}

/** Webhooks of a revoked, expired or vanished key are not triggered (decisions §6). */
export function isLive(key: KeyRecord | undefined, now: number): boolean {
  return key?.status === 'active' && (key.expiresAt === undefined || key.expiresAt > now);
}

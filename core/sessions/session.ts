/** A session as stored (docs/rules.md#sessions): items that are written and deleted together. */
import type { SessionActor } from '../principal.ts';

/** In the keys table, at the hash of the token: what the check of a request reads and counts in. */
export interface SessionFacts extends Omit<SessionActor, 'kind'> {
  /** A business, or of a test key its sandbox. */
  readonly tenantId: number;
  /** Only pages of this origin may use it; absent: any. */
  readonly origin?: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** In the records table, at the id. */
export interface SessionRecord {
  readonly id: number;
  readonly keyId: number;
  /** SHA-256 of the token. */
  readonly hash: string;
  /** How many bookings a booker may still make. */
  readonly bookingsLeft: number;
  /** The one booking that it is for. */
  readonly bookingId?: number;
}

/** In the records table, beside the booking that a session is for, so that its links are found. */
export type LinkItem = Pick<SessionRecord, 'id' | 'hash'>;

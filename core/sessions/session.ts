/** The stored items of a session (docs/rules.md#sessions), which are written and deleted together. */
import type { SessionActor } from '../principal.ts';

/** In the table `keys`, by the hash of the token: read and counted by the check of each request. */
export interface SessionFacts extends Omit<SessionActor, 'kind'> {
  /** The id of a business, or of the sandbox for a test key. */
  readonly tenantId: number;
  /** Only pages of this origin may use the session; absent: all pages. */
  readonly origin?: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** In the table `records`, by the id of the session. */
export interface SessionRecord {
  readonly id: number;
  readonly keyId: number;
  /** SHA-256 of the token. */
  readonly hash: string;
  /** How many bookings a booker may still make. */
  readonly bookingsLeft: number;
  /** The integrator's reference, which each booking of a booker gets. */
  readonly externalId?: string;
  /** The last booking that a booker made. */
  readonly lastBookingId?: number;
  /** The booking, for a session of kind `booking`. */
  readonly bookingId?: number;
}

/** In the table `records`, beside the booking of the session, so that all links to a booking are found. */
export type LinkItem = Pick<SessionRecord, 'id' | 'hash'>;

/** What a reconciliation found and did (docs/runbooks/regions.md#take-over). */

/** A change that a caller saw in a response but that is lost. */
export interface Lost {
  readonly businessId: number;
  /** The part of the change that arrived. */
  readonly trace: 'event' | 'answer' | 'time' | 'payment';
  readonly event?: string;
  readonly id: number;
  /** The time of the change, ISO 8601; of a refund that only the payment shows, the end of the replication lag. */
  readonly at: string;
}

export interface ErasedClient {
  readonly businessId: number;
  readonly clientId: number;
  /** The time of the erasure, ISO 8601. */
  readonly at: string;
}

export interface Reconciled {
  readonly lost: readonly Lost[];
  /** Bookings that were cancelled because a later booking has their time. */
  readonly displaced: readonly { readonly businessId: number; readonly bookingId: number }[];
  /** Clients who were erased within the replication lag: the search for their data may be lost. */
  readonly erased: readonly ErasedClient[];
  /** How many missing events of changes were raised. */
  readonly raised: number;
  readonly days: number;
  readonly webhooks: number;
}

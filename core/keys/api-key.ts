/** Who is calling, as a handler sees it: an accepted API key without its value, hash or counters. */
import type { Scope } from '../../contract/scopes.ts';

export interface ApiKey {
  /** Stable across regeneration (decisions §3). */
  readonly id: number;
  readonly businessId: number;
  readonly scopes: readonly Scope[];
  /** A `bk_test_` key. */
  readonly test: boolean;
}

/** Which key, when it does not matter what it may do. */
export type KeyReference = Pick<ApiKey, 'id' | 'businessId'>;

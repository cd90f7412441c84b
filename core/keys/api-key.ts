/** What an API key is, and when it is live. */
import type { Scope } from '../../contract/scopes.ts';

/**
 * A key as stored. Two items hold it, and change in one transaction: the one of the keys table, which the key check
 * reads and counts in, and the `KEY#id` record of the records table, which the owner and the deliveries read.
 */
export interface KeyFacts {
  /** Stable across regeneration (docs/rules.md#api-keys). */
  readonly id: number;
  /** Of a test key the sandbox. */
  readonly tenantId: number;
  readonly scopes: readonly Scope[];
  /** A `bk_test_` key. */
  readonly test: boolean;
  readonly status: 'active' | 'revoked';
  /** Epoch milliseconds; without it the key never expires. */
  readonly expiresAt?: number;
  readonly origins: readonly string[];
  /** A live key that may serve agents. */
  readonly agents?: boolean;
}

/** The old value of a regenerated key, while it works. In the keys table; the record has its hash. */
interface Replaced {
  /** SHA-256 of the value that replaced it, which decides and counts. */
  readonly replacedBy?: string;
}

/** An item of the keys table: the facts, and the counters of its windows by their names. */
export type CountedKey = KeyFacts & Replaced & Readonly<Record<string, unknown>>;

type Lifetime = Pick<KeyFacts, 'status' | 'expiresAt'>;

/** docs/rules.md#api-keys: an active key whose validity has ended is expired. `at` in epoch milliseconds. */
export function statusOf({ status, expiresAt }: Lifetime, at: number): 'active' | 'revoked' | 'expired' {
  if (status === 'revoked') return 'revoked';
  return expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active';
}

/** Webhooks of a revoked or expired key are not triggered (docs/rules.md#webhooks). */
export function isLive(key: Lifetime, at: number): boolean {
  return statusOf(key, at) === 'active';
}

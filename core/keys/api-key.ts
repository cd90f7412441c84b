/** An API key, and when it is active. */
import { limits } from '../../contract/limits.ts';
import type { Scope } from '../../contract/scopes.ts';

/**
 * A stored key. One transaction changes its two items. The key check reads the item in the table `keys`, and counts
 * requests in it; owners and deliveries read the item `KEY#id` in the table `records`.
 */
export interface KeyFacts {
  /** Does not change when the key is regenerated (docs/rules.md#api-keys). */
  readonly id: number;
  /** For a test key the id of the sandbox. */
  readonly tenantId: number;
  readonly scopes: readonly Scope[];
  /** Whether the key is a `bk_test_` key. */
  readonly test: boolean;
  readonly status: 'active' | 'revoked';
  /** Epoch milliseconds; without it the key never expires. */
  readonly expiresAt?: number;
  /** DynamoDB deletes the item some hours after this time. A key without expiry gets it when it is revoked. */
  readonly expiresAtSeconds?: number;
  readonly origins: readonly string[];
  /** Whether a live key may serve agents. */
  readonly agents?: boolean;
}

/**
 * The old value of a regenerated key, in the table `keys`, while it is valid. The item in `records` contains its hash.
 */
interface Replaced {
  /** SHA-256 of the new value, whose item decides and counts. */
  readonly replacedBy?: string;
}

/** An item of the table `keys`: the fields of the key, and the counters of minutes and days. */
export type CountedKey = KeyFacts & Replaced & Readonly<Record<string, unknown>>;

type Lifetime = Pick<KeyFacts, 'status' | 'expiresAt'>;

/** docs/rules.md#api-keys: an active key whose validity has ended is expired. `at` in epoch milliseconds. */
export function statusOf(
  { status, expiresAt = Number.POSITIVE_INFINITY }: Lifetime,
  at: number,
): 'active' | 'revoked' | 'expired' {
  if (status === 'revoked') return 'revoked';
  return expiresAt <= at ? 'expired' : 'active';
}

/** The stored fields for an expiry in epoch milliseconds. */
export function expiryFields(expiresAt: number): Required<Pick<KeyFacts, 'expiresAt' | 'expiresAtSeconds'>> {
  return { expiresAt, expiresAtSeconds: Math.ceil(expiresAt / 1_000) + limits.endedKeyDays * 86_400 };
}

/** Webhooks of a deleted, revoked or expired key are not triggered (docs/rules.md#webhooks). */
export function isLive<Key extends Lifetime>(key: Key | undefined, at: number): key is Key {
  return key !== undefined && statusOf(key, at) === 'active';
}

/**
 * An API key as the account side keeps it: the `KEY#id` record of the records table, beside the item of the keys table
 * that the key check reads. Both hold status, expiry, scopes and origins, and change in one transaction.
 */
import type { ApiKeyResource } from '../../contract/account-resources.ts';
import type { Scope } from '../../contract/scopes.ts';
import { now, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { windowsAt } from './windows.ts';

/** What both items say of a key. */
export interface KeyFacts {
  readonly id: number;
  readonly businessId: number;
  readonly status: 'active' | 'revoked';
  /** Epoch milliseconds; without it the key never expires. */
  readonly expiresAt?: number;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly test: boolean;
}

export interface StoredKey extends KeyFacts {
  readonly name: string;
  /** SHA-256 of the current value: the partition key of the item in the keys table. */
  readonly hash: string;
  readonly prefix: string;
  readonly createdAt: string;
}

/** An item of the keys table: the facts, and the counters of its windows by their names. */
export type CountedKey = KeyFacts & Readonly<Record<string, unknown>>;

/** 404 `not_found` for an unknown id and for one of another tenant alike. */
export async function loadKey(businessId: number, id: number): Promise<StoredKey> {
  const item = await getItem<StoredKey>('records', records.key(businessId, id));
  if (!item) throw fail('not_found');
  return item;
}

/** Section 3.2: an active key whose validity has ended is expired. */
export function statusOf({ status, expiresAt }: KeyFacts, at: number): ApiKeyResource['status'] {
  if (status === 'revoked') return 'revoked';
  return expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active';
}

export function toApiKey(stored: StoredKey, counted: CountedKey | undefined): ApiKeyResource {
  const at = now();
  return {
    id: stored.id,
    name: stored.name,
    prefix: stored.prefix,
    status: statusOf(stored, at),
    scopes: [...stored.scopes],
    allowedOrigins: [...stored.origins],
    expiresAt: stored.expiresAt === undefined ? null : timestamp(stored.expiresAt),
    test: stored.test,
    createdAt: stored.createdAt,
    requestsToday: Number(counted?.[windowsAt(at).dayName] ?? 0),
    lastUsedAt: lastUsedAt(counted),
  };
}

/**
 * The begin of the minute of the last accepted request. The counters tell it: windows are removed only by a request that
 * opens a newer one, so the newest minute always stays.
 */
function lastUsedAt(counted: CountedKey | undefined): string | null {
  const minutes = Object.keys(counted ?? {}).flatMap((name) => (/^m#\d+$/.test(name) ? [Number(name.slice(2))] : []));
  return minutes.length === 0 ? null : timestamp(Math.max(...minutes) * 60_000);
}

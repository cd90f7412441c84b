/** An API key as the owner sees it, from the `KEY#id` record and the counters of the keys table. */
import type { AddressOff, ApiKeyResource } from '../../contract/account/resources.ts';
import { expiryNotices } from '../../contract/notice-kinds.ts';
import { now, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { windowsAt } from '../limits/windows.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { type CountedKey, type KeyFacts, statusOf } from './api-key.ts';

export interface StoredKey extends KeyFacts {
  readonly name: string;
  /** Where notices of it are sent. */
  readonly contactEmail?: string;
  /** SHA-256 of the current value: the partition key of the item in the keys table. */
  readonly hash: string;
  readonly prefix: string;
  readonly createdAt: string;
  /** The value before this one, which works until then, in epoch milliseconds. */
  readonly previous?: { readonly hash: string; readonly until: number };
  /** Of a revoked key: TTL is late by hours, so a key past it counts as deleted. */
  readonly expiresAtSeconds?: number;
}

export function isDeleted({ expiresAtSeconds }: StoredKey): boolean {
  return expiresAtSeconds !== undefined && expiresAtSeconds <= now() / 1_000;
}

/** 404 `not_found` for an unknown id and for one of another tenant alike. */
export async function loadKey(tenantId: number, id: number): Promise<StoredKey> {
  const item = await getItem<StoredKey>('records', records.key(tenantId, id));
  if (!item || isDeleted(item)) throw fail('not_found');
  return item;
}

/** The value before, while it works: until its time, and no longer than the key. */
export function livePrevious(stored: StoredKey): StoredKey['previous'] {
  const { previous, expiresAt = Number.POSITIVE_INFINITY } = stored;
  const at = now();
  if (!previous || previous.until <= at || statusOf(stored, at) !== 'active') return undefined;
  return { hash: previous.hash, until: Math.min(previous.until, expiresAt) };
}

/** `old` is the item of the value before, `off` why nothing is sent to the `contactEmail`. */
export function toApiKey(
  stored: StoredKey,
  counted: CountedKey | undefined,
  old: CountedKey | undefined,
  off: AddressOff,
): ApiKeyResource {
  const previous = livePrevious(stored);
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
    agents: stored.test || (stored.agents ?? false),
    contactEmail: stored.contactEmail ?? null,
    contactEmailOff: off,
    notice: noticeOf(stored, at),
    createdAt: stored.createdAt,
    requestsToday: Number(counted?.[windowsAt(at).dayName] ?? 0),
    lastUsedAt: lastUsedAt(counted),
    previous: previous
      ? { worksUntil: timestamp(previous.until), requests: requestsOf(old), lastUsedAt: lastUsedAt(old) }
      : null,
  };
}

const dayMs = 86_400_000;
const dayOf = (ms: number) => Math.floor(ms / dayMs);

/** What the console tells of it, from the day on which it is sent as well (docs/rules.md#notices). */
function noticeOf(stored: StoredKey, at: number): ApiKeyResource['notice'] {
  const { expiresAt } = stored;
  if (expiresAt === undefined || statusOf(stored, at) !== 'active') return null;
  const days = dayOf(expiresAt) - dayOf(at);
  return expiryNotices.find((notice) => days <= notice.days)?.kind ?? null;
}

/** Of all days. */
function requestsOf(counted: CountedKey | undefined): number {
  const days = Object.entries(counted ?? {}).filter(([name]) => name.startsWith('d#'));
  return days.reduce((sum, [, requests]) => sum + Number(requests), 0);
}

/**
 * The begin of the minute of the last accepted request. The counters tell it: windows are removed only by a request that
 * opens a newer one, so the newest minute always stays.
 */
export function lastUsedAt(counted: CountedKey | undefined): string | null {
  const minutes = Object.keys(counted ?? {}).flatMap((name) => (name.startsWith('m#') ? [Number(name.slice(2))] : []));
  return minutes.length === 0 ? null : timestamp(Math.max(...minutes) * 60_000);
}

/** An API key as the owner sees it, from the item `KEY#id` and the counters in the table `keys`. */
import type { AddressOff, ApiKeyResource } from '../../contract/account/resources.ts';
import { expiryNotices } from '../../contract/notice-kinds.ts';
import { dayMs, now, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { windowsAt } from '../limits/windows.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { type CountedKey, type KeyFacts, statusOf } from './api-key.ts';

export interface StoredKey extends KeyFacts {
  readonly name: string;
  /** The address for notices about the key. */
  readonly contactEmail?: string | null;
  /** SHA-256 of the current value: the partition key of its item in the table `keys`. */
  readonly hash: string;
  readonly prefix: string;
  readonly createdAt: string;
  /** The previous value, with the end of its validity in epoch milliseconds. */
  readonly previous?: { readonly hash: string; readonly until: number };
}

/** Whether the item counts as deleted: DynamoDB deletes expired items some hours late. */
export function isDeleted({
  expiresAtSeconds = Number.POSITIVE_INFINITY,
}: Pick<KeyFacts, 'expiresAtSeconds'>): boolean {
  return expiresAtSeconds <= now() / 1_000;
}

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export async function loadKey(tenantId: number, id: number): Promise<StoredKey> {
  const item = await getItem<StoredKey>('records', records.key(tenantId, id));
  if (!item || isDeleted(item)) throw fail('not_found');
  return item;
}

/** The previous value, if it is still valid: never longer than the key. */
export function livePrevious(stored: StoredKey): StoredKey['previous'] {
  const { previous, expiresAt = Number.POSITIVE_INFINITY } = stored;
  const at = now();
  if (!previous || previous.until <= at || statusOf(stored, at) !== 'active') return undefined;
  return { hash: previous.hash, until: Math.min(previous.until, expiresAt) };
}

/** `old` is the item of the previous value, and `off` the reason why nothing is sent to `contactEmail`. */
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

const dayOf = (ms: number) => Math.floor(ms / dayMs);

/** The notice of the console about the key, from the day on which it is also sent (docs/rules.md#notices). */
function noticeOf(stored: StoredKey, at: number): ApiKeyResource['notice'] {
  const { expiresAt = Number.POSITIVE_INFINITY } = stored;
  if (statusOf(stored, at) !== 'active') return null;
  const days = dayOf(expiresAt) - dayOf(at);
  return expiryNotices.find((notice) => days <= notice.days)?.kind ?? null;
}

function requestsOf(counted: CountedKey | undefined): number {
  const days = Object.entries(counted ?? {}).filter(([name]) => name.startsWith('d#'));
  return days.reduce((sum, [, requests]) => sum + Number(requests), 0);
}

/**
 * The minute of the last accepted request, which is that of the newest counter: only a request in a later minute
 * removes a counter.
 */
export function lastUsedAt(counted: CountedKey | undefined): string | null {
  const minutes = Object.keys(counted ?? {}).flatMap((name) => (name.startsWith('m#') ? [Number(name.slice(2))] : []));
  return minutes.length === 0 ? null : timestamp(Math.max(...minutes) * 60_000);
}

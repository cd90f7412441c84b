/**
 * The active keys of a business: fifty at most (docs/rules.md#api-keys), held by the revision of one item that every
 * transaction of a new or revoked key writes. Keys are in it with their expiry, because a key expires without a
 * write.
 */
import { limits } from '../../contract/limits.ts';
import { fail } from '../errors.ts';
import { getItem } from '../store/read.ts';
import { insertRecord, type Revised, replaceRecord } from '../store/revised.ts';
import type { Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { KeyFacts } from './api-key.ts';

/** By key id, when the key expires, in epoch milliseconds; null for never. */
type Active = Readonly<Record<string, number | null>>;

interface ActiveKeys extends Revised {
  readonly active: Active;
}

/** 409 `api_key_limit_reached`. `at` in epoch milliseconds. */
export async function addActiveKey({ tenantId, id, expiresAt }: KeyFacts, at: number): Promise<Write> {
  const before = await load(tenantId);
  const live = Object.entries(before?.active ?? {}).filter(([, expiry]) => expiry === null || expiry > at);
  if (live.length >= limits.activeKeysPerBusiness) throw fail('api_key_limit_reached');
  return write(tenantId, before, { ...Object.fromEntries(live), [id]: expiresAt ?? null });
}

/** A key of those that are active expires at another time in epoch milliseconds, or never. */
export async function setActiveKeyExpiry(
  { tenantId, id }: Pick<KeyFacts, 'tenantId' | 'id'>,
  expiresAt: number | undefined,
): Promise<Write> {
  const before = await load(tenantId);
  return write(tenantId, before, { ...before?.active, [id]: expiresAt ?? null });
}

/** A key that is revoked no longer counts. */
export async function removeActiveKey({ tenantId, id }: Pick<KeyFacts, 'tenantId' | 'id'>): Promise<readonly Write[]> {
  const before = await load(tenantId);
  if (!before || !(id in before.active)) return [];
  const { [id]: _, ...others } = before.active;
  return [write(tenantId, before, others)];
}

function load(tenantId: number): Promise<ActiveKeys | undefined> {
  return getItem('records', records.activeKeys(tenantId));
}

function write(tenantId: number, before: ActiveKeys | undefined, active: Active): Write {
  const key = records.activeKeys(tenantId);
  return before ? replaceRecord(key, before, { active }) : insertRecord(key, { active });
}

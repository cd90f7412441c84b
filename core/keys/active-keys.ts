/**
 * Limits the keys of a business: fifty active keys, and a hundred new ones a day (docs/rules.md#api-keys). Every
 * transaction that creates or revokes a key also writes one item, on the condition of its revision. The item contains
 * the expiry of each key, because a key expires without a write.
 */

import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../contract/limits.ts';
import { dayMs } from '../clock.ts';
import { fail } from '../errors.ts';
import { getItem } from '../store/read.ts';
import { insertRecord, type Revised, replaceRecord } from '../store/revised.ts';
import type { Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { KeyFacts } from './api-key.ts';

export interface ActiveKeys extends Revised {
  /** The expiry of each key in epoch milliseconds, by key id; null for a key without expiry. */
  readonly active: Readonly<Record<string, number | null>>;
  /** How many keys were created on the last day with a new key, and this day, in days since the epoch. */
  readonly created?: { readonly day: number; readonly count: number };
}

/** 409 `api_key_limit_reached`. `at` in epoch milliseconds. */
export async function addActiveKey({ tenantId, id, expiresAt }: KeyFacts, at: number): Promise<Write> {
  const before = await load(tenantId);
  const live = liveOf(before, at);
  if (live.length >= limits.activeKeysPerBusiness) throw fail('api_key_limit_reached');
  // By another container's clock, the next day may have begun: its count continues.
  const day = Math.max(Math.floor(at / dayMs), before?.created?.day ?? 0);
  const count = before?.created?.day === day ? before.created.count : 0;
  if (count >= limits.newKeysPerDay) {
    throw fail('api_key_limit_reached', {
      message: `This business has created ${limits.newKeysPerDay} API keys today. It can create more from midnight UTC.`,
      retryAfter: Math.ceil(((day + 1) * dayMs - at) / 1_000),
    });
  }
  const active = { ...Object.fromEntries(live), [id]: expiresAt ?? null };
  return write(tenantId, before, { active, created: { day, count: count + 1 } });
}

/**
 * Changes the expiry of an active key, in epoch milliseconds, or removes it. By another container's clock the key may
 * have expired, and a new key may use the free place: 409 `invalid_state`.
 */
export async function setActiveKeyExpiry(
  { tenantId, id }: Pick<KeyFacts, 'tenantId' | 'id'>,
  expiresAt: number | undefined,
  at: number,
): Promise<Write> {
  const before = await load(tenantId);
  const others = liveOf(before, at).filter(([key]) => key !== String(id));
  if (others.length >= limits.activeKeysPerBusiness) {
    throw fail('invalid_state', 'An API key with the status expired cannot be changed.');
  }
  return write(tenantId, before, { ...before, active: { ...Object.fromEntries(others), [id]: expiresAt ?? null } });
}

/** A revoked key no longer counts. */
export async function removeActiveKey({ tenantId, id }: Pick<KeyFacts, 'tenantId' | 'id'>): Promise<Write> {
  const before = await load(tenantId);
  const { [id]: _, ...active } = before?.active ?? {};
  return write(tenantId, before, { ...before, active });
}

/** Returns the write that makes the item list these active keys; none if it lists them already. */
export function alignActiveKeys(
  tenantId: number,
  before: ActiveKeys | undefined,
  active: ActiveKeys['active'],
  at: number,
): readonly Write[] {
  const [listed, wanted] = [before, { active }].map((keys) => Object.fromEntries(liveOf(keys, at)));
  return isDeepStrictEqual(listed, wanted) ? [] : [write(tenantId, before, { ...before, active })];
}

function liveOf(keys: Pick<ActiveKeys, 'active'> | undefined, at: number): (readonly [string, number | null])[] {
  return Object.entries(keys?.active ?? {}).filter(([, expiry]) => expiry === null || expiry > at);
}

function load(tenantId: number): Promise<ActiveKeys | undefined> {
  return getItem('records', records.activeKeys(tenantId));
}

function write(tenantId: number, before: ActiveKeys | undefined, after: ActiveKeys): Write {
  const key = records.activeKeys(tenantId);
  return before ? replaceRecord(key, before, after) : insertRecord(key, after);
}

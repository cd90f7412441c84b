/**
 * Makes the two items of each API key agree (docs/rules.md#api-keys), after the loss of a region, or after a restore of
 * `records` without `keys`. Nothing else may write while it runs.
 */
import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../contract/limits.ts';
import { dayMs, now, timeOfId, timestamp } from '../clock.ts';
import { type ActiveKeys, alignActiveKeys } from '../keys/active-keys.ts';
import { type CountedKey, expiryFields, type KeyFacts } from '../keys/api-key.ts';
import { expiryEntry } from '../keys/expiry-entry.ts';
import { isDeleted, type StoredKey } from '../keys/stored-key.ts';
import type { Key } from '../store/key.ts';
import { scanAll } from '../store/read.ts';
import { REMOVE, remove, set, setOrCreate, type Write } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { commit } from './reconcile.ts';

type Counted = CountedKey & { readonly pk: string };

interface AlignedKey {
  readonly businessId: number;
  readonly apiKeyId: number;
  readonly status: 'active' | 'revoked';
}

/**
 * Makes the items of every key agree, and then the lists of active keys. Yields each key whose items differed after it
 * is changed. Throws before it changes anything if `keys` has no active key, but `records` has.
 */
export async function* alignKeys(): AsyncGenerator<AlignedKey, void> {
  // What another program writes between the scans and the commits is noticed by the conditions on `records`.
  const stored = new Map<string, StoredKey>();
  const listed = new Map<string, ActiveKeys>();
  const ofKeys = {
    FilterExpression: 'begins_with(sk, :key) OR sk = :active',
    ExpressionAttributeValues: { ':key': records.keyPrefix, ':active': records.activeKeys(0).sk },
  };
  for await (const item of scanAll<(StoredKey | ActiveKeys) & Required<Key>>('records', ofKeys)) {
    if ('active' in item) listed.set(item.pk, item);
    else if (!isDeleted(item)) stored.set(nameOf(item), item);
  }
  const counted = new Map<string, Counted[]>();
  for await (const item of scanAll<Counted>('keys', { FilterExpression: 'attribute_exists(origins)' })) {
    if (!isDeleted(item)) counted.set(nameOf(item), [...(counted.get(nameOf(item)) ?? []), item]);
  }
  const hasActive = (items: Iterable<KeyFacts>) => [...items].some(({ status }) => status === 'active');
  if (hasActive(stored.values()) && !hasActive([...counted.values()].flat())) {
    throw new Error('The table keys contains no active API key, but the table records does: all would be revoked.');
  }
  const active = new Map<number, Record<string, number | null>>();
  for (const name of new Set([...stored.keys(), ...counted.keys()])) {
    const { key, status, writes } = alignment(counted.get(name) ?? [], stored.get(name));
    if (!key) continue;
    const { id, tenantId, expiresAt } = key;
    active.set(tenantId, { ...active.get(tenantId), ...(status === 'active' && { [id]: expiresAt ?? null }) });
    if (writes.length === 0) continue;
    await commit(writes);
    yield { businessId: tenantId, apiKeyId: id, status };
  }
  for (const [tenantId, wanted] of active) {
    await commit(alignActiveKeys(tenantId, listed.get(records.tenant(tenantId)), wanted, now()));
  }
}

interface Alignment {
  readonly key: KeyFacts | undefined;
  readonly status: AlignedKey['status'];
  /** None if the items agree. */
  readonly writes: readonly Write[];
}

/**
 * The item in `keys` decides, because requests are checked with it. But a key is revoked in three cases: one of its
 * items is revoked, it has no item in `keys`, or it has items there for two values. `values` are its items in `keys`,
 * and `before` is the one in `records`.
 */
function alignment(values: readonly Counted[], before: StoredKey | undefined): Alignment {
  const [item, ...others] = values.filter(({ replacedBy }) => replacedBy === undefined);
  const key = item ?? before;
  const isActive = item?.status === 'active' && before?.status !== 'revoked' && others.length === 0;
  const status = isActive ? 'active' : 'revoked';
  const aligned = { key, status, writes: [] } as const;
  if (!key || [before, item, ...others].every((one) => one?.status !== 'active')) return aligned;
  const { id, tenantId, scopes, origins, test, agents, expiresAt } = key;
  const hash = item?.pk ?? before?.hash;
  const facts = { hash, scopes, origins, agents, expiresAt };
  const asBefore = { agents: undefined, expiresAt: undefined, ...before };
  if (isActive && before && isDeepStrictEqual({ ...before, ...facts }, asBefore)) return aligned;
  const expiresAtSeconds = Math.ceil((now() + limits.endedKeyDays * dayMs) / 1_000);
  const old = values.find(({ replacedBy }) => isActive && replacedBy === hash);
  const previous = old?.expiresAt === undefined ? REMOVE : { hash: old.pk, until: old.expiresAt };
  const obsolete = values.filter((one) => one !== item && one !== old);
  const fields = {
    ...{ id, tenantId, test, status, ...facts, agents: agents ?? REMOVE },
    ...(expiresAt === undefined ? { expiresAt: REMOVE, expiresAtSeconds: REMOVE } : expiryFields(expiresAt)),
    ...(!before && { name: 'Restored key', createdAt: timestamp(timeOfId(id)) }),
    // Only the lost item contained the beginning of the value.
    ...(before?.hash !== hash && { prefix: test ? 'bk_test_' : 'bk_live_', previous }),
    ...(!isActive && { expiresAtSeconds }),
  };
  const writes = [
    setOrCreate('records', records.key(tenantId, id), fields, { hash: before?.hash, status: before?.status }),
    ...(item && !isActive ? [set('keys', keys.apiKey(item.pk), { status, expiresAtSeconds })] : []),
    ...obsolete.map(({ pk }) => remove('keys', keys.apiKey(pk))),
    ...expiryEntry({ tenantId, id }, expiresAt),
  ];
  return { key, status, writes };
}

/** Ids of different businesses may be equal. */
function nameOf({ tenantId, id }: KeyFacts): string {
  return `${tenantId} ${id}`;
}

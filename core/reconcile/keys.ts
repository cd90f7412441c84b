/**
 * Makes the two items of each API key agree (docs/rules.md#api-keys), after the loss of a region, or after a restore of
 * `records` without `keys`. Nothing else may write while it runs.
 */
import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../contract/limits.ts';
import { dayMs, now, timeOfId, timestamp } from '../clock.ts';
import type { CountedKey, KeyFacts } from '../keys/api-key.ts';
import { expiryEntry } from '../keys/expiry-entry.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import { scanAll } from '../store/read.ts';
import { REMOVE, remove, set, setOrCreate } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { commit } from './reconcile.ts';

type Counted = CountedKey & { readonly pk: string };

/**
 * The item in `keys` decides, because it is the one that requests are checked with. But a key is revoked if one of its
 * items is, if it has no item in `keys`, and if it has one for each of two values. Returns the keys whose items differed.
 */
export async function alignKeys() {
  /** Ids of different businesses may be equal. */
  const nameOf = ({ tenantId, id }: KeyFacts) => `${tenantId} ${id}`;
  const counted = new Map<string, Counted[]>();
  const currentValues = { FilterExpression: 'attribute_exists(origins) AND attribute_not_exists(replacedBy)' };
  for await (const item of scanAll<Counted>('keys', currentValues)) {
    counted.set(nameOf(item), [...(counted.get(nameOf(item)) ?? []), item]);
  }
  const stored = new Map<string, StoredKey>();
  const ofKeys = {
    FilterExpression: 'begins_with(sk, :key)',
    ExpressionAttributeValues: { ':key': records.keyPrefix },
  };
  for await (const item of scanAll<StoredKey>('records', ofKeys)) stored.set(nameOf(item), item);
  const active = new Map<number, Record<string, number | null>>();
  const aligned: { readonly businessId: number; readonly apiKeyId: number; readonly status: string }[] = [];
  for (const name of new Set([...stored.keys(), ...counted.keys()])) {
    const [item, ...others] = counted.get(name) ?? [];
    const before = stored.get(name);
    const known = item ?? before;
    if (!known || [before, item, ...others].every((one) => one?.status !== 'active')) continue;
    const { id, tenantId, scopes, origins, test, agents, expiresAt } = known;
    const isActive = item?.status === 'active' && before?.status !== 'revoked' && others.length === 0;
    if (isActive) active.set(tenantId, { ...active.get(tenantId), [id]: expiresAt ?? null });
    const hash = item?.pk ?? before?.hash;
    const facts = { hash, scopes, origins, agents, expiresAt };
    if (isActive && before && isDeepStrictEqual({ ...before, ...facts }, { agents, expiresAt, ...before })) continue;
    const status = isActive ? 'active' : 'revoked';
    const expiresAtSeconds = Math.ceil((now() + limits.revokedKeyDays * dayMs) / 1_000);
    await commit([
      setOrCreate('records', records.key(tenantId, id), {
        ...{ id, tenantId, test, status, ...facts, agents: agents ?? REMOVE, expiresAt: expiresAt ?? REMOVE },
        ...(!before && { name: 'Restored key', createdAt: timestamp(timeOfId(id)) }),
        // Only the lost item contained the beginning of the value.
        ...(before?.hash !== hash && { prefix: test ? 'bk_test_' : 'bk_live_', previous: REMOVE }),
        ...(!isActive && { expiresAtSeconds }),
      }),
      ...(item && !isActive ? [set('keys', keys.apiKey(item.pk), { status, expiresAtSeconds })] : []),
      ...others.map(({ pk }) => remove('keys', keys.apiKey(pk))),
      ...expiryEntry({ tenantId, id }, expiresAt),
    ]);
    aligned.push({ businessId: tenantId, apiKeyId: id, status });
  }
  for (const tenantId of new Set(aligned.map(({ businessId }) => businessId)))
    await commit([setOrCreate('records', records.activeKeys(tenantId), { active: active.get(tenantId) ?? {} })]);
  return aligned;
}

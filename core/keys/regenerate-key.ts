/** `POST /v1/account/api-keys/:id/regenerate` (docs/rules.md#api-keys). */
import type { ApiKeyWithValue } from '../../contract/account/resources.ts';
import { now } from '../clock.ts';
import { fail } from '../errors.ts';
import { windowsAt } from '../limits/windows.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { commitWithRetry } from '../store/transact.ts';
import { putNew, remove, set, type Write } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { type CountedKey, statusOf } from './api-key.ts';
import { newValue } from './create-key.ts';
import { loadKey, toApiKey } from './stored-key.ts';

/**
 * Moves the key's item, its counters with it, to the hash of a new value: from that commit on the old value is unknown.
 * A request that is counted between the read and the commit refuses the commit, and so does a change of the key: neither is
 * forgotten.
 * Errors: 404 `not_found`, 409 `invalid_state` for a key that is revoked or expired.
 */
export function regenerateApiKey({ tenantId }: Principal, { id }: { id: number }): Promise<ApiKeyWithValue> {
  return commitWithRetry(async () => {
    const stored = await loadKey(tenantId, id);
    const status = statusOf(stored, now());
    if (status !== 'active') throw fail('invalid_state', { message: `An API key that is ${status} has no new value.` });
    const counted = await getItem<CountedKey>('keys', keys.apiKey(stored.hash));
    // Another regeneration came between the two reads.
    if (!counted) return 'stale';
    const { value, hash, prefix } = newValue(stored.test);
    return {
      writes: [
        removalOfOldItem(stored.hash, counted),
        putNew('keys', { ...counted, ...keys.apiKey(hash) }),
        set('records', records.key(tenantId, id), { hash, prefix }),
      ],
      answer: { ...toApiKey({ ...stored, prefix }, counted), key: value },
    };
  });
}

/**
 * Every accepted request counts in the window of its day: this one or, by midnight, the next. Every change of the key is
 * one of its facts.
 */
function removalOfOldItem(hash: string, counted: CountedKey): Write {
  const { scopes, origins, expiresAt } = counted;
  const { day } = windowsAt(now());
  const counters = [day - 1, day, day + 1].map((one) => [`d#${one}`, counted[`d#${one}`]] as const);
  return remove('keys', keys.apiKey(hash), {
    status: 'active',
    scopes,
    origins,
    expiresAt,
    ...Object.fromEntries(counters),
  });
}

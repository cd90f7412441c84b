/** `POST /v1/account/api-keys/:id/regenerate` (docs/rules.md#api-keys). */
import type { ApiKeyWithValue } from '../../contract/account/resources.ts';
import { hourMs, now } from '../clock.ts';
import { fail } from '../errors.ts';
import { windowsAt } from '../limits/windows.ts';
import { suppressionOf } from '../mail/address.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { commitWithRetry } from '../store/transact.ts';
import { put, putNew, REMOVE, remove, set, type Write } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { type CountedKey, statusOf } from './api-key.ts';
import { newValue } from './create-key.ts';
import { loadKey, toApiKey } from './stored-key.ts';

/**
 * Moves the key's item, with its counters, to the hash of a new value: from that commit on the old value is unknown.
 * With an overlap, an item of the old value stays that leads to the new one and expires by itself; an even older value
 * is invalid at once. If a request is counted, or the key is changed, between the read and the commit, the commit fails
 * and is tried again, so neither is lost. Errors: 404 `not_found`, 409 `invalid_state` for a revoked or expired key.
 */
export function regenerateApiKey(
  { tenantId }: Principal,
  { id }: { id: number },
  { overlapHours = 0 }: { readonly overlapHours?: number | undefined } = {},
): Promise<ApiKeyWithValue> {
  return commitWithRetry(async () => {
    const stored = await loadKey(tenantId, id);
    const status = statusOf(stored, now());
    if (status !== 'active') throw fail('invalid_state', `An API key with the status ${status} cannot be regenerated.`);
    const counted = await getItem<CountedKey>('keys', keys.apiKey(stored.hash));
    // Another regeneration was committed between the two reads.
    if (!counted) return 'stale';
    const { value, hash, prefix } = newValue(stored.test);
    const until = Math.min(now() + overlapHours * hourMs, stored.expiresAt ?? Number.POSITIVE_INFINITY);
    const previous = overlapHours > 0 ? { hash: stored.hash, until } : undefined;
    const { previous: earlier, ...rest } = stored;
    const { name, contactEmail, scopes, origins, agents, expiresAt, expiresAtSeconds } = stored;
    const asRead = { hash: stored.hash, name, contactEmail, scopes, origins, agents, expiresAt };
    const changes = { hash, prefix, previous: previous ?? REMOVE };
    const after = { ...rest, prefix, ...(previous && { previous }) };
    return {
      writes: [
        oldItem(stored.hash, counted, hash, previous?.until),
        // The key may have been changed between the two reads: the commit compares only the fields of the first.
        putNew('keys', { ...counted, scopes, origins, agents, expiresAt, expiresAtSeconds, ...keys.apiKey(hash) }),
        ...(earlier ? [remove('keys', keys.apiKey(earlier.hash))] : []),
        set('records', records.key(tenantId, id), changes, asRead),
      ],
      result: { ...toApiKey(after, counted, undefined, await suppressionOf(stored.contactEmail)), key: value },
    };
  });
}

/**
 * The write to the old value's item. Its condition fails if the key was revoked, or if a request was accepted since it
 * was read: each request increases the counter of its day. Around midnight, clocks show different days.
 */
function oldItem(hash: string, counted: CountedKey, replacedBy: string, until: number | undefined): Write {
  const { id, tenantId, test, status, scopes, origins, agents } = counted;
  const { day } = windowsAt(now());
  const counters = [day - 1, day, day + 1].map((one) => [`d#${one}`, counted[`d#${one}`]] as const);
  const asRead = { status: 'active', ...Object.fromEntries(counters) };
  if (until === undefined) return remove('keys', keys.apiKey(hash), asRead);
  const facts = { id, tenantId, test, status, scopes, origins, agents, expiresAt: until, replacedBy };
  const expiresAtSeconds = Math.ceil(until / 1_000);
  return put('keys', { ...facts, expiresAtSeconds, ...keys.apiKey(hash) }, asRead);
}

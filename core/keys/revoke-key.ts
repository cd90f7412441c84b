/** `POST /v1/account/api-keys/:id/revoke` (docs/rules.md#api-keys). */
import type { ApiKeyResource } from '../../contract/account/resources.ts';
import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { commitWithRetry } from '../store/transact.ts';
import { set, type Write } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { removeActiveKey } from './active-keys.ts';
import type { CountedKey } from './api-key.ts';
import { getApiKey } from './read-keys.ts';
import { lastUsedAt, loadKey, type StoredKey } from './stored-key.ts';

/**
 * Revokes a key permanently. One transaction changes both items of the key; from then on, requests with it are refused,
 * and its webhooks get no events. A repeated call gets the same response. Both items are deleted 90 days after the last
 * accepted request, but at the earliest a day after the revocation, so that the owner can see it. 404 `not_found`.
 */
export async function revokeApiKey(principal: Principal, { id }: { id: number }): Promise<ApiKeyResource> {
  await commitWithRetry(async () => {
    const stored = await loadKey(principal.tenantId, id);
    if (stored.status === 'revoked') return { writes: [], result: undefined };
    return {
      writes: [...(await revocation(principal.tenantId, stored)), await removeActiveKey(stored)],
      result: undefined,
    };
  });
  return getApiKey(principal, { id });
}

/** If a regeneration has given the key another hash, the key is read again. */
async function revocation(tenantId: number, { id, hash, createdAt }: StoredKey): Promise<Write[]> {
  const counted = await getItem<CountedKey>('keys', keys.apiKey(hash));
  const lastUse = Math.floor(Date.parse(lastUsedAt(counted) ?? createdAt) / 1_000);
  const tomorrow = Math.floor(now() / 1_000) + 86_400;
  const expiresAtSeconds = Math.max(lastUse + limits.endedKeyDays * 86_400, tomorrow);
  const revoked = { status: 'revoked', expiresAtSeconds };
  return [set('keys', keys.apiKey(hash), revoked), set('records', records.key(tenantId, id), revoked, { hash })];
}

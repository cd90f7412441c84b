/** `POST /v1/account/api-keys/:id/revoke` (docs/rules.md#api-keys). */
import type { ApiKeyResource } from '../../contract/account/resources.ts';
import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import type { Principal } from '../principal.ts';
import { commitWithRetry } from '../store/transact.ts';
import { set, type Write } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { removeActiveKey } from './active-keys.ts';
import { getApiKey } from './read-keys.ts';
import { loadKey, type StoredKey } from './stored-key.ts';

/**
 * For good: both items of the key change in one transaction, so requests with it are refused and its webhooks are not
 * triggered from then on. Again answers the same. Both items are deleted after 90 days. 404 `not_found`.
 */
export async function revokeApiKey(principal: Principal, { id }: { id: number }): Promise<ApiKeyResource> {
  await commitWithRetry(async () => {
    const stored = await loadKey(principal.tenantId, id);
    if (stored.status === 'revoked') return { writes: [], answer: undefined };
    return {
      writes: [...revocation(principal.tenantId, stored), ...(await removeActiveKey(stored))],
      answer: undefined,
    };
  });
  return getApiKey(principal, { id });
}

/** A regeneration that came first left no item at the hash that was read, which leads to another read. */
function revocation(tenantId: number, { id, hash }: StoredKey): Write[] {
  const expiresAtSeconds = Math.floor(now() / 1_000) + limits.revokedKeyDays * 86_400;
  const revoked = { status: 'revoked', expiresAtSeconds };
  return [set('keys', keys.apiKey(hash), revoked), set('records', records.key(tenantId, id), revoked)];
}

/** `PATCH /v1/account/api-keys/:id` (docs/rules.md#api-keys). */
import type * as z from 'zod/mini';
import type { ApiKeyResource } from '../../contract/account/resources.ts';
import type { updateApiKey as row } from '../../contract/account/routes.ts';
import { scopeSets } from '../../contract/scopes.ts';
import { now } from '../clock.ts';
import { fail } from '../errors.ts';
import { unsuppress } from '../mail/address.ts';
import type { Principal } from '../principal.ts';
import { commitWithRetry } from '../store/transact.ts';
import { REMOVE, set } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { setActiveKeyExpiry } from './active-keys.ts';
import { expiryFields, statusOf } from './api-key.ts';
import { futureExpiry } from './create-key.ts';
import { expiryEntry } from './expiry-entry.ts';
import { assertOwnDomains } from './public-suffixes.ts';
import { getApiKey } from './read-keys.ts';
import { loadKey } from './stored-key.ts';

type ApiKeyChanges = z.output<(typeof row)['body']>;

/**
 * Changes the given fields in both items of the key, so that the next request and the next delivery use them. Other
 * fields are not written, so no concurrent count is lost. Errors: 404 `not_found`, 409 `invalid_state` for a revoked or
 * expired key, 400 `validation_failed` for an expiry that is not in the future, and for a wildcard below which anybody
 * can register names.
 */
export async function updateApiKey(
  principal: Principal,
  { id }: { id: number },
  { name, scopes, scopeSet, allowedOrigins, expiresAt, agents, contactEmail }: ApiKeyChanges,
): Promise<ApiKeyResource> {
  assertOwnDomains(allowedOrigins);
  await commitWithRetry(async () => {
    const at = now();
    const stored = await loadKey(principal.tenantId, id);
    const status = statusOf(stored, at);
    if (status !== 'active') throw fail('invalid_state', `An API key with the status ${status} cannot be changed.`);
    const expiry = expiresAt === null || expiresAt === undefined ? undefined : futureExpiry(expiresAt, at);
    const facts = {
      scopes: scopes ?? (scopeSet && scopeSets[scopeSet]),
      origins: allowedOrigins,
      agents,
      ...(expiry !== undefined && expiryFields(expiry)),
      ...(expiresAt === null && { expiresAt: REMOVE, expiresAtSeconds: REMOVE }),
    };
    const hasFacts = Object.values(facts).some((value) => value !== undefined);
    const asRead = { status: 'active', hash: stored.hash };
    return {
      writes: [
        set('records', records.key(principal.tenantId, id), { name, contactEmail, ...facts }, asRead),
        ...(hasFacts ? [set('keys', keys.apiKey(stored.hash), facts)] : []),
        ...(expiresAt === undefined ? [] : [await setActiveKeyExpiry(stored, expiry, at)]),
        ...expiryEntry(stored, expiry),
        ...unsuppress(contactEmail),
      ],
      result: undefined,
    };
  });
  return getApiKey(principal, { id });
}

/** `POST /v1/account/api-keys` (docs/rules.md#api-keys). */
import type * as z from 'zod/mini';
import type { ApiKeyWithValue } from '../../contract/account/resources.ts';
import type { createApiKey as row } from '../../contract/account/routes.ts';
import { scopeSets } from '../../contract/scopes.ts';
import { ensureSandbox } from '../catalog/copy.ts';
import { newId, now, timestamp } from '../clock.ts';
import { invalid } from '../errors.ts';
import { suppressionOf } from '../mail/address.ts';
import { isSandbox } from '../mode.ts';
import type { Principal } from '../principal.ts';
import { hashOf } from '../store/key.ts';
import { insertRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import { putNew } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { addActiveKey } from './active-keys.ts';
import { expiryFields, type KeyFacts } from './api-key.ts';
import { expiryEntry } from './expiry-entry.ts';
import { createKeyValue, prefixOf } from './key-value.ts';
import { assertOwnDomains } from './public-suffixes.ts';
import { type StoredKey, toApiKey } from './stored-key.ts';

export type NewApiKey = z.output<(typeof row)['body']>;

/**
 * Only this response, and that of a regeneration, contain the value. A key of a sandbox is a test key, and the first
 * one creates the sandbox. Errors: 400 `validation_failed` for an expiry that is not in the future, and for a wildcard
 * below which anybody can register names, 404 `not_found` for the sandbox of an unknown business, 409
 * `api_key_limit_reached`.
 */
export async function createApiKey({ tenantId }: Principal, body: NewApiKey): Promise<ApiKeyWithValue> {
  assertOwnDomains(body.allowedOrigins);
  const expiresAt = body.expiresAt === undefined ? undefined : futureExpiry(body.expiresAt, now());
  const test = isSandbox(tenantId);
  if (test) await ensureSandbox(tenantId);
  return commitWithRetry(async () => {
    const at = now();
    const facts: KeyFacts = {
      id: newId(),
      tenantId,
      status: 'active',
      ...(expiresAt !== undefined && expiryFields(expiresAt)),
      scopes: body.scopes ?? (body.scopeSet ? scopeSets[body.scopeSet] : []),
      origins: body.allowedOrigins ?? [],
      test,
      ...(body.agents && { agents: true }),
    };
    const { value, hash, prefix } = newValue(test);
    const { name, contactEmail } = body;
    const stored: StoredKey = {
      ...facts,
      name,
      ...(contactEmail !== undefined && { contactEmail }),
      hash,
      prefix,
      createdAt: timestamp(at),
    };
    return {
      writes: [
        await addActiveKey(facts, at),
        putNew('keys', { ...keys.apiKey(hash), ...facts }),
        insertRecord(records.key(tenantId, facts.id), stored),
        ...expiryEntry(facts, expiresAt),
      ],
      result: { ...toApiKey(stored, undefined, undefined, await suppressionOf(contactEmail)), key: value },
    };
  });
}

/** The expiry in epoch milliseconds, like `at`. 400 `validation_failed`. */
export function futureExpiry(expiresAt: string, at: number): number {
  const ms = Date.parse(expiresAt);
  if (ms > at) return ms;
  throw invalid('expiresAt', 'must be in the future');
}

export function newValue(test: boolean): { value: string; hash: string; prefix: string } {
  const value = createKeyValue({ test });
  return { value, hash: hashOf(value), prefix: prefixOf(value) };
}

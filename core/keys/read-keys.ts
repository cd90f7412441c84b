/** API keys as the owner sees them, with today's use. Never a value, never a hash. */
import type { ApiKeyResource } from '../../contract/account/resources.ts';
import { suppressionsOf } from '../mail/address.ts';
import { cutPage, type Page, type PageQuery } from '../page.ts';
import type { Principal } from '../principal.ts';
import { getItems, queryPrefix } from '../store/read.ts';
import { keys, records } from '../table-keys.ts';
import type { CountedKey } from './api-key.ts';
import { isDeleted, livePrevious, loadKey, type StoredKey, toApiKey } from './stored-key.ts';

/** Oldest first. */
export async function listApiKeys({ tenantId }: Principal, query: PageQuery): Promise<Page<ApiKeyResource>> {
  const stored = await queryPrefix<StoredKey>('records', records.tenant(tenantId), records.keyPrefix);
  const existing = stored.filter((key) => !isDeleted(key));
  const { data, total } = cutPage(existing, query);
  return { data: await withUse(data), total };
}

export async function getApiKey({ tenantId }: Principal, { id }: { id: number }): Promise<ApiKeyResource> {
  const [key] = await withUse([await loadKey(tenantId, id)]);
  if (!key) throw new Error('A key that was read could not be shown');
  return key;
}

/** At most a page of keys: one call, unless more than a hundred values work. */
async function withUse(stored: readonly StoredKey[]): Promise<ApiKeyResource[]> {
  const old = stored.flatMap((key) => livePrevious(key)?.hash ?? []);
  const hashes = [...stored.map(({ hash }) => hash), ...old];
  const [counted, offs] = await Promise.all([
    getItems<CountedKey>('keys', hashes.map(keys.apiKey)),
    suppressionsOf(stored.map(({ contactEmail }) => contactEmail)),
  ]);
  const byHash = new Map(hashes.map((hash, i) => [hash, counted[i]]));
  return stored.map((key, i) =>
    toApiKey(key, byHash.get(key.hash), byHash.get(key.previous?.hash ?? ''), offs[i] ?? null),
  );
}

/** API keys as the owner sees them, with today's use. Never a value, never a hash. */
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyResource } from '../../contract/account-resources.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';
import type { Owner } from '../owner.ts';
import { cutPage, type PageQuery } from '../page.ts';
import { queryPrefix } from '../store/read.ts';
import { keys, records } from '../table-keys.ts';
import { type CountedKey, loadKey, type StoredKey, toApiKey } from './stored-key.ts';

/** Oldest first. */
export async function listApiKeys(
  { businessId }: Owner,
  query: PageQuery,
): Promise<{ data: ApiKeyResource[]; total: number }> {
  const stored = await queryPrefix<StoredKey>('records', records.tenant(businessId), records.keyPrefix);
  const { data, total } = cutPage(stored, query);
  return { data: await withUse(data), total };
}

export async function getApiKey({ businessId }: Owner, { id }: { id: number }): Promise<ApiKeyResource> {
  const [key] = await withUse([await loadKey(businessId, id)]);
  if (!key) throw new Error('A key that was read has its resource');
  return key;
}

/** At most a page of keys: one call. */
export async function withUse(stored: readonly StoredKey[]): Promise<ApiKeyResource[]> {
  if (stored.length === 0) return [];
  const table = env.table('keys');
  const { Responses, UnprocessedKeys } = await dynamo().send(
    new BatchGetCommand({
      RequestItems: { [table]: { Keys: stored.map(({ hash }) => keys.apiKey(hash)), ConsistentRead: true } },
    }),
  );
  if (UnprocessedKeys?.[table]) throw fail('temporarily_unavailable', { retryAfter: 1 });
  const counted = new Map((Responses?.[table] ?? []).map((item) => [item.pk, item as CountedKey]));
  return stored.map((key) => toApiKey(key, counted.get(key.hash)));
}

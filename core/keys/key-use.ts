/**
 * `GET /v1/account/api-keys/:id/use`: the requests of the last 30 days, from the counters of the limits
 * (docs/rules.md#limits).
 */
import type { ApiKeyUse } from '../../contract/account/resources.ts';
import { now } from '../clock.ts';
import { keptDays, windowsAt } from '../limits/windows.ts';
import type { Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { keys } from '../table-keys.ts';
import type { CountedKey } from './api-key.ts';
import { loadKey } from './stored-key.ts';

/** 404 `not_found`. */
export async function getApiKeyUse({ tenantId }: Principal, { id }: { id: number }): Promise<ApiKeyUse> {
  const { hash } = await loadKey(tenantId, id);
  const counted = await getItem<CountedKey>('keys', keys.apiKey(hash));
  return {
    data: keptDays(windowsAt(now())).map(({ date, name }) => ({ date, requests: Number(counted?.[name] ?? 0) })),
  };
}

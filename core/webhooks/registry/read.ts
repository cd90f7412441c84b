/**
 * `GET /webhooks` and `GET /webhooks/:id`: the webhooks of a key, or for an owner of all keys (docs/rules.md#webhooks).
 */
import type { AccountWebhook } from '../../../contract/account/resources.ts';
import { cutPage, type PageQuery } from '../../page.ts';
import type { Principal } from '../../principal.ts';
import { loadWebhook, webhooksOf } from './store.ts';
import { webhookOf } from './webhook.ts';

/** `apiKeyId` selects the webhooks of one key. */
export async function listWebhooks(
  principal: Principal,
  { apiKeyId, ...query }: PageQuery & { readonly apiKeyId?: number | undefined },
): Promise<{ data: AccountWebhook[]; total: number }> {
  const items = await webhooksOf(principal);
  const wanted = apiKeyId === undefined ? items : items.filter(({ keyId }) => keyId === apiKeyId);
  return cutPage(wanted.map(webhookOf), query);
}

/** 404 `not_found` for an unknown id, and for an id of another key or tenant. */
export async function getWebhook(principal: Principal, { id }: { id: number }): Promise<AccountWebhook> {
  return webhookOf(await loadWebhook(principal, id));
}

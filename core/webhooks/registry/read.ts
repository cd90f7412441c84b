/** `GET /webhooks` and `GET /webhooks/:id`: those of a key, or of all keys for an owner (docs/rules.md#webhooks). */
import type { AccountWebhook } from '../../../contract/account/resources.ts';
import { cutPage, type PageQuery } from '../../page.ts';
import type { Principal } from '../../principal.ts';
import { loadWebhook, webhooksOf } from './store.ts';
import { webhookOf } from './webhook.ts';

/** `apiKeyId` leaves out those of other keys. */
export async function listWebhooks(
  principal: Principal,
  { apiKeyId, ...query }: PageQuery & { readonly apiKeyId?: number | undefined },
): Promise<{ data: AccountWebhook[]; total: number }> {
  const items = await webhooksOf(principal);
  const wanted = apiKeyId === undefined ? items : items.filter(({ keyId }) => keyId === apiKeyId);
  return cutPage(wanted.map(webhookOf), query);
}

/** 404 `not_found` for an unknown id and for one of another key or tenant alike. */
export async function getWebhook(principal: Principal, { id }: { id: number }): Promise<AccountWebhook> {
  return webhookOf(await loadWebhook(principal, id));
}

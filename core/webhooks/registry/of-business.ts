/**
 * Every API key's webhooks, as the owner sees them (docs/rules.md#owners). The verbs are those of the key that each
 * belongs to.
 */
import type { AccountWebhook } from '../../../contract/account-resources.ts';
import { fail } from '../../errors.ts';
import type { KeyReference } from '../../keys/api-key.ts';
import type { Owner } from '../../owner.ts';
import { cutPage, type PageQuery } from '../../page.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { webhooksOfBusiness } from './store.ts';
import { type WebhookItem, webhookOf } from './webhook.ts';

export async function listBusinessWebhooks(
  { businessId }: Owner,
  { apiKeyId, ...query }: PageQuery & { readonly apiKeyId?: number | undefined },
): Promise<{ data: AccountWebhook[]; total: number }> {
  const items = await webhooksOfBusiness(businessId);
  const wanted = apiKeyId === undefined ? items : items.filter(({ keyId }) => keyId === apiKeyId);
  return cutPage(wanted.map(toAccountWebhook), query);
}

export async function getBusinessWebhook(owner: Owner, { id }: { id: number }): Promise<AccountWebhook> {
  return toAccountWebhook(await find(owner, id));
}

export async function deleteBusinessWebhook(owner: Owner, { id }: { id: number }): Promise<void> {
  await deleteWebhook(await keyOfWebhook(owner, id), { id });
}

/** The API key that a webhook of the business belongs to. 404 `not_found`. */
export async function keyOfWebhook(owner: Owner, id: number): Promise<KeyReference> {
  const { businessId, keyId } = await find(owner, id);
  return { businessId, id: keyId };
}

/** A webhook's place is known by its key only, and a business has few: all are read. 404 `not_found`. */
async function find({ businessId }: Owner, id: number): Promise<WebhookItem> {
  const item = (await webhooksOfBusiness(businessId)).find((one) => one.id === id);
  if (!item) throw fail('not_found');
  return item;
}

function toAccountWebhook(item: WebhookItem): AccountWebhook {
  return { ...webhookOf(item), apiKeyId: item.keyId };
}

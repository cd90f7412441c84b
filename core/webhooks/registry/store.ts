/** Reads webhooks. Always consistently: a switch-off or a deletion counts for the very next event (design §4). */
import { fail } from '../../errors.ts';
import type { KeyReference } from '../../keys/api-key.ts';
import { getItem, queryPrefix } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import type { WebhookItem } from './webhook.ts';

/** Every webhook of a business, in the order of their sort keys: by API key, then by age. */
export function webhooksOfBusiness(businessId: number): Promise<readonly WebhookItem[]> {
  return queryPrefix('deliveries', deliveries.tenant(businessId), deliveries.webhookPrefix);
}

/** The webhooks of one API key, oldest first (decisions §6: a key sees its own). */
export function webhooksOfKey(businessId: number, keyId: number): Promise<readonly WebhookItem[]> {
  return queryPrefix('deliveries', deliveries.tenant(businessId), deliveries.webhooksOfKey(keyId));
}

export function findWebhook(businessId: number, keyId: number, id: number): Promise<WebhookItem | undefined> {
  return getItem('deliveries', deliveries.webhook(businessId, keyId, id));
}

/** 404 `not_found` for an unknown id and for one of another key or tenant alike. */
export async function loadWebhook(key: KeyReference, id: number): Promise<WebhookItem> {
  const item = await findWebhook(key.businessId, key.id, id);
  if (!item) throw fail('not_found');
  return item;
}

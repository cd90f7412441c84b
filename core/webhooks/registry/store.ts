/**
 * Reads webhooks, always with consistent reads: a disabled or deleted webhook gets not even the next event
 * (docs/rules.md#tables).
 */
import { fail } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import { getItem, inPartition, queryPage, queryPrefix } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import type { WebhookItem } from './webhook.ts';

/** Every webhook of a business, in the order of their sort keys: by API key, then by age. */
export function webhooksOfBusiness(tenantId: number): Promise<readonly WebhookItem[]> {
  return queryPrefix('deliveries', deliveries.tenant(tenantId), deliveries.webhookPrefix);
}

/** The first webhooks of a business in the order of their sort keys, at most `count`. */
export async function firstWebhooks(tenantId: number, count: number): Promise<readonly WebhookItem[]> {
  const webhooks = inPartition(deliveries.tenant(tenantId), deliveries.webhookPrefix);
  return (await queryPage<WebhookItem>('deliveries', { ...webhooks, Limit: count, ConsistentRead: true })).items;
}

/** The webhooks that a principal manages: a key its own, an owner those of all keys. Ordered by key, oldest first. */
export function webhooksOf({ tenantId, actor }: Principal): Promise<readonly WebhookItem[]> {
  if (actor.kind === 'owner') return webhooksOfBusiness(tenantId);
  return queryPrefix('deliveries', deliveries.tenant(tenantId), deliveries.webhooksOfKey(actor.id));
}

/**
 * A webhook that the principal manages. The table key contains the API key, so for an owner all webhooks of the
 * business are read, which are few. 404 `not_found` for an unknown id, and for an id of another key or tenant.
 */
export async function loadWebhook(principal: Principal, id: number): Promise<WebhookItem> {
  const { tenantId, actor } = principal;
  const item =
    actor.kind === 'key'
      ? await getItem<WebhookItem>('deliveries', deliveries.webhook(tenantId, actor.id, id))
      : (await webhooksOf(principal)).find((one) => one.id === id);
  if (!item) throw fail('not_found');
  return item;
}

/** Reads the webhook again. 404 `not_found` if it was deleted in the meantime. */
export async function reloadWebhook({ tenantId, keyId, id }: WebhookItem): Promise<WebhookItem> {
  const item = await getItem<WebhookItem>('deliveries', deliveries.webhook(tenantId, keyId, id));
  if (!item) throw fail('not_found');
  return item;
}

/**
 * Reads webhooks. Always consistently: a switch-off or a deletion counts for the very next event
 * (docs/rules.md#tables).
 */
import { fail } from '../../errors.ts';
import type { KeyReference } from '../../keys/api-key.ts';
import { getItem, pages, queryPrefix } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import type { WebhookItem } from './webhook.ts';

/** Every webhook of a business, in the order of their sort keys: by API key, then by age. */
export function webhooksOfBusiness(tenantId: number): Promise<readonly WebhookItem[]> {
  return queryPrefix('deliveries', deliveries.tenant(tenantId), deliveries.webhookPrefix);
}

export interface WebhookPage {
  readonly webhooks: readonly WebhookItem[];
  /** The last of them, when there are more. */
  readonly after?: { readonly keyId: number; readonly webhookId: number };
}

/** The next `count` webhooks of a business, or all there are, in that order; from the first one on, or after one. */
export async function webhooksAfter(
  tenantId: number,
  after: WebhookPage['after'],
  count: number,
): Promise<WebhookPage> {
  const webhooks: WebhookItem[] = [];
  const found = pages<WebhookItem>('deliveries', {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': deliveries.tenant(tenantId), ':prefix': deliveries.webhookPrefix },
    ...(after && { ExclusiveStartKey: deliveries.webhook(tenantId, after.keyId, after.webhookId) }),
    Limit: count,
    ConsistentRead: true,
  });
  for await (const { items, isLast } of found) {
    webhooks.push(...items);
    const last = webhooks.at(-1);
    if (!isLast && last && webhooks.length >= count)
      return { webhooks, after: { keyId: last.keyId, webhookId: last.id } };
  }
  return { webhooks };
}

/** The webhooks of one API key, oldest first (docs/rules.md#webhooks: a key sees its own). */
export function webhooksOfKey(tenantId: number, keyId: number): Promise<readonly WebhookItem[]> {
  return queryPrefix('deliveries', deliveries.tenant(tenantId), deliveries.webhooksOfKey(keyId));
}

export function findWebhook(tenantId: number, keyId: number, id: number): Promise<WebhookItem | undefined> {
  return getItem('deliveries', deliveries.webhook(tenantId, keyId, id));
}

/** 404 `not_found` for an unknown id and for one of another key or tenant alike. */
export async function loadWebhook(key: KeyReference, id: number): Promise<WebhookItem> {
  const item = await findWebhook(key.tenantId, key.id, id);
  if (!item) throw fail('not_found');
  return item;
}

/**
 * Reads webhooks. Always consistently: a disabling or a deletion counts for the very next event
 * (docs/rules.md#tables).
 */
import { fail } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
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

/** The webhooks that a principal manages: of a key its own, of an owner those of all keys; by key, oldest first. */
export function webhooksOf({ tenantId, actor }: Principal): Promise<readonly WebhookItem[]> {
  if (actor.kind === 'owner') return webhooksOfBusiness(tenantId);
  return queryPrefix('deliveries', deliveries.tenant(tenantId), deliveries.webhooksOfKey(actor.id));
}

/**
 * A webhook that the principal manages. The key of the item contains the API key, so that of an owner all are read: a
 * business has few. 404 `not_found` for an unknown id and for one of another key or tenant alike.
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

/** The webhook as it is by now. 404 `not_found` for one that was deleted since it was read. */
export async function reloadWebhook({ tenantId, keyId, id }: WebhookItem): Promise<WebhookItem> {
  const item = await getItem<WebhookItem>('deliveries', deliveries.webhook(tenantId, keyId, id));
  if (!item) throw fail('not_found');
  return item;
}

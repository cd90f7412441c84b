/** `GET /webhooks` and `GET /webhooks/:id`: the key's own (docs/rules.md#webhooks). */
import type { Webhook } from '../../../contract/integration/resources.ts';
import { fail } from '../../errors.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { cutPage, type PageQuery } from '../../page.ts';
import { findWebhook, webhooksOfKey } from './store.ts';
import { webhookOf } from './webhook.ts';

export async function listWebhooks(key: ApiKey, query: PageQuery): Promise<{ data: Webhook[]; total: number }> {
  const items = await webhooksOfKey(key.tenantId, key.id);
  return cutPage(items.map(webhookOf), query);
}

/** 404 `not_found` for an unknown id and for one of another key or tenant alike. */
export async function getWebhook(key: ApiKey, { id }: { id: number }): Promise<Webhook> {
  const item = await findWebhook(key.tenantId, key.id, id);
  if (!item) throw fail('not_found');
  return webhookOf(item);
}

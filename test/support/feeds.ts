/** Webhooks that are read, and their readers. */
import type { KeyActor, Principal } from '../../core/principal.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { newTenant, newWebhook, type Tenant } from './pipeline-state.ts';
import { keyPrincipal } from './principals.ts';

export interface Fed extends Tenant {
  readonly webhook: WebhookItem;
  readonly id: { readonly id: number };
  readonly key: Principal<KeyActor> & { readonly id: number };
}

/** A business with one webhook that is read. */
export async function newFeed(changes: Partial<WebhookItem> = {}): Promise<Fed> {
  const tenant = await newTenant(0);
  const { tenantId, keyId } = tenant;
  const webhook = await newWebhook(tenantId, keyId, { delivery: 'poll', targetUrl: '', ...changes });
  return { ...tenant, webhooks: [webhook], webhook, id: { id: webhook.id }, key: keyPrincipal(tenantId, keyId) };
}

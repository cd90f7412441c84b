/**
 * Every API key's webhooks, as the owner sees them (docs/rules.md#owners). The verbs are those of the key that each
 * belongs to.
 */
import type { AccountWebhook } from '../../../contract/account/resources.ts';
import { fail } from '../../errors.ts';
import type { KeyReference } from '../../keys/api-key.ts';
import type { Owner } from '../../owner.ts';
import { cutPage, type PageQuery } from '../../page.ts';
import { webhooksOfBusiness } from './store.ts';
import { type WebhookItem, webhookOf } from './webhook.ts';

export async function listBusinessWebhooks(
  { tenantId }: Owner,
  { apiKeyId, ...query }: PageQuery & { readonly apiKeyId?: number | undefined },
): Promise<{ data: AccountWebhook[]; total: number }> {
  const items = await webhooksOfBusiness(tenantId);
  const wanted = apiKeyId === undefined ? items : items.filter(({ keyId }) => keyId === apiKeyId);
  return cutPage(wanted.map(toAccountWebhook), query);
}

export async function getBusinessWebhook(owner: Owner, { id }: { id: number }): Promise<AccountWebhook> {
  return toAccountWebhook(await find(owner, id));
}

/**
 * A verb about a webhook of one API key as the owner calls it, who may do with the webhook of any key what the key may.
 * Error beyond those of the verb: 404 `not_found`.
 *
 * @example
 * accountEndpoint(routes.pingWebhook).handler(({ owner, params }) => forOwner(ping)(owner, params));
 */
export function forOwner<Params extends { readonly id: number }, More extends readonly unknown[], Answer>(
  verb: (key: KeyReference, params: Params, ...more: More) => Promise<Answer>,
) {
  return async (owner: Owner, params: Params, ...more: More): Promise<Answer> =>
    verb(await keyOfWebhook(owner, params.id), params, ...more);
}

/** A change of a webhook as the owner sees it. */
export const showingKey =
  <Params, More extends readonly unknown[], Shown>(
    verb: (key: KeyReference, params: Params, ...more: More) => Promise<Shown>,
  ) =>
  async (key: KeyReference, params: Params, ...more: More) => ({
    ...(await verb(key, params, ...more)),
    apiKeyId: key.id,
  });

/** The API key that a webhook of the business belongs to. 404 `not_found`. */
async function keyOfWebhook(owner: Owner, id: number): Promise<KeyReference> {
  const { tenantId, keyId } = await find(owner, id);
  return { tenantId, id: keyId };
}

/** A webhook's place is known by its key only, and a business has few: all are read. 404 `not_found`. */
async function find({ tenantId }: Owner, id: number): Promise<WebhookItem> {
  const item = (await webhooksOfBusiness(tenantId)).find((one) => one.id === id);
  if (!item) throw fail('not_found');
  return item;
}

function toAccountWebhook(item: WebhookItem): AccountWebhook {
  return { ...webhookOf(item), apiKeyId: item.keyId };
}

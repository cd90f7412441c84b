/** `POST /v1/account/webhooks`: an owner registers a webhook for one of the API keys (docs/rules.md#owners). */
import type { AccountWebhookWithSecret } from '../../../contract/account/resources.ts';
import { now } from '../../clock.ts';
import { fail } from '../../errors.ts';
import { statusOf } from '../../keys/api-key.ts';
import type { StoredKey } from '../../keys/stored-key.ts';
import type { Owner } from '../../owner.ts';
import { getItem } from '../../store/read.ts';
import { records } from '../../table-keys.ts';
import { createWebhook } from './create-webhook.ts';
import type { NewWebhook } from './webhook.ts';

/** Errors: those of `createWebhook`, 404 `not_found`, 409 `invalid_state` for a key that is revoked or expired. */
export async function createWebhookForKey(
  { tenantId }: Owner,
  { apiKeyId, ...webhook }: NewWebhook & { readonly apiKeyId: number },
): Promise<AccountWebhookWithSecret> {
  const key = await getItem<StoredKey>('records', records.key(tenantId, apiKeyId));
  if (!key) throw fail('not_found', { message: 'There is no such API key.' });
  const status = statusOf(key, now());
  if (status !== 'active') throw fail('invalid_state', { message: `The API key is ${status}.` });
  return { ...(await createWebhook(key, webhook)), apiKeyId };
}

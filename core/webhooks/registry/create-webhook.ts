/** `POST /webhooks`: by a key for itself, or by an owner for one of the keys (docs/rules.md#webhooks, #owners). */
import type { AccountWebhookWithSecret } from '../../../contract/account/resources.ts';
import { limits } from '../../../contract/limits.ts';
import type { Scope } from '../../../contract/scopes.ts';
import { now } from '../../clock.ts';
import { fail } from '../../errors.ts';
import { statusOf } from '../../keys/api-key.ts';
import { assertMayReceive } from '../../keys/event-access.ts';
import type { StoredKey } from '../../keys/stored-key.ts';
import type { Principal } from '../../principal.ts';
import { getItem } from '../../store/read.ts';
import { commitWithRetry, conditionFailedAt } from '../../store/transact.ts';
import { put, putNew } from '../../store/write.ts';
import { records } from '../../table-keys.ts';
import { newSecret } from '../sender/secret.ts';
import { acceptTargetUrl } from '../sender/target-url.ts';
import { takeOverReservations } from './first-webhook.ts';
import { receiverStateOf } from './known-receivers.ts';
import { incrementActiveWebhooks, incrementWebhooks } from './quota.ts';
import { registrationOf } from './registration.ts';
import { firstSecretPut } from './signing-secret.ts';
import { type NewWebhook, newWebhookItem, webhookOf } from './webhook.ts';

/**
 * Creates a webhook. The transaction is conditional on two numbers: the key's active webhooks, and all webhooks of the
 * business. So of eleven concurrent calls, one is refused. Errors: 403 `insufficient_scope` for an event that the key
 * may not read, `validation_failed` at `targetUrl`, 409 `webhook_limit_reached`; for an owner 404 `not_found` for an
 * unknown key and 409 `invalid_state` for a revoked or expired one.
 */
export async function createWebhook(
  principal: Principal,
  { apiKeyId, ...body }: NewWebhook & { readonly apiKeyId?: number },
): Promise<AccountWebhookWithSecret> {
  const { tenantId } = principal;
  const key = await keyOf(principal, apiKeyId);
  assertMayReceive(key, body.events);
  const { href: targetUrl = '' } = body.targetUrl === undefined ? {} : await acceptTargetUrl(body.targetUrl);
  return commitWithRetry(async () => {
    const webhook = newWebhookItem({ tenantId, keyId: key.id }, { ...body, targetUrl });
    const [state, first] = await Promise.all([receiverStateOf(tenantId, targetUrl), takeOverReservations(webhook)]);
    const item = { ...webhook, ...state, ...first.fields };
    const secret = newSecret();
    return {
      writes: [
        incrementActiveWebhooks(tenantId, key.id),
        incrementWebhooks(tenantId),
        putNew('deliveries', item),
        firstSecretPut(item.id, secret),
        put('deliveries', registrationOf(item)),
        ...first.writes,
      ],
      result: { ...webhookOf(item), secret },
      onCancelled: (codes) => {
        if (conditionFailedAt(codes, 0)) throw fail('webhook_limit_reached');
        if (conditionFailedAt(codes, 1)) {
          const message = `This business already has ${limits.webhooksPerBusiness} webhooks. Delete one that is not in use.`;
          throw fail('webhook_limit_reached', message);
        }
      },
    };
  });
}

/** The key to which the webhook will belong. */
async function keyOf(
  { tenantId, actor }: Principal,
  apiKeyId: number | undefined,
): Promise<{ readonly id: number; readonly scopes: readonly Scope[] }> {
  if (actor.kind === 'key') return actor;
  const key = apiKeyId === undefined ? undefined : await getItem<StoredKey>('records', records.key(tenantId, apiKeyId));
  if (!key) throw fail('not_found', 'There is no such API key.');
  const status = statusOf(key, now());
  if (status !== 'active') throw fail('invalid_state', `The API key is ${status}.`);
  return key;
}

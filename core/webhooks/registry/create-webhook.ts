/** `POST /webhooks` (docs/rules.md#webhooks). */

import type { WebhookWithSecret } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { fail } from '../../errors.ts';
import type { ApiKey, KeyReference } from '../../keys/api-key.ts';
import { assertHears } from '../../keys/hearing.ts';
import { decideAndCommit, refusedAt } from '../../store/transact.ts';
import { putNew } from '../../store/write.ts';
import { newSecret } from '../sender/secret.ts';
import { acceptTargetUrl } from '../sender/target-url.ts';
import { oneMoreActive, oneMoreWebhook } from './quota.ts';
import { registrationPut } from './registration.ts';
import { firstSecretPut } from './signing-secret.ts';
import { type NewWebhook, newWebhookItem, webhookOf } from './webhook.ts';

/**
 * Registers a webhook. The counts of the key's active webhooks and of all of the business are conditions of the same
 * transaction, so that of eleven concurrent calls one is refused. Errors: 403 `insufficient_scope`
 * for an event that the key may not be told of, `validation_failed` at `targetUrl`, 409 `webhook_limit_reached`.
 */
export async function createWebhook(
  key: KeyReference & Pick<ApiKey, 'scopes'>,
  body: NewWebhook,
): Promise<WebhookWithSecret> {
  assertHears(key, body.events);
  await acceptTargetUrl(body.targetUrl);
  return decideAndCommit(async () => {
    const item = newWebhookItem(key, body);
    const secret = newSecret();
    return {
      writes: [
        oneMoreActive(key.tenantId, key.id),
        oneMoreWebhook(key.tenantId),
        putNew('deliveries', item),
        firstSecretPut(item.id, secret),
        registrationPut(item),
      ],
      answer: { ...webhookOf(item), secret },
      refused: (codes) => {
        if (refusedAt(codes, 0)) throw fail('webhook_limit_reached');
        if (refusedAt(codes, 1)) {
          const message = `This business already has ${limits.webhooksPerBusiness} webhooks. Delete one that is not in use.`;
          throw fail('webhook_limit_reached', { message });
        }
      },
    };
  });
}

/** `PATCH /webhooks/:id`: changes, and reactivation (docs/rules.md#disabling). */

import type { AccountWebhook } from '../../../contract/account/resources.ts';
import type { EventName } from '../../../contract/events.ts';
import type { WebhookFilter } from '../../../contract/integration/resources.ts';
import { now, timestamp } from '../../clock.ts';
import { fail } from '../../errors.ts';
import { assertMayReceive } from '../../keys/event-access.ts';
import { loadKey } from '../../keys/stored-key.ts';
import type { Principal } from '../../principal.ts';
import { changed } from '../../store/revised.ts';
import { commitWithRetry, refusedAt } from '../../store/transact.ts';
import { set } from '../../store/write.ts';
import { acceptTargetUrl } from '../sender/target-url.ts';
import { oneMoreActive } from './quota.ts';
import { loadWebhook, reloadWebhook } from './store.ts';
import { webhookOf } from './webhook.ts';

export interface WebhookChanges {
  readonly targetUrl?: string | undefined;
  readonly events?: EventName[] | undefined;
  readonly description?: string | undefined;
  readonly filter?: WebhookFilter | null | undefined;
  readonly status?: 'active' | undefined;
}

/**
 * Changes what is named. `status: 'active'` reactivates a disabled webhook, sets its counter to 0 and takes one of the ten
 * that the key may have, in the same transaction. Errors: 404 `not_found`, 403 `insufficient_scope` for an event that the
 * key may not read, `validation_failed` at `targetUrl`, 409 `webhook_limit_reached`.
 */
export async function updateWebhook(
  principal: Principal,
  { id }: { id: number },
  changes: WebhookChanges,
): Promise<AccountWebhook> {
  const webhook = await loadWebhook(principal, id);
  const { tenantId, keyId } = webhook;
  const { actor } = principal;
  if (changes.events) assertMayReceive(actor.kind === 'key' ? actor : await loadKey(tenantId, keyId), changes.events);
  if (changes.targetUrl !== undefined && webhook.delivery === 'poll') {
    throw fail('validation_failed', {
      details: [{ path: 'targetUrl', message: 'is of a webhook with delivery push' }],
    });
  }
  const target = changes.targetUrl === undefined ? undefined : await acceptTargetUrl(changes.targetUrl);
  return commitWithRetry(async () => {
    const before = await reloadWebhook(webhook);
    const reactivated = changes.status === 'active' && before.status === 'failed';
    const fields = {
      targetUrl: target?.href,
      events: changes.events,
      description: changes.description,
      filter: changes.filter,
      ...(reactivated && { status: 'active' as const, consecutiveFailures: 0 }),
      updatedAt: timestamp(now()),
    };
    const update = set('deliveries', before, fields, { status: before.status });
    return {
      writes: reactivated ? [update, oneMoreActive(tenantId, keyId)] : [update],
      answer: webhookOf(changed(before, fields).item),
      refused: (codes) => {
        if (refusedAt(codes, 1)) throw fail('webhook_limit_reached');
      },
    };
  });
}

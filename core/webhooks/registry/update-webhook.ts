/** `PATCH /webhooks/:id`: changes, and reactivation (docs/rules.md#disabling). */
import type { EventName } from '../../../contract/events.ts';
import type { Webhook } from '../../../contract/integration/resources.ts';
import { now, timestamp } from '../../clock.ts';
import { fail } from '../../errors.ts';
import type { ApiKey, KeyReference } from '../../keys/api-key.ts';
import { assertHears } from '../../keys/hearing.ts';
import { loadKey } from '../../keys/stored-key.ts';
import { changed } from '../../store/revised.ts';
import { decideAndCommit, refusedAt } from '../../store/transact.ts';
import { set } from '../../store/write.ts';
import { acceptTargetUrl } from '../sender/target-url.ts';
import { oneMoreActive } from './quota.ts';
import { loadWebhook } from './store.ts';
import { webhookOf } from './webhook.ts';

export interface WebhookChanges {
  readonly targetUrl?: string | undefined;
  readonly events?: EventName[] | undefined;
  readonly description?: string | undefined;
  readonly status?: 'active' | undefined;
}

/**
 * Changes what is named. `status: 'active'` switches a failed webhook on again, sets its counter to 0 and takes one of
 * the key's ten places in the same transaction. Errors: 404 `not_found`, 403 `insufficient_scope` for an
 * event that the key may not be told of, `validation_failed` at `targetUrl`, 409 `webhook_limit_reached`.
 */
export async function updateWebhook(
  key: KeyReference & Partial<Pick<ApiKey, 'scopes'>>,
  { id }: { id: number },
  changes: WebhookChanges,
): Promise<Webhook> {
  await loadWebhook(key, id);
  if (changes.events) assertHears(await withScopes(key), changes.events);
  if (changes.targetUrl !== undefined) await acceptTargetUrl(changes.targetUrl);
  return decideAndCommit(async () => {
    const before = await loadWebhook(key, id);
    const reactivated = changes.status === 'active' && before.status === 'failed';
    const fields = {
      targetUrl: changes.targetUrl,
      events: changes.events,
      description: changes.description,
      ...(reactivated && { status: 'active' as const, consecutiveFailures: 0 }),
      updatedAt: timestamp(now()),
    };
    const update = set('deliveries', before, fields, { status: before.status });
    return {
      writes: reactivated ? [update, oneMoreActive(key.tenantId, key.id)] : [update],
      answer: webhookOf(changed(before, fields).item),
      refused: (codes) => {
        if (refusedAt(codes, 1)) throw fail('webhook_limit_reached');
      },
    };
  });
}

/** A caller has its scopes; an owner, who acts for a key, looks them up. */
function withScopes({ scopes, tenantId, id }: KeyReference & Partial<Pick<ApiKey, 'scopes'>>) {
  return scopes ? { scopes } : loadKey(tenantId, id);
}

/** `PATCH /webhooks/:id`: changes, and the reactivation of section 3.1. */
import type { EventName } from '../../../contract/events.ts';
import type { Webhook } from '../../../contract/resources.ts';
import { now, timestamp } from '../../clock.ts';
import { env } from '../../env.ts';
import { fail } from '../../errors.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { decideAndCommit, refusedAt, type Write } from '../../store/transact.ts';
import { acceptTargetUrl } from '../sender/target-url.ts';
import { oneMoreActive } from './quota.ts';
import { loadWebhook } from './store.ts';
import { type WebhookItem, webhookOf } from './webhook.ts';

export interface WebhookChanges {
  readonly targetUrl?: string | undefined;
  readonly events?: EventName[] | undefined;
  readonly description?: string | undefined;
  readonly status?: 'active' | undefined;
}

/**
 * Changes what is named. `status: 'active'` switches a failed webhook on again, sets its counter to 0 and takes one of
 * the key's ten places in the same transaction. Errors: 404 `not_found`, `validation_failed` at `targetUrl`,
 * 409 `webhook_limit_reached`.
 */
export async function updateWebhook(key: ApiKey, { id }: { id: number }, changes: WebhookChanges): Promise<Webhook> {
  await loadWebhook(key, id);
  if (changes.targetUrl !== undefined) await acceptTargetUrl(changes.targetUrl);
  return decideAndCommit(async () => {
    const before = await loadWebhook(key, id);
    const reactivated = changes.status === 'active' && before.status === 'failed';
    const changed: Partial<WebhookItem> = {
      ...(changes.targetUrl !== undefined && { targetUrl: changes.targetUrl }),
      ...(changes.events !== undefined && { events: changes.events }),
      ...(changes.description !== undefined && { description: changes.description }),
      ...(reactivated && { status: 'active' as const, consecutiveFailures: 0 }),
      updatedAt: timestamp(now()),
    };
    return {
      writes: [webhookUpdate(before, changed), ...(reactivated ? [oneMoreActive(key.businessId, key.id)] : [])],
      answer: webhookOf({ ...before, ...changed }),
      refused: (codes) => {
        if (refusedAt(codes, 1)) throw fail('webhook_limit_reached');
      },
    };
  });
}

/** Sets fields of a webhook whose status is still the one that was read. */
function webhookUpdate(before: WebhookItem, changed: Partial<WebhookItem>): Write {
  const names = Object.keys(changed);
  return {
    Update: {
      TableName: env.table('deliveries'),
      Key: { pk: before.pk, sk: before.sk },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: '#status = :statusBefore',
      ExpressionAttributeNames: { ...Object.fromEntries(names.map((name) => [`#${name}`, name])), '#status': 'status' },
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(changed).map(([name, value]) => [`:${name}`, value])),
        ':statusBefore': before.status,
      },
    },
  };
}

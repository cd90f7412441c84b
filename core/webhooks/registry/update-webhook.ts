/** `PATCH /webhooks/:id`: changes, and reactivation (docs/rules.md#disabling). */
import type * as z from 'zod/mini';
import type { AccountWebhook } from '../../../contract/account/resources.ts';
import type { updateWebhook as row } from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import { hourMs, now, timestamp } from '../../clock.ts';
import { fail, invalid } from '../../errors.ts';
import { assertMayReceive } from '../../keys/event-access.ts';
import { loadKey } from '../../keys/stored-key.ts';
import type { Principal } from '../../principal.ts';
import { changed } from '../../store/revised.ts';
import { commitWithRetry, conditionFailedAt } from '../../store/transact.ts';
import { REMOVE, set } from '../../store/write.ts';
import { acceptTargetUrl } from '../sender/target-url.ts';
import { formerReceiverWrites, receiverStateOf, shareResponse } from './known-receivers.ts';
import { incrementActiveWebhooks } from './quota.ts';
import { loadWebhook, reloadWebhook } from './store.ts';
import { hostOf, type WebhookItem, webhookOf } from './webhook.ts';

type Target = Pick<WebhookItem, 'targetUrl' | 'slowUntil' | 'answeredHost'>;

/**
 * Changes the given fields. `status: 'active'` reactivates a disabled webhook: the same transaction sets its counter to
 * 0, and counts it as one of the key's ten active webhooks. Errors: 404 `not_found`, 403 `insufficient_scope` for an
 * event that the key may not read, `validation_failed` at `targetUrl`, 409 `webhook_limit_reached`, 409 `invalid_state`
 * for a `targetUrl` that was written ten times in this hour.
 */
export async function updateWebhook(
  principal: Principal,
  { id }: { id: number },
  changes: z.output<(typeof row)['body']>,
): Promise<AccountWebhook> {
  const webhook = await loadWebhook(principal, id);
  const { tenantId, keyId } = webhook;
  const { actor } = principal;
  if (changes.events) assertMayReceive(actor.kind === 'key' ? actor : await loadKey(tenantId, keyId), changes.events);
  const target = changes.targetUrl === undefined ? undefined : await newTarget(webhook, changes.targetUrl);
  return commitWithRetry(async () => {
    const before = await reloadWebhook(webhook);
    const isMoved = target && hostOf(target) !== hostOf(before);
    const reactivated = changes.status === 'active' && before.status === 'failed';
    const fields = {
      ...(target && { ...target, targetChanges: oneMoreChange(before) }),
      ...(isMoved && { movedAfter: before.lastNumber }),
      events: changes.events,
      description: changes.description,
      filter: changes.filter,
      ...(reactivated && { status: 'active' as const, consecutiveFailures: 0 }),
      updatedAt: timestamp(now()),
    };
    const { status, targetUrl, events, description, filter, targetChanges, lastNumber } = before;
    // The response shows these fields, which another request may have changed.
    const shown = { status, targetUrl, events, description, filter };
    const asRead = { ...shown, ...(target && { targetChanges }), ...(isMoved && { lastNumber }) };
    const receiver = target && {
      slowUntil: target.slowUntil ?? REMOVE,
      ...(isMoved && { answeredHost: target.answeredHost ?? REMOVE }),
    };
    return {
      writes: [
        set('deliveries', before, { ...fields, ...receiver }, asRead),
        ...(reactivated ? [incrementActiveWebhooks(tenantId, keyId)] : []),
        ...(target ? formerReceiverWrites(before) : []),
      ],
      result: webhookOf(changed(before, fields).item),
      onCancelled: (codes) => {
        const isAsRead = !conditionFailedAt(codes, 0);
        if (reactivated && isAsRead && conditionFailedAt(codes, 1)) throw fail('webhook_limit_reached');
      },
    };
  });
}

/** The new target with the state of its receiver. */
async function newTarget(webhook: WebhookItem, text: string): Promise<Target> {
  if (webhook.delivery === 'poll') throw invalid('targetUrl', 'is allowed only if the delivery of the webhook is push');
  oneMoreChange(webhook);
  const { href: targetUrl } = await acceptTargetUrl(text);
  await shareResponse(webhook);
  return { targetUrl, ...(await receiverStateOf(webhook.tenantId, targetUrl)) };
}

/** The count of writes of `targetUrl` in this hour of the clock, with one more. */
function oneMoreChange({ targetChanges }: WebhookItem): NonNullable<WebhookItem['targetChanges']> {
  // By another container's clock, the next hour may have begun: its count continues.
  const hour = Math.max(Math.floor(now() / hourMs), targetChanges?.[0] ?? 0);
  const count = targetChanges?.[0] === hour ? targetChanges[1] : 0;
  if (count < limits.targetUrlChangesPerHour) return [hour, count + 1];
  throw fail('invalid_state', {
    message: `The targetUrl of a webhook can be changed at most ${limits.targetUrlChangesPerHour} times an hour.`,
    retryAfter: Math.ceil(((hour + 1) * hourMs - now()) / 1_000),
  });
}

/**
 * `DELETE /webhooks/:id`. This module is separate, so that its bundle does not contain the address checks of other
 * changes.
 */
import type { Principal } from '../../principal.ts';
import { commitWithRetry } from '../../store/transact.ts';
import { remove } from '../../store/write.ts';
import { deliveries, secrets } from '../../table-keys.ts';
import { handOverReservations } from './first-webhook.ts';
import { formerReceiverWrites, shareResponse } from './known-receivers.ts';
import { beginLogDeletion } from './log-deletion.ts';
import { decrementActiveWebhooks, decrementWebhooks } from './quota.ts';
import { loadWebhook, reloadWebhook } from './store.ts';

/** Pending deliveries of the webhook are not sent, and its log is deleted. 404 `not_found`. */
export async function deleteWebhook(principal: Principal, { id }: { id: number }): Promise<void> {
  const webhook = await loadWebhook(principal, id);
  await shareResponse(webhook);
  await beginLogDeletion([webhook]);
  return commitWithRetry(async () => {
    const before = await reloadWebhook(webhook);
    return {
      writes: [
        remove('deliveries', before, { status: before.status, reservations: before.reservations }),
        remove('deliveries', deliveries.registration(before)),
        remove('secrets', secrets.signing(id)),
        decrementWebhooks(before.tenantId),
        ...(before.status === 'active' ? [decrementActiveWebhooks(before.tenantId, before.keyId)] : []),
        ...formerReceiverWrites(before),
        ...(await handOverReservations(before)),
      ],
      result: undefined,
    };
  });
}

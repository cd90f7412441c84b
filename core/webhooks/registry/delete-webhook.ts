/** `DELETE /webhooks/:id`. Apart from the other changes, so that it bundles none of their checks of addresses. */
import type { Principal } from '../../principal.ts';
import { commitWithRetry } from '../../store/transact.ts';
import { remove } from '../../store/write.ts';
import { afterFirst } from './first-webhook.ts';
import { beginLogDeletion } from './log-deletion.ts';
import { slowMarkLeft } from './origin-marks.ts';
import { oneLessActive, oneLessWebhook } from './quota.ts';
import { registrationDelete } from './registration.ts';
import { secretDelete } from './signing-secret.ts';
import { loadWebhook, reloadWebhook } from './store.ts';

/** What is pending for it finds no webhook any more and is dropped, and its log is deleted. 404 `not_found`. */
export async function deleteWebhook(principal: Principal, { id }: { id: number }): Promise<void> {
  const webhook = await loadWebhook(principal, id);
  await beginLogDeletion([webhook]);
  return commitWithRetry(async () => {
    const before = await reloadWebhook(webhook);
    return {
      writes: [
        remove('deliveries', before, { status: before.status, reservations: before.reservations }),
        registrationDelete(before),
        secretDelete(id),
        oneLessWebhook(before.tenantId),
        ...(before.status === 'active' ? [oneLessActive(before.tenantId, before.keyId)] : []),
        ...slowMarkLeft(before),
        ...(await afterFirst(before)),
      ],
      answer: undefined,
    };
  });
}

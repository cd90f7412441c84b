/** `DELETE /webhooks/:id`. Apart from the other changes, so that it bundles none of their checks of addresses. */
import type { Principal } from '../../principal.ts';
import { decideAndCommit } from '../../store/transact.ts';
import { remove } from '../../store/write.ts';
import { oneLessActive, oneLessWebhook } from './quota.ts';
import { registrationDelete } from './registration.ts';
import { secretDelete } from './signing-secret.ts';
import { loadWebhook } from './store.ts';

/** What is pending for it finds no webhook any more and is dropped. 404 `not_found`. */
export function deleteWebhook(principal: Principal, { id }: { id: number }): Promise<void> {
  return decideAndCommit(async () => {
    const before = await loadWebhook(principal, id);
    return {
      writes: [
        remove('deliveries', before, { status: before.status }),
        registrationDelete(before),
        secretDelete(id),
        oneLessWebhook(before.tenantId),
        ...(before.status === 'active' ? [oneLessActive(before.tenantId, before.keyId)] : []),
      ],
      answer: undefined,
    };
  });
}

/** `POST /v1/account/clients/:id/erase` (docs/rules.md#erasure). */
import type { Client } from '../../contract/account/resources.ts';
import { contactKeys, loadClient, release, toClient } from '../bookings/client-book.ts';
import { renamed } from '../bookings/client-names.ts';
import { now, timestamp } from '../clock.ts';
import { outboxPut, raise } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { changed, replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import { records } from '../table-keys.ts';
import { beginErasure } from './message.ts';
import { noPerson } from './person.ts';

/**
 * From its answer on the client has no name and no contacts, and is found by none. What bookings, reviews, remembered
 * answers and messages contain of them is removed within a minute, by the queue `erasures`. Raises `client.updated`, once. Again
 * answers the same, and looks again for what is left. Errors: 404 `not_found`.
 */
export async function eraseClient({ tenantId }: Principal, { id }: { id: number }): Promise<Client> {
  const client = await commitWithRetry(async () => {
    const before = await loadClient(tenantId, id);
    if (before.erasedAt) return { writes: [], answer: before };
    const at = now();
    const { item, changedFields } = changed(before, noPerson);
    const erased = { ...item, erasedAt: timestamp(at), updatedAt: timestamp(at) };
    const { createdAt, updatedAt } = erased;
    const updated = raise(
      tenantId,
      'client.updated',
      { clientId: id, ...noPerson, createdAt, changedFields, updatedAt },
      at,
    );
    return {
      writes: [
        replaceRecord(records.client(tenantId, id), before, erased),
        ...(await release(contactKeys(tenantId, before), id)),
        ...renamed(tenantId, before, undefined),
        outboxPut(updated),
      ],
      answer: erased,
    };
  });
  await beginErasure({ tenantId, clientId: id });
  return toClient(client);
}

/** `POST /v1/account/clients/:id/erase` (docs/rules.md#erasure). */
import type { Client } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import type { BookingItem } from '../bookings/booking.ts';
import { cancelIfOpen } from '../bookings/cancel.ts';
import { changeEntry } from '../bookings/changes.ts';
import { loadClient, release, toClient } from '../bookings/client-book.ts';
import { nameEntryWrites } from '../bookings/client-names.ts';
import { clientData, contactHashes, contactKeys } from '../bookings/clients.ts';
import { forEachConcurrently } from '../chunks.ts';
import { now, timestamp } from '../clock.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { queryAll } from '../store/read.ts';
import { changed, replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import { set, writeOne } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { beginErasure } from './message.ts';
import { noPerson } from './person.ts';

/**
 * Removes the name and contacts of the client at once; no search finds the client any more. Messages in the queue
 * `erasures` remove the client's personal data from bookings, reviews, stored responses and messages within a minute.
 * Raises `client.updated`, once. A repeated request gets the same response; more than five minutes after the last
 * search, or if `cancelBookings` is new, it starts the search again. With `cancelBookings`, the upcoming bookings are
 * cancelled first: after an interruption, the client can be erased again. The messages cancel bookings that are made
 * during the request. Errors: 404 `not_found`.
 */
export async function eraseClient(
  principal: Principal,
  { id }: { id: number },
  { cancelBookings = false }: { readonly cancelBookings?: boolean | undefined } = {},
): Promise<Client> {
  const { tenantId } = principal;
  if (cancelBookings) {
    await loadClient(tenantId, id);
    await cancelAhead(principal, id);
  }
  const client = await commitWithRetry(async () => {
    const before = await loadClient(tenantId, id);
    if (before.erasedAt) return { writes: [], result: before };
    const at = now();
    const { item, changedFields } = changed(before, { ...noPerson, ...(before.metadata && { metadata: {} }) });
    const updatedAt = timestamp(at);
    const erased = {
      ...item,
      erasedAt: updatedAt,
      updatedAt,
      revision: (before.revision ?? 0) + 1,
      contactHashes: contactHashes(tenantId, before),
    };
    const data = { ...clientData(erased), changedFields, updatedAt, erased: true };
    return {
      writes: [
        replaceRecord(records.client(tenantId, id), before, erased),
        changeEntry(tenantId, 'CLIENT', erased),
        ...(await release(contactKeys(tenantId, before), id)),
        ...nameEntryWrites(tenantId, before, undefined),
        eventPut(tenantId, 'client.updated', data, at),
      ],
      result: erased,
    };
  });
  const at = now();
  const { searchedAt = 0, searchCancels } = client;
  if (at - searchedAt >= limits.erasurePauseSeconds * 1_000 || (cancelBookings && !searchCancels)) {
    await beginErasure({ tenantId, clientId: id, contacts: client.contactHashes, cancelBookings });
    // Only after the queue has accepted the messages, so that a search that did not begin can be requested again.
    const fields = { searchedAt: at, searchCancels: cancelBookings };
    await writeOne(set('records', records.client(tenantId, id), fields));
  }
  return toClient(client);
}

/** The bookings in the index by client, which is updated some moments later. */
async function cancelAhead(principal: Principal, clientId: number): Promise<void> {
  const from = records.bookingByClient(principal.tenantId, clientId, Math.ceil(now() / 60_000), 0);
  const ahead = await queryAll<BookingItem>('records', {
    IndexName: 'byClient',
    KeyConditionExpression: 'byClientPk = :pk AND byClientSk >= :from',
    ExpressionAttributeValues: { ':pk': from.byClientPk, ':from': from.byClientSk },
  });
  await forEachConcurrently(ahead, (booking) => cancelIfOpen(principal, booking));
}

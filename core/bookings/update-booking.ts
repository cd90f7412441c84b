/** `PATCH /bookings/:id`: changes the data that an integrator stores with a booking (docs/rules.md#metadata). */
import type * as z from 'zod/mini';
import type { Booking } from '../../contract/integration/resources.ts';
import type { updateBooking as row } from '../../contract/integration/routes.ts';
import { now } from '../clock.ts';
import { canSeePersonalData, type Principal } from '../principal.ts';
import { changed } from '../store/revised.ts';
import { successorOf } from './booking.ts';
import { changeBooking } from './change.ts';
import { assertNotErased } from './client-book.ts';
import { withMetadata } from './metadata.ts';

/**
 * Works for every status, and raises no event. Errors: 404 `not_found`, 409 `invalid_state` if the client is erased.
 */
export function updateBooking(
  principal: Principal,
  { id }: { readonly id: number },
  { comment, externalId, metadata }: z.output<(typeof row)['body']>,
): Promise<Booking> {
  return changeBooking(principal, id, async (before) => {
    const { item, changedFields } = changed(before, {
      externalId,
      comment: comment === undefined ? undefined : comment || null,
      metadata: metadata && withMetadata(before.metadata, metadata),
    });
    // For a key that may not see the stored data, an unchanged revision would confirm a guess.
    if (changedFields.length === 0 && canSeePersonalData(principal.actor)) return 'unchanged';
    await assertNotErased(principal.tenantId, before);
    return { item: successorOf(before, item, now()), writes: [] };
  });
}

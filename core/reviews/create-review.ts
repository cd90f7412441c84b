/**
 * Reviews in the account API (docs/rules.md#reviews): the owner records one for a completed booking, and replies to it.
 */
import type * as z from 'zod/mini';
import type { createReview as createRow } from '../../contract/account/routes.ts';
import type { BookingItem } from '../bookings/booking.ts';
import { loadBooking } from '../bookings/change.ts';
import { assertNotErased } from '../bookings/client-book.ts';
import type { StaffItem } from '../catalog/items.ts';
import { newId, now, timestamp } from '../clock.ts';
import { fail } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import type { Expected } from '../store/expected.ts';
import type { Key } from '../store/key.ts';
import { getItem, getRecords, loadItem } from '../store/read.ts';
import { insertRecord, replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import { add, set, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { averageOf, type RatingItem, type ReviewItem, reviewData } from './list.ts';

type NewReview = z.output<(typeof createRow)['body']>;

/**
 * Raises `review.created`, and updates the ratings of business, staff member and service in the same transaction.
 * Errors: 404 `not_found`, 409 `invalid_state` unless the booking is completed, or if its client is erased, 409
 * `review_exists`.
 */
export function createReview({ tenantId }: Principal, body: NewReview): Promise<ReviewItem> {
  return commitWithRetry(async () => {
    const booking = await getItem<BookingItem>('records', records.booking(tenantId, body.bookingId));
    if (!booking) throw fail('not_found', 'There is no such booking.');
    // A completed booking never gets another status, so this is still true at the commit.
    if (booking.status !== 'completed') {
      throw fail('invalid_state', `Only a completed booking can be reviewed, but this booking is ${booking.status}.`);
    }
    await assertNotErased(tenantId, booking);
    const { segments, clientId } = booking;
    const [{ staffId, serviceId }] = segments;
    const [reviewed, staff, rated] = (await getRecords([
      records.reviewOf(tenantId, booking.id),
      records.staff(tenantId, staffId),
      records.rating(tenantId, 'staff', staffId),
    ])) as [object | undefined, StaffItem | undefined, RatingItem | undefined];
    if (reviewed) throw fail('review_exists');

    const at = now();
    const item: ReviewItem = {
      id: newId(),
      bookingId: booking.id,
      staffId,
      serviceId,
      rating: body.rating,
      text: body.text ?? '',
      authorName: body.authorName ?? publicName(booking.client.name),
      createdAt: timestamp(at),
      reply: null,
    };
    const { id: reviewId, rating } = item;
    return {
      writes: [
        insertRecord(records.review(tenantId, reviewId), item),
        insertRecord(records.reviewOf(tenantId, booking.id), { reviewId }),
        oneMore(records.rating(tenantId, 'business', tenantId), rating),
        // The item of the staff member contains this rating, but was read at another moment.
        oneMore(records.rating(tenantId, 'staff', staffId), rating, { count: rated?.count }),
        oneMore(records.rating(tenantId, 'service', serviceId), rating),
        ...(staff ? [staffRating(tenantId, staff, rated, rating)] : []),
        eventPut(tenantId, 'review.created', reviewData(item, clientId), at),
      ],
      result: item,
    };
  });
}

function oneMore(key: Key, rating: number, expected: Expected = {}): Write {
  return add('records', key, { count: 1, sum: rating }, expected);
}

function staffRating(tenantId: number, staff: StaffItem, rated: RatingItem | undefined, rating: number): Write {
  const { count, sum } = { count: (rated?.count ?? 0) + 1, sum: (rated?.sum ?? 0) + rating };
  const item = { ...staff, rating: averageOf({ count, sum }), reviewsCount: count };
  return replaceRecord(records.staff(tenantId, staff.id), staff, item);
}

/** Sets or replaces the reply. Errors: 404 `not_found`, 409 `invalid_state` if the client is erased. */
export function replyToReview(
  { tenantId }: Principal,
  { id }: { id: number },
  { text }: { text: string },
): Promise<ReviewItem> {
  const key = records.review(tenantId, id);
  return commitWithRetry(async () => {
    const review = await loadItem<ReviewItem>(key);
    await assertNotErased(tenantId, await loadBooking({ tenantId }, review.bookingId));
    const writes = review.reply === text ? [] : [set('records', key, { reply: text })];
    return { writes, result: { ...review, reply: text } };
  });
}

/** The name of a client that every key with `reviews:read` may see: `Jane Mary Doe` is `Jane D.` */
function publicName(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/u);
  const [initial = ''] = others.at(-1) ?? '';
  return initial === '' ? first : `${first} ${initial}.`;
}

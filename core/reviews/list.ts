/** `GET /reviews` (docs/rules.md#reviews): newest first, with a summary that is stored and not counted. */
import type * as z from 'zod/mini';
import type { listReviews as row } from '../../contract/account/routes.ts';
import type { EventData } from '../../contract/events.ts';
import type { review, reviewPage } from '../../contract/integration/resources.ts';
import type { Principal } from '../principal.ts';
import { listNewest } from '../store/list.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';

export type ReviewItem = z.output<typeof review>;

/** Number and sum of the ratings of a business, staff member or service; the transaction of each review changes it. */
export interface RatingItem {
  readonly count: number;
  readonly sum: number;
}

export type ReviewsQuery = z.output<(typeof row)['query']>;

/** The summary is about the staff member in the filter, else the service in the filter, else the business. */
export async function listReviews(
  { tenantId }: Principal,
  { limit, cursor, ...filter }: ReviewsQuery,
): Promise<z.output<typeof reviewPage>> {
  const [rating, page] = await Promise.all([
    getItem<RatingItem>('records', subjectOf(tenantId, filter)),
    listNewest({
      scope: { tenantId, list: 'reviews', ...filter },
      limit,
      cursor,
      matches: (item) =>
        (filter.staffId === undefined || item.staffId === filter.staffId) &&
        (filter.serviceId === undefined || item.serviceId === filter.serviceId) &&
        (filter.minRating === undefined || item.rating >= filter.minRating) &&
        (filter.replied === undefined || String(item.reply !== null) === filter.replied),
      keyOf: (id) => records.review(tenantId, id),
      show: (item: ReviewItem) => item,
    }),
  ]);
  return { ...page, summary: { count: rating?.count ?? 0, averageRating: rating ? averageOf(rating) : null } };
}

/** The average rating, rounded to hundredths. */
export function averageOf({ count, sum }: RatingItem): number {
  return Math.round((sum / count) * 100) / 100;
}

function subjectOf(tenantId: number, { staffId, serviceId }: ReviewsQuery) {
  if (staffId !== undefined) return records.rating(tenantId, 'staff', staffId);
  if (serviceId !== undefined) return records.rating(tenantId, 'service', serviceId);
  return records.rating(tenantId, 'business', tenantId);
}

export function reviewData(item: ReviewItem, clientId: number): EventData<'review.created'> {
  const { id: reviewId, bookingId, staffId, serviceId, rating, text, createdAt } = item;
  return { reviewId, bookingId, clientId, staffId, serviceId, rating, text, createdAt };
}

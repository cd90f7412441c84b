/** Counts the ratings of a business, its staff members and services again from the reviews. */
import type { StaffItem } from '../catalog/items.ts';
import { firstIdAt, timestamp } from '../clock.ts';
import { averageOf, type RatingItem, type ReviewItem } from '../reviews/list.ts';
import type { Key } from '../store/key.ts';
import { put, remove, set, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

export type StoredRating = RatingItem & Required<Key>;

/** The ratings by their sort keys. */
export type Ratings = Map<string, RatingItem>;

/** Whether a review was made within the replication lag. Its id and its time are of different milliseconds. */
export function isMadeSince(since: number, { id, createdAt }: ReviewItem): boolean {
  return id >= firstIdAt(since) || createdAt >= timestamp(since);
}

/** Adds a review to the ratings of its business, staff member and service. */
export function countReview(counted: Ratings, tenantId: number, { rating, staffId, serviceId }: ReviewItem): void {
  const subjects = [['business', tenantId] as const, ['staff', staffId] as const, ['service', serviceId] as const];
  for (const [subject, id] of subjects) {
    const { sk } = records.rating(tenantId, subject, id);
    const { count, sum } = counted.get(sk) ?? { count: 0, sum: 0 };
    counted.set(sk, { count: count + 1, sum: sum + rating });
  }
}

/** The writes of the items that differ. `counted`, `stored` and `staff` are all of the business. */
export function ratingWrites(
  tenantId: number,
  counted: Ratings,
  stored: readonly StoredRating[],
  staff: readonly StaffItem[],
): Write[] {
  const before = new Map(stored.map((one) => [one.sk, one]));
  const removals = stored.filter(({ sk }) => !counted.has(sk)).map(({ pk, sk }) => remove('records', { pk, sk }));
  const puts = [...counted].flatMap(([sk, rated]) => {
    const known = before.get(sk);
    const isSame = known?.count === rated.count && known.sum === rated.sum;
    return isSame ? [] : [put('records', { pk: records.tenant(tenantId), sk, ...rated })];
  });
  const members = staff.flatMap((member) => {
    const rated = counted.get(records.rating(tenantId, 'staff', member.id).sk);
    const fields = { rating: rated ? averageOf(rated) : null, reviewsCount: rated?.count ?? 0 };
    const isSame = member.rating === fields.rating && member.reviewsCount === fields.reviewsCount;
    return isSame ? [] : [set('records', records.staff(tenantId, member.id), fields)];
  });
  return [...removals, ...puts, ...members];
}

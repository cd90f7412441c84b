/** Search parameters of the route. */
import { oneOf } from '../../app/search.ts';

export const leastRatings = [2, 3, 4, 5] as const;

interface ReviewsSearch {
  /** Whether only reviews without a reply are shown. */
  readonly open?: true;
  readonly minRating?: (typeof leastRatings)[number];
}

export function reviewsSearch({ open, minRating }: Readonly<Record<string, unknown>>): ReviewsSearch {
  return { open: oneOf(open, [true]), minRating: oneOf(minRating, leastRatings) };
}

/** Search parameters of the route. */
import { oneOf, wholeNumber } from '../../app/search.ts';

interface StaffSearch {
  readonly page?: number;
  /** A new one is added. */
  readonly add?: true;
}

export function staffSearch({ page, add }: Readonly<Record<string, unknown>>): StaffSearch {
  return { page: wholeNumber(page), add: oneOf(add, [true]) };
}

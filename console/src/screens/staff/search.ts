/** Search parameters of the route. */
import { oneOf, wholeNumber } from '../../app/search.ts';

interface StaffSearch {
  readonly page?: number;
  /** Whether the form for a new staff member is open. */
  readonly add?: true;
}

export function staffSearch({ page, add }: Readonly<Record<string, unknown>>): StaffSearch {
  return { page: wholeNumber(page), add: oneOf(add, [true]) };
}

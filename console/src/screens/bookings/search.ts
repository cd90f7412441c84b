/** Search parameters of the route. */
import { oneOf, wholeNumber } from '../../app/search.ts';

/** The lists of bookings. Default: the first. */
export const bookingLists = ['upcoming', 'pending', 'past', 'cancelled'] as const;

export interface BookingsSearch {
  readonly show?: (typeof bookingLists)[number];
  readonly staff?: number;
  readonly client?: number;
  /** The id of the open booking. */
  readonly booking?: number;
}

export function bookingsSearch(search: Readonly<Record<string, unknown>>): BookingsSearch {
  return {
    show: oneOf(search.show, bookingLists),
    staff: wholeNumber(search.staff),
    client: wholeNumber(search.client),
    booking: wholeNumber(search.booking),
  };
}

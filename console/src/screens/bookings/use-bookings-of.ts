import { useApi } from '../../api/hooks.ts';
import type { Booking } from './booking.ts';

/** The maximum of ids that the API accepts. */
const bookingsAtOnce = 100;

interface BookingsOf {
  readonly bookings: ReadonlyMap<number, Booking>;
  readonly isFetching: boolean;
}

/** Loads the bookings of these entries in one request. */
export function useBookingsOf(entries: readonly { readonly bookingId?: number | null }[]): BookingsOf {
  const ids = [...new Set(entries.flatMap(({ bookingId }) => bookingId ?? []))].slice(0, bookingsAtOnce);
  const options = { enabled: ids.length > 0, keepPrevious: true };
  const { data, isFetching } = useApi('listBookings', { ids: ids.join(',') }, options);
  return { bookings: new Map(data?.data.map((booking) => [booking.id, booking])), isFetching };
}

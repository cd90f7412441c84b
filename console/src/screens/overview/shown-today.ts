/** The bookings of a day that the overview shows. Those that are over give way to later ones. */
export function shownToday<Booking extends { readonly endTime: string }>(
  bookings: readonly Booking[],
  now: number,
  most: number,
): readonly Booking[] {
  const next = bookings.findIndex(({ endTime }) => Date.parse(endTime) > now);
  const first = Math.max(0, Math.min(next < 0 ? bookings.length : next, bookings.length - most));
  return bookings.slice(first, first + most);
}

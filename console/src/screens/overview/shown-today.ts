/** The bookings of a day that the overview shows. Those that are over give way to later ones. */
export function shownToday<Booking extends { readonly endTime: string }>(
  bookings: readonly Booking[],
  now: number,
  most: number,
): readonly Booking[] {
  const isOver = ({ endTime }: Booking) => Date.parse(endTime) <= now;
  const leftOut = new Set(bookings.filter(isOver).slice(0, Math.max(0, bookings.length - most)));
  return bookings.filter((one) => !leftOut.has(one)).slice(0, most);
}

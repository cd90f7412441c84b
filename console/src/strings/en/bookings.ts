/** The list of bookings. */
export const bookings = {
  intro: (zone: string) => `All bookings. Times are in ${zone}.`,
  lists: { upcoming: 'Upcoming', pending: 'Unconfirmed', past: 'Past', cancelled: 'Cancelled' },
  list: 'Show',
  staff: 'Staff',
  anyStaff: 'All staff',
  client: 'Client',
  columns: { when: 'Time', client: 'Client', service: 'Service', staff: 'Staff', price: 'Price', status: 'Status' },
  empty: {
    upcoming: 'No upcoming bookings',
    pending: 'No bookings are waiting for confirmation',
    past: 'No bookings in the last 90 days',
    cancelled: 'No cancelled bookings in the last 90 days',
  },
  emptyHint: 'Bookings from your website, the API and this console appear here.',
  filteredHint: 'Change or remove a filter.',
  toCalendar: 'Open calendar',
  morePages: 'No matches so far. Show more to continue the search.',
};

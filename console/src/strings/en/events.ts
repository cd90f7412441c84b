export const events = {
  about: 'What your webhooks can hear of. Each message is signed, carries an id of its own, and may come twice.',
  groups: {
    booking: 'Bookings',
    client: 'Clients',
    review: 'Reviews',
    payment: 'Payments',
    staff: 'Staff',
    service: 'Services',
    ping: 'Tests',
  },
  /** What each means, and when it comes. */
  names: {
    'booking.created': {
      name: 'A booking was made',
      when: 'As soon as a booking exists, wherever it was made: the website, the console, a CRM. It may still wait for your confirmation.',
    },
    'booking.confirmed': {
      name: 'A booking was confirmed',
      when: 'Right after it was made where bookings are confirmed automatically, otherwise when you confirm it.',
    },
    'booking.cancelled': {
      name: 'A booking was cancelled',
      when: 'Once, when you, the client or an integration cancels it. It says who, and why.',
    },
    'booking.completed': { name: 'A visit was completed', when: 'When you mark the visit as completed.' },
    'booking.no_show': { name: 'A client did not come', when: 'When you mark the booking as a no-show.' },
    'booking.rescheduled': {
      name: 'A booking was moved',
      when: 'When time or staff member change. The booking keeps its id, and the message says where it was before.',
    },
    'client.created': { name: 'A new client', when: 'With the first booking of somebody new, or when you add them.' },
    'client.updated': { name: 'A client changed', when: 'When name, phone or email change, or the client is erased.' },
    'review.created': { name: 'A new review', when: 'When a review of a completed visit is recorded.' },
    'payment.received': { name: 'A payment was received', when: 'When you record it.' },
    'payment.refunded': { name: 'A payment was refunded', when: 'With each refund, whole or in part.' },
    'staff.schedule_updated': {
      name: 'Working hours changed',
      when: 'When the weekly hours or the exceptions of a staff member change. Free times may be others now.',
    },
    'service.updated': {
      name: 'A service changed',
      when: 'When name, price, duration or staff change, or it is switched on or off.',
    },
    'service.deleted': { name: 'A service was deleted', when: 'When it can no longer be booked. Bookings of it stay.' },
    ping: { name: 'A test message', when: 'When you ask for one.' },
  },
  example: 'Example',
  search: 'Search events',
  none: 'No event is called like that.',
  trigger: 'Raise it in the sandbox',
  triggered: (event: string) => `${event} was raised. Look at the deliveries.`,
  subscribe: 'Create a webhook',
};

export const events = {
  intro: 'The events that webhooks can receive. Each message is signed and has its own ID. It may arrive twice.',
  groups: {
    booking: 'Bookings',
    client: 'Clients',
    review: 'Reviews',
    payment: 'Payments',
    staff: 'Staff',
    service: 'Services',
  },
  /** The meaning of each event, and when it is sent. */
  names: {
    'booking.created': {
      name: 'Booking created',
      when: 'When a booking is made online, in this console or through the API. It may still need your confirmation.',
    },
    'booking.confirmed': {
      name: 'Booking confirmed',
      when: 'When you confirm a booking, or immediately if bookings are confirmed automatically.',
    },
    'booking.cancelled': {
      name: 'Booking cancelled',
      when: 'When you, the client or an integration cancels a booking. It includes who cancelled and why.',
    },
    'booking.completed': { name: 'Booking completed', when: 'When you mark a booking as completed.' },
    'booking.no_show': { name: 'No-show', when: 'When you mark a booking as a no-show.' },
    'booking.rescheduled': {
      name: 'Booking moved',
      when: 'When the time or the staff member changes. The booking keeps its ID, and the message includes the old time.',
    },
    'client.created': { name: 'Client created', when: 'With the first booking of a new client, or when you add one.' },
    'client.updated': {
      name: 'Client updated',
      when: 'When the name, phone number or email changes, or the client is erased.',
    },
    'review.created': { name: 'Review created', when: 'When a completed booking is reviewed.' },
    'payment.received': { name: 'Payment received', when: 'When a payment is recorded.' },
    'payment.refunded': { name: 'Payment refunded', when: 'With each full or partial refund.' },
    'staff.schedule_updated': {
      name: 'Working hours changed',
      when: 'When the weekly hours or exceptions of a staff member change. Free times may change.',
    },
    'service.updated': {
      name: 'Service updated',
      when: 'When the name, price, duration or staff of a service changes, or it is paused or resumed.',
    },
    'service.deleted': {
      name: 'Service deleted',
      when: 'When a service can no longer be booked. Existing bookings stay.',
    },
  },
  example: 'Example',
  search: 'Search events',
  none: 'No matching events.',
  trigger: 'Send to the sandbox',
  triggered: (event: string) => `${event} was sent. See it in Deliveries.`,
};

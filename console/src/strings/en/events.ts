import type { eventExamples } from '../../api/generated/events.ts';

type Texts = Readonly<Record<keyof typeof eventExamples, string>>;

const names: Texts = {
  'booking.created': 'Booking created',
  'booking.confirmed': 'Booking confirmed',
  'booking.cancelled': 'Booking cancelled',
  'booking.completed': 'Booking completed',
  'booking.no_show': 'No-show',
  'booking.rescheduled': 'Booking moved',
  'client.created': 'Client created',
  'client.updated': 'Client updated',
  'review.created': 'Review created',
  'payment.received': 'Payment received',
  'payment.refunded': 'Payment refunded',
  'staff.schedule_updated': 'Working hours changed',
  'service.updated': 'Service updated',
  'service.deleted': 'Service deleted',
};

/** When each event is sent. */
const when: Texts = {
  'booking.created':
    'When a booking is made online, in this console or through the API. It may still need your confirmation.',
  'booking.confirmed': 'When you confirm a booking, or immediately if bookings are confirmed automatically.',
  'booking.cancelled':
    'When you, the client or an integration cancels a booking. The message includes by whom and why.',
  'booking.completed': 'When you mark a booking as completed.',
  'booking.no_show': 'When you mark a booking as a no-show.',
  'booking.rescheduled':
    'When the time or the staff member changes. The booking keeps its ID, and the message includes the old time.',
  'client.created': 'With the first booking of a new client, or when you add one.',
  'client.updated': 'When the data of a client changes, or the client is erased.',
  'review.created': 'When a completed booking is reviewed.',
  'payment.received': 'When a payment is recorded.',
  'payment.refunded': 'With each full or partial refund.',
  'staff.schedule_updated': 'When the weekly hours or exceptions of a staff member change. Free times may change.',
  'service.updated': 'When a service or its staff changes, or it is paused or resumed.',
  'service.deleted': 'When a service is deleted. Existing bookings stay.',
};

export const events = {
  intro: 'The events that webhooks can receive. Each message is signed, has its own ID, and may arrive twice.',
  names,
  when,
  example: 'Example',
  search: 'Search events',
  none: 'No matching events.',
  trigger: 'Trigger in the sandbox',
  triggered: (event: string) => `${event} was triggered. If a webhook receives this event, see Deliveries.`,
};

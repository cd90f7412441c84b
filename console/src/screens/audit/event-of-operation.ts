import type { EventName } from '../events/event-names.ts';

/** The events whose names the audit log shows for the operations that raise them. */
export const eventOfOperation: Readonly<Record<string, EventName>> = {
  'PATCH /services/:id': 'service.updated',
  'DELETE /services/:id': 'service.deleted',
  'PATCH /staff/:id/schedule': 'staff.schedule_updated',
  'POST /clients': 'client.created',
  'PATCH /clients/:id': 'client.updated',
  'POST /bookings': 'booking.created',
  'POST /bookings/:id/confirm': 'booking.confirmed',
  'POST /bookings/:id/cancel': 'booking.cancelled',
  'POST /bookings/:id/complete': 'booking.completed',
  'POST /bookings/:id/no-show': 'booking.no_show',
  'POST /bookings/:id/reschedule': 'booking.rescheduled',
  'POST /reviews': 'review.created',
  'POST /payments': 'payment.received',
  'POST /payments/:id/refunds': 'payment.refunded',
};

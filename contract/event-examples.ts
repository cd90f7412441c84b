/** An example of each event's `data`, shown in the documents, and sent by a ping that names the event. */
import type { EventName } from './event-names.ts';
import { apiVersion, type EventData } from './events.ts';

const bookingExample: Omit<EventData<'booking.confirmed'>, 'confirmedBy'> = {
  bookingId: 372418265088001,
  status: 'confirmed',
  serviceName: 'Haircut',
  staffName: 'Anna',
  startTime: '2026-12-01T10:00:00+02:00',
  serviceId: 372418265088101,
  staffId: 372418265088201,
  clientId: 372418265088301,
  endTime: '2026-12-01T10:45:00+02:00',
  segments: [
    {
      serviceId: 372418265088101,
      serviceName: 'Haircut',
      staffId: 372418265088201,
      staffName: 'Anna',
      startTime: '2026-12-01T10:00:00+02:00',
      endTime: '2026-12-01T10:45:00+02:00',
      resourceId: null,
      resourceName: null,
    },
  ],
  timeZone: 'Europe/Riga',
  places: 1,
  externalId: 'crm-1042',
  metadata: { campaign: 'autumn' },
  revision: 1,
};

const clientExample = {
  clientId: 372418265088301,
  name: 'Jane Doe',
  phone: '+37120000000',
  email: 'jane@example.com',
  createdAt: '2026-11-24T08:30:00.000Z',
  revision: 1,
};

export const eventExamples: { readonly [N in EventName]: EventData<N> } = {
  'booking.created': { ...bookingExample, source: 'integration', price: { amount: 4500, currency: 'EUR' } },
  'booking.confirmed': { ...bookingExample, confirmedBy: 'automatic' },
  'booking.cancelled': {
    ...bookingExample,
    status: 'cancelled',
    revision: 2,
    cancelledBy: 'integration',
    reason: 'Client is ill',
    cancelledAt: '2026-11-28T09:15:00.000Z',
  },
  'booking.completed': { ...bookingExample, status: 'completed', revision: 2, completedAt: '2026-12-01T08:45:00.000Z' },
  'booking.no_show': { ...bookingExample, status: 'no_show', revision: 2, markedAt: '2026-12-01T08:30:00.000Z' },
  'booking.rescheduled': {
    ...bookingExample,
    revision: 2,
    previousStartTime: '2026-11-30T10:00:00+02:00',
    previousEndTime: '2026-11-30T10:45:00+02:00',
    previousStaffId: 372418265088201,
    previousStaffIds: [372418265088201],
    rescheduledBy: 'integration',
  },
  'client.created': clientExample,
  'client.updated': {
    ...clientExample,
    changedFields: ['phone'],
    updatedAt: '2026-11-25T10:00:00.000Z',
    erased: false,
    revision: 2,
  },
  'review.created': {
    reviewId: 372418265088401,
    bookingId: 372418265088001,
    clientId: 372418265088301,
    staffId: 372418265088201,
    serviceId: 372418265088101,
    rating: 5,
    text: 'Great as always',
    createdAt: '2026-12-02T18:00:00.000Z',
  },
  'payment.received': {
    paymentId: 372418265088501,
    bookingId: 372418265088001,
    clientId: 372418265088301,
    amount: 4500,
    currency: 'EUR',
    method: 'card',
    receivedAt: '2026-12-01T08:50:00.000Z',
  },
  'payment.refunded': {
    refundId: 372418265088601,
    paymentId: 372418265088501,
    bookingId: 372418265088001,
    amount: 1500,
    currency: 'EUR',
    reason: 'Shortened visit',
    partial: true,
    refundedAt: '2026-12-03T12:00:00.000Z',
  },
  'staff.schedule_updated': {
    staffId: 372418265088201,
    staffName: 'Anna',
    from: '2026-12-24',
    to: '2026-12-26',
    updatedAt: '2026-11-24T08:30:00.000Z',
  },
  'service.updated': {
    serviceId: 372418265088101,
    name: 'Haircut',
    durationMinutes: 45,
    price: { amount: 4500, currency: 'EUR' },
    active: true,
    changedFields: ['price'],
    updatedAt: '2026-11-24T08:30:00.000Z',
  },
  'service.deleted': { serviceId: 372418265088101, name: 'Haircut', deletedAt: '2026-11-24T08:30:00.000Z' },
};

/** A message of an event, as documents show it. */
export function exampleMessage(name: EventName) {
  return {
    id: 'dlv_0a1b2c3d4e5f',
    eventId: 373_807_385_888_357,
    event: name,
    timestamp: '2026-11-24T08:30:00.000Z',
    apiVersion,
    data: eventExamples[name],
  };
}

/** What generators make of the document: an integration that compiles under `strict` without a cast. */
import { expect, test } from 'vitest';
import type {
  Booking,
  BookingCreate,
  CreateBookingErrors,
  ListBookingsResponse,
  WebhookEvent,
} from '../../client/src/generated/types.ts';

type Answer<Good, Bad> = { readonly ok: true; readonly body: Good } | { readonly ok: false; readonly body: Bad };

/** Lists, books, and when the time is taken returns what is free. It uses only what the types declare. */
async function bookUnlessBooked(
  list: () => Promise<ListBookingsResponse>,
  create: (body: BookingCreate) => Promise<Answer<Booking, CreateBookingErrors[409]>>,
  wanted: BookingCreate,
): Promise<string> {
  const { data } = await list();
  const own = data.find(({ externalId, status }) => externalId === wanted.externalId && status !== 'cancelled');
  if (own) return `${own.startTime} for ${own.price.amount} ${own.price.currency}`;
  const answer = await create(wanted);
  if (answer.ok) return answer.body.startTime;
  switch (answer.body.code) {
    case 'slot_unavailable':
      return answer.body.details.nextAvailable.join();
    case 'hold_expired':
    case 'contact_limit_reached':
    case 'idempotency_in_progress':
      return answer.body.message;
  }
}

function summaryOf(message: WebhookEvent): string {
  switch (message.event) {
    case 'booking.rescheduled':
      return `${message.data.serviceName}: ${message.data.previousStartTime} to ${message.data.startTime}`;
    case 'client.updated':
      return message.data.changedFields.join();
    case 'payment.refunded':
      return `${message.data.amount / 100} ${message.data.currency}${message.data.partial ? ', in part' : ''}`;
    default:
      return message.id;
  }
}

const wanted: BookingCreate = { serviceId: 1, startTime: '2026-12-01T10:00:00Z', clientId: 2 };

test('The generated TypeScript type of a slot conflict contains the next free start times', async () => {
  const conflict: CreateBookingErrors[409] = {
    statusCode: 409,
    error: 'Conflict',
    message: 'The requested time is not available.',
    code: 'slot_unavailable',
    details: { nextAvailable: ['2026-12-02T11:00:00+02:00', '2026-12-09T10:00:00+02:00'] },
    requestId: '7d8f0c52-4b7e-4c4a-9f2a-6f1f5c3e9a10',
  };
  const found = await bookUnlessBooked(
    async () => ({ data: [], nextCursor: null }),
    async () => ({ ok: false, body: conflict }),
    wanted,
  );
  expect(found).toBe('2026-12-02T11:00:00+02:00,2026-12-09T10:00:00+02:00');
});

test('The generated TypeScript type of each event has the data of that event', () => {
  const envelope = { id: 'dlv_1', eventId: 7, timestamp: '2026-12-01T10:00:00.000Z', apiVersion: '1.0' } as const;
  const client = { clientId: 1, name: 'Jane', phone: null, email: null, createdAt: envelope.timestamp, revision: 2 };
  const data = { ...client, changedFields: ['phone', 'name'], updatedAt: envelope.timestamp, erased: false };
  expect(summaryOf({ ...envelope, event: 'client.updated', data })).toBe('phone,name');
});

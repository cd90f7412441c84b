/** The fourteen events (specification §6.1, decisions §7): name, meaning, schema of `data`, example. */
import * as z from 'zod/mini';
import { id, instant, money, shape } from './fields.ts';
import { bookingStatuses } from './resources.ts';

/** The version label of the message format; a minor version only adds (decisions §7). */
export const apiVersion = '1.0';

interface EventRow {
  readonly description: string;
  readonly data: z.core.$ZodType;
  readonly example: Record<string, unknown>;
}

const text = shape(() => z.string());
const optionalText = shape(() => z.nullable(text));

function eventRows<const Rows extends Record<string, EventRow>>(build: () => Rows): Rows {
  return build();
}

/** What every `booking.*` event carries: the five fields of section 6.3 and those of decisions §7. */
const bookingShape = shape(() => ({
  bookingId: id(),
  status: z.enum(bookingStatuses),
  serviceName: text,
  staffName: text,
  startTime: instant(),
  serviceId: id(),
  staffId: id(),
  clientId: id(),
  endTime: instant(),
  timeZone: text,
  externalId: optionalText,
}));

const bookingExample = {
  bookingId: 372418265088001,
  status: 'confirmed',
  serviceName: 'Haircut',
  staffName: 'Anna',
  startTime: '2026-12-01T10:00:00+02:00',
  serviceId: 372418265088101,
  staffId: 372418265088201,
  clientId: 372418265088301,
  endTime: '2026-12-01T10:45:00+02:00',
  timeZone: 'Europe/Riga',
  externalId: 'crm-1042',
};

const clientShape = shape(() => ({
  clientId: id(),
  name: text,
  phone: optionalText,
  email: optionalText,
  createdAt: instant(),
}));

const clientExample = {
  clientId: 372418265088301,
  name: 'Jane Doe',
  phone: '+37120000000',
  email: 'jane@example.com',
  createdAt: '2026-11-24T08:30:00.000Z',
};

export const events = eventRows(() => ({
  'booking.created': {
    description: 'A client created a new booking',
    data: z.strictObject({ ...bookingShape, source: z.enum(['integration', 'account']), price: money() }),
    example: { ...bookingExample, source: 'integration', price: { amount: 4500, currency: 'EUR' } },
  },
  'booking.confirmed': {
    description: 'A booking was confirmed',
    data: z.strictObject({ ...bookingShape, confirmedBy: z.enum(['staff', 'automatic']) }),
    example: { ...bookingExample, confirmedBy: 'automatic' },
  },
  'booking.cancelled': {
    description: 'A booking was cancelled',
    data: z.strictObject({
      ...bookingShape,
      cancelledBy: z.enum(['client', 'staff', 'integration']),
      reason: optionalText,
      cancelledAt: instant(),
    }),
    example: {
      ...bookingExample,
      status: 'cancelled',
      cancelledBy: 'integration',
      reason: 'Client is ill',
      cancelledAt: '2026-11-28T09:15:00.000Z',
    },
  },
  'booking.completed': {
    description: 'A visit was completed',
    data: z.strictObject({ ...bookingShape, completedAt: instant() }),
    example: { ...bookingExample, status: 'completed', completedAt: '2026-12-01T08:45:00.000Z' },
  },
  'booking.no_show': {
    description: 'The client did not appear',
    data: z.strictObject({ ...bookingShape, markedAt: instant() }),
    example: { ...bookingExample, status: 'no_show', markedAt: '2026-12-01T08:30:00.000Z' },
  },
  'booking.rescheduled': {
    description: 'A booking was moved to another time',
    data: z.strictObject({
      ...bookingShape,
      previousStartTime: instant(),
      previousEndTime: instant(),
      previousStaffId: id(),
      rescheduledBy: z.enum(['client', 'staff', 'integration']),
    }),
    example: {
      ...bookingExample,
      previousStartTime: '2026-11-30T10:00:00+02:00',
      previousEndTime: '2026-11-30T10:45:00+02:00',
      previousStaffId: 372418265088201,
      rescheduledBy: 'integration',
    },
  },
  'client.created': {
    description: 'A new client appeared',
    data: z.strictObject(clientShape),
    example: clientExample,
  },
  'client.updated': {
    description: 'Client data changed',
    data: z.strictObject({ ...clientShape, changedFields: z.array(text), updatedAt: instant() }),
    example: { ...clientExample, changedFields: ['phone'], updatedAt: '2026-11-25T10:00:00.000Z' },
  },
  'review.created': {
    description: 'A client left a review',
    data: z.strictObject({
      reviewId: id(),
      bookingId: id(),
      clientId: id(),
      staffId: id(),
      serviceId: id(),
      rating: z.int().check(z.minimum(1), z.maximum(5)),
      text,
      createdAt: instant(),
    }),
    example: {
      reviewId: 372418265088401,
      bookingId: 372418265088001,
      clientId: 372418265088301,
      staffId: 372418265088201,
      serviceId: 372418265088101,
      rating: 5,
      text: 'Great as always',
      createdAt: '2026-12-02T18:00:00.000Z',
    },
  },
  'payment.received': {
    description: 'A payment was received',
    data: z.strictObject({
      paymentId: id(),
      bookingId: z.nullable(id()),
      clientId: z.nullable(id()),
      amount: z.int(),
      currency: text,
      method: text,
      receivedAt: instant(),
    }),
    example: {
      paymentId: 372418265088501,
      bookingId: 372418265088001,
      clientId: 372418265088301,
      amount: 4500,
      currency: 'EUR',
      method: 'card',
      receivedAt: '2026-12-01T08:50:00.000Z',
    },
  },
  'payment.refunded': {
    description: 'A refund was made',
    data: z.strictObject({
      refundId: id(),
      paymentId: id(),
      bookingId: z.nullable(id()),
      amount: z.int(),
      currency: text,
      reason: optionalText,
      partial: z.boolean(),
      refundedAt: instant(),
    }),
    example: {
      refundId: 372418265088601,
      paymentId: 372418265088501,
      bookingId: 372418265088001,
      amount: 1500,
      currency: 'EUR',
      reason: 'Shortened visit',
      partial: true,
      refundedAt: '2026-12-03T12:00:00.000Z',
    },
  },
  'staff.schedule_updated': {
    description: "A staff member's schedule changed",
    data: z.strictObject({
      staffId: id(),
      staffName: text,
      from: z.nullable(text),
      to: z.nullable(text),
      updatedAt: instant(),
    }),
    example: {
      staffId: 372418265088201,
      staffName: 'Anna',
      from: '2026-12-24',
      to: '2026-12-26',
      updatedAt: '2026-11-24T08:30:00.000Z',
    },
  },
  'service.updated': {
    description: 'A service was updated',
    data: z.strictObject({
      serviceId: id(),
      name: text,
      durationMinutes: z.int(),
      price: money(),
      active: z.boolean(),
      changedFields: z.array(text),
      updatedAt: instant(),
    }),
    example: {
      serviceId: 372418265088101,
      name: 'Haircut',
      durationMinutes: 45,
      price: { amount: 4500, currency: 'EUR' },
      active: true,
      changedFields: ['price'],
      updatedAt: '2026-11-24T08:30:00.000Z',
    },
  },
  'service.deleted': {
    description: 'A service was deleted',
    data: z.strictObject({ serviceId: id(), name: text, deletedAt: instant() }),
    example: { serviceId: 372418265088101, name: 'Haircut', deletedAt: '2026-11-24T08:30:00.000Z' },
  },
}));

export type EventName = keyof typeof events;
export type EventData<N extends EventName> = z.infer<(typeof events)[N]['data']>;

export const eventNames = Object.keys(events) as [EventName, ...EventName[]];

/** The body sent to a receiver (section 2.4). `ping` uses the same envelope and cannot be subscribed to. */
export function eventMessage<T extends z.core.$ZodType>(name: string, data: T) {
  return z.strictObject({
    id: z.string(),
    event: z.literal(name),
    timestamp: instant(),
    apiVersion: z.literal(apiVersion),
    data,
  });
}

/**
 * What we send may gain fields at any time (decisions §7, §9), and a receiver who validates against a published schema must
 * not break on that. So the schema lists the fields without forbidding others. We send exactly what it lists.
 */
export function leaveOpen(jsonSchema: { additionalProperties?: unknown }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

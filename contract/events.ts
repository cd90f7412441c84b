/** The events (docs/rules.md#events, #event-data): name, meaning, schema of `data`, example. */
import * as z from 'zod/mini';
import { eventExamples } from './event-examples.ts';
import type { EventName } from './event-names.ts';
import { id, instant, metadataOf, money, shape } from './fields.ts';
import { bookingActor, bookingSource, bookingStatus, segment } from './integration/resources.ts';

export { type EventName, eventNames } from './event-names.ts';

/** The version label of the message format; a minor version only adds (docs/rules.md#events). */
export const apiVersion = '1.0';

interface EventRow {
  readonly description: string;
  readonly data: z.ZodMiniType;
  readonly example: Record<string, unknown>;
}

function eventRows<const Rows extends Record<EventName, EventRow>>(build: () => Rows): Rows {
  return build();
}

/** Orders the events of one booking or client, which `timestamp` does not guarantee. */
const revision = () =>
  z
    .int()
    .check(z.positive(), z.describe('Revision after the change. Of two events of one subject the higher is newer.'));

/** The fields of every `booking.*` event (docs/rules.md#event-data). */
export const bookingEventData = shape(() =>
  z
    .strictObject({
      bookingId: id().check(z.describe('Id of the booking.')),
      status: bookingStatus.check(z.describe('State of the booking when the event happened.')),
      serviceName: z.string().check(z.describe('Name of the booked service: of a visit, the first one.')),
      staffName: z.string().check(z.describe('Name of the staff member: of a visit, that of the first service.')),
      startTime: instant().check(z.describe('Start with the offset of `timeZone`.')),
      serviceId: id().check(z.describe('Id of that service.')),
      staffId: id().check(z.describe('Id of that staff member.')),
      clientId: id().check(
        z.describe('Id of the client. The booking has the name and contacts that it was made with.'),
      ),
      endTime: instant().check(z.describe('End of the whole, with the offset of `timeZone`.')),
      segments: z
        .array(segment)
        .check(z.describe('What the booking is made of, in order: one service, or those of a visit.')),
      timeZone: z.string().check(z.describe('IANA time zone of the business.')),
      externalId: z.nullable(z.string()).check(z.describe('Your own reference, as given with the booking.')),
      places: z.int().check(z.positive(), z.describe('Places that the booking has.')),
      metadata: z
        .optional(metadataOf())
        .check(z.describe('Strings of your own. Only to webhooks of keys with `bookings:read`.')),
      revision: revision(),
    })
    .check(z.describe('What every `booking.*` event tells.')),
);

export const clientEventData = shape(() =>
  z
    .strictObject({
      clientId: id().check(z.describe('Id of the client.')),
      name: z.string().check(z.describe('Name of the client.')),
      phone: z.nullable(z.string()).check(z.describe('Phone of the client.')),
      email: z.nullable(z.string()).check(z.describe('Email address of the client.')),
      createdAt: instant().check(z.describe('When the client first appeared, UTC.')),
      revision: revision(),
    })
    .check(z.describe('What every `client.*` event tells.')),
);

export const events = eventRows(() => ({
  'booking.created': {
    description: 'A client created a new booking',
    data: z.strictObject({
      ...bookingEventData.shape,
      source: bookingSource.check(z.describe('Where the booking was made.')),
      price: money.check(z.describe('Price when the booking was made.')),
    }),
    example: eventExamples['booking.created'],
  },
  'booking.confirmed': {
    description: 'A booking was confirmed',
    data: z.strictObject({
      ...bookingEventData.shape,
      confirmedBy: z
        .enum(['staff', 'automatic'])
        .check(z.describe('`automatic` when the business confirms every booking at once.')),
    }),
    example: eventExamples['booking.confirmed'],
  },
  'booking.cancelled': {
    description: 'A booking was cancelled',
    data: z.strictObject({
      ...bookingEventData.shape,
      cancelledBy: bookingActor.check(z.describe('Who cancelled.')),
      reason: z.nullable(z.string()).check(z.describe('Reason given with the cancellation.')),
      cancelledAt: instant().check(z.describe('When it was cancelled, UTC.')),
    }),
    example: eventExamples['booking.cancelled'],
  },
  'booking.completed': {
    description: 'A booking was completed',
    data: z.strictObject({
      ...bookingEventData.shape,
      completedAt: instant().check(z.describe('When the booking was marked completed, UTC.')),
    }),
    example: eventExamples['booking.completed'],
  },
  'booking.no_show': {
    description: 'The client did not appear',
    data: z.strictObject({
      ...bookingEventData.shape,
      markedAt: instant().check(z.describe('When the booking was marked, UTC.')),
    }),
    example: eventExamples['booking.no_show'],
  },
  'booking.rescheduled': {
    description: 'A booking was moved to another time',
    data: z.strictObject({
      ...bookingEventData.shape,
      previousStartTime: instant().check(z.describe('Start before the move.')),
      previousEndTime: instant().check(z.describe('End before the move.')),
      previousStaffId: id().check(z.describe('Id of the staff member before the move.')),
      rescheduledBy: bookingActor.check(z.describe('Who moved it.')),
    }),
    example: eventExamples['booking.rescheduled'],
  },
  'client.created': {
    description: 'A new client appeared',
    data: z.strictObject(clientEventData.shape),
    example: eventExamples['client.created'],
  },
  'client.updated': {
    description: 'Client data changed',
    data: z.strictObject({
      ...clientEventData.shape,
      changedFields: z.array(z.string()).check(z.describe('Names of the fields that changed.')),
      updatedAt: instant().check(z.describe('When they changed, UTC.')),
      erased: z.boolean().check(z.describe('Whether the client was erased: delete what you keep of the person.')),
    }),
    example: eventExamples['client.updated'],
  },
  'review.created': {
    description: 'A client left a review',
    data: z.strictObject({
      reviewId: id().check(z.describe('Id of the review.')),
      bookingId: id().check(z.describe('Id of the completed booking.')),
      clientId: id().check(z.describe('Id of the client.')),
      staffId: id().check(z.describe('Id of the staff member.')),
      serviceId: id().check(z.describe('Id of the service.')),
      rating: z.int().check(z.minimum(1), z.maximum(5), z.describe('1 (worst) to 5 (best).')),
      text: z.string().check(z.describe('What the client wrote; may be empty.')),
      createdAt: instant().check(z.describe('When the review was left, UTC.')),
    }),
    example: eventExamples['review.created'],
  },
  'payment.received': {
    description: 'A payment was received',
    data: z.strictObject({
      paymentId: id().check(z.describe('Id of the payment.')),
      bookingId: z.nullable(id()).check(z.describe('Id of the booking paid for.')),
      clientId: z.nullable(id()).check(z.describe('Id of the client who paid.')),
      amount: z.int().check(z.describe('Amount in minor units of `currency`.')),
      currency: z.string().check(z.describe('ISO 4217 code.')),
      method: z.string().check(z.describe('How it was paid, such as `card`.')),
      receivedAt: instant().check(z.describe('When the money was received, UTC.')),
    }),
    example: eventExamples['payment.received'],
  },
  'payment.refunded': {
    description: 'A refund was made',
    data: z.strictObject({
      refundId: id().check(z.describe('Id of the refund.')),
      paymentId: id().check(z.describe('Id of the payment.')),
      bookingId: z.nullable(id()).check(z.describe('Id of the booking that was paid for.')),
      amount: z.int().check(z.describe('Amount in minor units of `currency`.')),
      currency: z.string().check(z.describe('ISO 4217 code.')),
      reason: z.nullable(z.string()).check(z.describe('Why it was refunded.')),
      partial: z.boolean().check(z.describe('Whether a part of the payment is left.')),
      refundedAt: instant().check(z.describe('When the refund was made, UTC.')),
    }),
    example: eventExamples['payment.refunded'],
  },
  'staff.schedule_updated': {
    description: "A staff member's schedule changed",
    data: z.strictObject({
      staffId: id().check(z.describe('Id of the staff member.')),
      staffName: z.string().check(z.describe('Name of the staff member.')),
      from: z
        .nullable(z.string())
        .check(z.describe('First date that changed, `YYYY-MM-DD`; null: the weekly hours changed.')),
      to: z
        .nullable(z.string())
        .check(z.describe('Last date that changed, `YYYY-MM-DD`; null: the weekly hours changed.')),
      updatedAt: instant().check(z.describe('When it changed, UTC.')),
    }),
    example: eventExamples['staff.schedule_updated'],
  },
  'service.updated': {
    description: 'A service was updated',
    data: z.strictObject({
      serviceId: id().check(z.describe('Id of the service.')),
      name: z.string().check(z.describe('Name of the service.')),
      durationMinutes: z.int().check(z.describe('Length of an appointment in minutes, buffers not included.')),
      price: money.check(z.describe('Price of one appointment.')),
      active: z.boolean().check(z.describe('Whether the service can be booked.')),
      changedFields: z.array(z.string()).check(z.describe('Names of the fields that changed.')),
      updatedAt: instant().check(z.describe('When they changed, UTC.')),
    }),
    example: eventExamples['service.updated'],
  },
  'service.deleted': {
    description: 'A service was deleted',
    data: z.strictObject({
      serviceId: id().check(z.describe('Id of the service.')),
      name: z.string().check(z.describe('Name the service had.')),
      deletedAt: instant().check(z.describe('When it was deleted, UTC.')),
    }),
    example: eventExamples['service.deleted'],
  },
}));

/** The fields of a `ping` that is not an example of an event. */
export const pingData = shape(() =>
  z
    .strictObject({
      webhookId: id().check(z.describe('Id of the webhook.')),
      message: z.string().check(z.describe('That nothing has happened, for people.')),
    })
    .check(z.describe('What a ping tells.')),
);

export type EventData<N extends EventName> = z.infer<(typeof events)[N]['data']>;

/** The body sent to a receiver (docs/rules.md#messages). `ping` uses the same envelope and cannot be subscribed to. */
export function eventMessage<T extends z.ZodMiniType>(name: string, data: T) {
  return z.strictObject({
    id: z.string().check(z.describe('Id of the message, the same in every attempt. Deduplicate on it.')),
    eventId: id().check(z.describe('Id of the event, the same for all webhooks that receive it.')),
    event: z.literal(name).check(z.describe('Name of the event.')),
    timestamp: instant().check(z.describe('When the event happened, UTC.')),
    apiVersion: z.literal(apiVersion).check(z.describe('Version of the message format.')),
    test: z.optional(z.literal(true)).check(z.describe('Only in what `ping` sends: nothing has happened.')),
    data: data.check(z.describe('What happened.')),
  });
}

interface Publishable {
  type?: unknown;
  const?: unknown;
  enum?: unknown;
  additionalProperties?: unknown;
  format?: unknown;
  pattern?: unknown;
  minimum?: unknown;
  maximum?: unknown;
}

const int32Max = 2 ** 31 - 1;

/**
 * Removes from a JSON Schema what zod adds and no reader needs, and adds what generators of other languages need: the
 * size of each integer, and `enum` for a single value, because older ones do not support `const`.
 */
export function tidy(jsonSchema: Publishable): void {
  if (jsonSchema.type === 'integer') {
    const { minimum, maximum } = jsonSchema as { minimum?: number; maximum?: number };
    jsonSchema.format = Math.max(maximum ?? Infinity, -(minimum ?? 0)) <= int32Max ? 'int32' : 'int64';
  }
  if (jsonSchema.const !== undefined) {
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
  // A pattern beside a format repeats it at length.
  if (jsonSchema.format) delete jsonSchema.pattern;
  // The maximum of safe integers applies to every integer, so it is not information.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/**
 * Messages may gain fields at any time (docs/rules.md#versioning), and a receiver that validates with a published
 * schema must not break. So the schema lists the fields without forbidding others. We send exactly those listed.
 */
export function published(jsonSchema: Publishable): void {
  tidy(jsonSchema);
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** The events (docs/rules.md#events, #event-data): name, meaning, schema of `data`. */
import * as z from 'zod/mini';
import type { EventName } from './event-names.ts';
import { field, id, instant, metadataOf, money, object } from './fields.ts';
import { bookingActor, bookingSource, bookingStatus, segment } from './integration/resources.ts';

export { type EventName, eventNames } from './event-names.ts';

/** The version label of the message format; a minor version only adds (docs/rules.md#events). */
export const apiVersion = '1.0';

interface EventRow {
  readonly description: string;
  readonly data: z.ZodMiniType;
}

/** Orders the events of one booking or client, which `timestamp` does not guarantee. */
const revision = () =>
  field(
    'Revision after the change. Of two events about one booking or client, the one with the higher revision is newer.',
    z.int().check(z.positive()),
  );

/** The fields of every `booking.*` event (docs/rules.md#event-data). */
export const bookingEventData = object('Fields of every `booking.*` event.', {
  bookingId: field('Id of the booking.', id()),
  status: field('State of the booking when the event happened.', bookingStatus),
  serviceName: field('Name of the booked service, or of the first of several.', z.string()),
  staffName: field('Name of the staff member, or of the one who performs the first of several services.', z.string()),
  startTime: field('Start with the offset of `timeZone`.', instant()),
  serviceId: field('Id of the service in `serviceName`.', id()),
  staffId: field('Id of the staff member in `staffName`.', id()),
  clientId: field('Id of the client. Read the name and contacts from the booking.', id()),
  endTime: field('End of the last service, with the offset of `timeZone`.', instant()),
  segments: field('The services of the booking, one or several, in order.', z.array(segment)),
  timeZone: field('IANA time zone of the business.', z.string()),
  externalId: field('Your own reference, as given with the booking.', z.nullable(z.string())),
  places: field('Number of places that the booking takes.', z.int().check(z.positive())),
  metadata: field(
    'Strings of your own. Only in messages to webhooks of keys with `bookings:read`.',
    z.optional(metadataOf()),
  ),
  revision: revision(),
});

export const clientEventData = object('Fields of every `client.*` event.', {
  clientId: field('Id of the client.', id()),
  name: field('Name of the client.', z.string()),
  phone: field('Phone of the client.', z.nullable(z.string())),
  email: field('Email address of the client.', z.nullable(z.string())),
  createdAt: field('When the client was created, UTC.', instant()),
  revision: revision(),
});

export const events = {
  'booking.created': {
    description: 'A client created a new booking',
    data: z.strictObject({
      ...bookingEventData.shape,
      source: field('Where the booking was made.', bookingSource),
      price: field('Price when the booking was made.', money),
    }),
  },
  'booking.confirmed': {
    description: 'A booking was confirmed',
    data: z.strictObject({
      ...bookingEventData.shape,
      confirmedBy: field(
        '`automatic` when the business confirms every booking at once.',
        z.enum(['staff', 'automatic']),
      ),
    }),
  },
  'booking.cancelled': {
    description: 'A booking was cancelled',
    data: z.strictObject({
      ...bookingEventData.shape,
      cancelledBy: field('Who cancelled.', bookingActor),
      reason: field('Reason given with the cancellation.', z.nullable(z.string())),
      cancelledAt: field('When the booking was cancelled, UTC.', instant()),
    }),
  },
  'booking.completed': {
    description: 'A booking was completed',
    data: z.strictObject({
      ...bookingEventData.shape,
      completedAt: field('When the booking was marked completed, UTC.', instant()),
    }),
  },
  'booking.no_show': {
    description: 'The client did not appear',
    data: z.strictObject({
      ...bookingEventData.shape,
      markedAt: field('When the booking was marked as a no-show, UTC.', instant()),
    }),
  },
  'booking.rescheduled': {
    description: 'A booking was moved to another time',
    data: z.strictObject({
      ...bookingEventData.shape,
      previousStartTime: field('Start before the move.', instant()),
      previousEndTime: field('End before the move.', instant()),
      previousStaffId: field('Id of the staff member before the move.', id()),
      previousStaffIds: field('Ids of all staff members before the move, one for each of `segments`.', z.array(id())),
      rescheduledBy: field('Who moved the booking.', bookingActor),
    }),
  },
  'client.created': { description: 'A client was created', data: z.strictObject(clientEventData.shape) },
  'client.updated': {
    description: 'Client data changed',
    data: z.strictObject({
      ...clientEventData.shape,
      changedFields: field('Names of the fields that changed.', z.array(z.string())),
      updatedAt: field('When the fields changed, UTC.', instant()),
      erased: field('`true`: the client was erased. Delete your data of this client.', z.boolean()),
    }),
  },
  'review.created': {
    description: 'A client left a review',
    data: z.strictObject({
      reviewId: field('Id of the review.', id()),
      bookingId: field('Id of the completed booking.', id()),
      clientId: field('Id of the client.', id()),
      staffId: field('Id of the staff member.', id()),
      serviceId: field('Id of the service.', id()),
      rating: field('1 (worst) to 5 (best).', z.int().check(z.minimum(1), z.maximum(5))),
      text: field('What the client wrote; may be empty.', z.string()),
      createdAt: field('When the review was left, UTC.', instant()),
    }),
  },
  'payment.received': {
    description: 'A payment was received',
    data: z.strictObject({
      paymentId: field('Id of the payment.', id()),
      bookingId: field('Id of the booking paid for.', z.nullable(id())),
      clientId: field('Id of the client who paid.', z.nullable(id())),
      amount: field('Amount in minor units of `currency`.', z.int()),
      currency: field('ISO 4217 code.', z.string()),
      method: field('How the money was paid, such as `card`.', z.string()),
      receivedAt: field('When the money was received, UTC.', instant()),
    }),
  },
  'payment.refunded': {
    description: 'A refund was made',
    data: z.strictObject({
      refundId: field('Id of the refund.', id()),
      paymentId: field('Id of the payment.', id()),
      bookingId: field('Id of the booking that was paid for.', z.nullable(id())),
      amount: field('Amount in minor units of `currency`.', z.int()),
      currency: field('ISO 4217 code.', z.string()),
      reason: field('Why the payment was refunded.', z.nullable(z.string())),
      partial: field('Whether this refund is less than the payment.', z.boolean()),
      refundedAt: field('When the refund was made, UTC.', instant()),
    }),
  },
  'staff.schedule_updated': {
    description: "A staff member's schedule changed",
    data: z.strictObject({
      staffId: field('Id of the staff member.', id()),
      staffName: field('Name of the staff member.', z.string()),
      from: field('First date that changed, `YYYY-MM-DD`; null: the weekly hours changed.', z.nullable(z.string())),
      to: field('Last date that changed, `YYYY-MM-DD`; null: the weekly hours changed.', z.nullable(z.string())),
      updatedAt: field('When the schedule changed, UTC.', instant()),
    }),
  },
  'service.updated': {
    description: 'A service was updated',
    data: z.strictObject({
      serviceId: field('Id of the service.', id()),
      name: field('Name of the service.', z.string()),
      durationMinutes: field('Length of an appointment in minutes, buffers not included.', z.int()),
      price: field('Price of one appointment.', money),
      active: field('Whether the service can be booked.', z.boolean()),
      changedFields: field('Names of the fields that changed.', z.array(z.string())),
      updatedAt: field('When the fields changed, UTC.', instant()),
    }),
  },
  'service.deleted': {
    description: 'A service was deleted',
    data: z.strictObject({
      serviceId: field('Id of the service.', id()),
      name: field('Name of the deleted service.', z.string()),
      deletedAt: field('When the service was deleted, UTC.', instant()),
    }),
  },
} as const satisfies Record<EventName, EventRow>;

/** The fields of a `ping` that is not an example of an event. */
export const pingData = object('Data of a ping without an example.', {
  webhookId: field('Id of the webhook.', id()),
  message: field('A text for people: this is only a test.', z.string()),
});

export type EventData<N extends EventName> = z.infer<(typeof events)[N]['data']>;

/** The body sent to a receiver (docs/rules.md#messages). `ping` uses the same envelope and cannot be subscribed to. */
export function eventMessage<T extends z.ZodMiniType>(name: string, data: T) {
  return z.strictObject({
    id: field('Id of the message, the same in every attempt. Use this id to recognise duplicates.', z.string()),
    eventId: field('Id of the event, the same for all webhooks that receive it.', id()),
    event: field('Name of the event.', z.literal(name)),
    timestamp: field('When the event happened, UTC.', instant()),
    apiVersion: field('Version of the message format.', z.literal(apiVersion)),
    test: field('`true` in a message that `ping` sends: nothing has happened.', z.optional(z.literal(true))),
    data: field('What happened.', data),
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
 * Removes from a JSON Schema what zod adds and no reader needs. Adds what code generators need: the size of each
 * integer, and `enum` for a single value, because older generators do not support `const`.
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

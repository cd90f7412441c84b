/** The resources as the API returns them (docs/rules.md#the-business, #webhooks). */
import * as z from 'zod/mini';
import { eventName } from '../event-names.ts';
import { clockTime, currency, date, id, instant, metadataOf, money, shape } from '../fields.ts';
import { limits } from '../limits.ts';
import { mode } from '../modes.ts';
import { personal } from '../personal-data.ts';
import { scopeNames } from '../scopes.ts';

/** Working intervals of one day, ascending; the gaps between them are the breaks. */
export const dayHours = shape(() =>
  z
    .array(
      z.strictObject({
        from: clockTime().check(z.describe('Opens, `HH:MM` on the clock of the business.')),
        to: clockTime().check(z.describe('Closes, `HH:MM` on the clock of the business; `24:00` is midnight.')),
      }),
    )
    .check(z.describe('Working intervals of one day, ascending. The gaps are breaks; an empty list is a day off.')),
);

/** Working hours by weekday. */
export const weeklyHours = shape(() =>
  z
    .strictObject({
      monday: dayHours.check(z.describe('Hours on Mondays.')),
      tuesday: dayHours.check(z.describe('Hours on Tuesdays.')),
      wednesday: dayHours.check(z.describe('Hours on Wednesdays.')),
      thursday: dayHours.check(z.describe('Hours on Thursdays.')),
      friday: dayHours.check(z.describe('Hours on Fridays.')),
      saturday: dayHours.check(z.describe('Hours on Saturdays.')),
      sunday: dayHours.check(z.describe('Hours on Sundays.')),
    })
    .check(z.describe('Working hours by weekday, in the time zone of the business.')),
);
export type WeeklyHours = z.infer<typeof weeklyHours>;

export const bookingRules = shape(() =>
  z
    .strictObject({
      slotStepMinutes: z
        .int()
        .check(z.describe('Minutes from one possible start to the next, from the beginning of each working interval.')),
      minNoticeMinutes: z.int().check(z.describe('A booking starts at least this many minutes from now.')),
      maxAdvanceDays: z.int().check(z.describe('A booking starts at most this many days from now.')),
      cancellationNoticeMinutes: z
        .int()
        .check(
          z.describe(
            'A booking can be cancelled through the integration API until this many minutes before its start. 0: until the start.',
          ),
        ),
      confirmation: z
        .enum(['automatic', 'manual'])
        .check(
          z.describe('`automatic`: new bookings are `confirmed`. `manual`: they are `pending` until staff confirm.'),
        ),
    })
    .check(z.describe('Rules that a booking must follow.')),
);

export const business = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the business.')),
      name: z.string().check(z.describe('Name as clients see it.')),
      description: z.string().check(z.describe('Description of the business; may be empty.')),
      phone: z.nullable(z.string()).check(z.describe('Phone for clients.')),
      email: z.nullable(z.string()).check(z.describe('Email address for clients.')),
      address: z.nullable(z.string()).check(z.describe('Postal address in one line.')),
      timeZone: z
        .string()
        .check(z.describe('IANA time zone of the business by its canonical name, such as `Europe/Riga`.')),
      currency: currency().check(z.describe('Currency of all prices, ISO 4217.')),
      workingHours: weeklyHours.check(z.describe('When the business is open. Staff members have their own hours.')),
      bookingRules: bookingRules.check(z.describe('Rules that a booking must follow.')),
      mode: mode.check(z.describe('`live`, or `test`: this is the sandbox of a business.')),
    })
    .check(z.describe('The business that the API key or token belongs to.')),
);
export type Business = z.infer<typeof business>;

export const service = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the service.')),
      name: z.string().check(z.describe('Name as clients see it.')),
      description: z.string().check(z.describe('Description of the service; may be empty.')),
      category: z.nullable(z.string()).check(z.describe('Heading under which the service is listed.')),
      durationMinutes: z.int().check(z.describe('Length of an appointment in minutes, buffers not included.')),
      bufferBeforeMinutes: z.int().check(z.describe('Minutes kept free before each appointment.')),
      bufferAfterMinutes: z.int().check(z.describe('Minutes kept free after each appointment.')),
      capacity: z
        .int()
        .check(
          z.positive(),
          z.describe(
            'Places at each start. If more than 1, several bookings share a start with the same member, as in a class.',
          ),
        ),
      resourceKind: z
        .nullable(z.string())
        .check(z.describe('Kind of room or other resource of which each appointment takes one; null if none.')),
      price: money.check(z.describe('Price of one appointment.')),
      staffIds: z.array(id()).check(z.describe('Ids of the staff members who do this service.')),
      active: z.boolean().check(z.describe('`false`: no slots are offered and no bookings accepted.')),
      updatedAt: instant().check(z.describe('When the service last changed, UTC.')),
    })
    .check(z.describe('What clients can book.')),
);
export type Service = z.infer<typeof service>;

export const staffMember = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the staff member.')),
      name: z.string().check(z.describe('Name as clients see it.')),
      position: z.nullable(z.string()).check(z.describe('Job title, such as `Stylist`.')),
      photoUrl: z.nullable(z.string()).check(z.describe('https address of a photo.')),
      serviceIds: z.array(id()).check(z.describe('Ids of the services this staff member does.')),
      rating: z.nullable(z.number()).check(z.describe('Average of the reviews, 1 to 5; null without reviews.')),
      reviewsCount: z.int().check(z.describe('Number of reviews behind `rating`.')),
      active: z.boolean().check(z.describe('`false`: no slots are offered and no bookings accepted.')),
    })
    .check(z.describe('Someone who does services.')),
);
export type StaffMember = z.infer<typeof staffMember>;

export const slot = shape(() =>
  z
    .strictObject({
      startTime: instant().check(
        z.describe('Start with the offset of the asked time zone. Send it back unchanged to hold or book the slot.'),
      ),
      endTime: instant().check(z.describe('Start plus the duration of the service; buffers not included.')),
      staffId: id().check(z.describe('Id of the staff member who is free.')),
      serviceId: id().check(z.describe('Id of the service asked for.')),
      capacity: z
        .optional(z.int().check(z.positive()))
        .check(z.describe('All places at this start; only for a service with more than one place.')),
      remaining: z.optional(z.int().check(z.positive())).check(z.describe('Places that are still free at this start.')),
      segments: z
        .optional(
          z.array(
            z.strictObject({
              serviceId: id().check(z.describe('Id of the service.')),
              staffId: id().check(z.describe('Id of the staff member who is free.')),
              startTime: instant().check(z.describe('Start with the offset of the asked time zone.')),
              endTime: instant().check(z.describe('End; buffers not included.')),
            }),
          ),
        )
        .check(z.describe('The services of a visit in order, with the least busy of the free members.')),
    })
    .check(z.describe('A start that can be booked.')),
);
export const slots = shape(() =>
  z
    .strictObject({
      data: z.array(slot).check(z.describe('Free slots, ascending by start.')),
      timeZone: z.string().check(z.describe('IANA time zone that dates and offsets refer to, by its canonical name.')),
    })
    .check(z.describe('Free slots of a service.')),
);

export const slotDays = shape(() =>
  z
    .strictObject({
      data: z
        .array(
          z.strictObject({
            date: date().check(z.describe('Date, `YYYY-MM-DD` in `timeZone`.')),
            count: z.int().check(z.nonnegative(), z.describe('Number of slots that `GET /slots` lists on this date.')),
            first: z
              .nullable(instant())
              .check(z.describe('`startTime` of the first slot of this date; null without a slot.')),
          }),
        )
        .check(z.describe('Every date of the range, ascending.')),
      timeZone: z.string().check(z.describe('IANA time zone that dates and offsets refer to, by its canonical name.')),
    })
    .check(z.describe('How many slots each date has.')),
);

/** The reasons why a start is not available. */
export const slotReason = shape(() =>
  z
    .enum([
      'outside_hours',
      'day_off',
      'break',
      'booked',
      'held',
      'buffer',
      'too_soon',
      'too_far',
      'off_grid',
      'not_performed',
      'inactive',
      'full',
      'no_resource',
      'busy_elsewhere',
    ])
    .check(
      z.describe(
        '`outside_hours`, `day_off`, `break`: the schedule has no working time. `booked`, `held`: a booking or a hold takes the time. `buffer`: the time is free, but the buffers around it are not. `too_soon`, `too_far`: the minimum notice, or how far ahead clients may book. `off_grid`: not a multiple of `slotStepMinutes`. `not_performed`: the member does not do the service. `inactive`: the service or the member is inactive. `full`: no place is left. `no_resource`: no room of the kind that the service needs is free. `busy_elsewhere`: the member is busy in another calendar.',
      ),
    ),
);
export type SlotReason = z.infer<typeof slotReason>;

export const slotExplanation = shape(() =>
  z
    .strictObject({
      free: z.boolean().check(z.describe('Whether the start can be booked with any of these staff members.')),
      staff: z
        .array(
          z.strictObject({
            serviceId: id().check(
              z.describe('Id of the service. Each service of a visit is explained at its own time.'),
            ),
            staffId: id().check(z.describe('Id of the staff member.')),
            free: z.boolean().check(z.describe('Whether the member can do this service then.')),
            reasons: z
              .array(slotReason)
              .check(z.describe('All reasons why it cannot be booked; empty when it is free.')),
          }),
        )
        .check(
          z.describe(
            'The requested member, or every member who does the service; for a visit, the members of each service.',
          ),
        ),
    })
    .check(z.describe('Whether a start is free, and why it is not.')),
);

/** One part of a booking, or of a hold: a service by a staff member. */
export const heldSegment = shape(() =>
  z
    .strictObject({
      serviceId: id().check(z.describe('Id of the service.')),
      serviceName: z.string().check(z.describe('Name of the service when it was booked.')),
      staffId: id().check(z.describe('Id of the staff member.')),
      staffName: z.string().check(z.describe('Name of the staff member when the booking was made.')),
      startTime: instant().check(z.describe('Start with the offset of `timeZone`.')),
      endTime: instant().check(z.describe('End with the offset of `timeZone`; buffers not included.')),
    })
    .check(z.describe('A service by a staff member, as a part of a booking.')),
);

/** A segment with its room, if it has one. */
export const segment = shape(() =>
  z
    .strictObject({
      ...heldSegment.shape,
      resourceId: z.nullable(id()).check(z.describe('Id of the room or other resource; null without one.')),
      resourceName: z.nullable(z.string()).check(z.describe('Name of the resource when the booking was made.')),
    })
    .check(z.describe('A service by a staff member, as a part of a booking.')),
);

export const bookingSegment = shape(() =>
  z
    .strictObject({
      ...segment.shape,
      price: money.check(z.describe('Price of the segment, for all places, when the booking was made.')),
    })
    .check(z.describe('A service by a staff member, as a part of a booking.')),
);

export const hold = shape(() =>
  z
    .strictObject({
      holdId: z
        .string()
        .check(z.describe('Send this id as `holdId` to book the slot, or in the path to release the hold.')),
      expiresAt: instant().check(z.describe('When the slot becomes free for others again, UTC.')),
      serviceName: z.string().check(z.describe('Name of the service; for a visit, of the first service.')),
      staffName: z
        .string()
        .check(z.describe('Name of the staff member; for a visit, of the member who does the first service.')),
      startTime: instant().check(z.describe('Start with the offset of `timeZone`.')),
      endTime: instant().check(z.describe('End of the whole, with the offset of `timeZone`; buffers not included.')),
      timeZone: z.string().check(z.describe('IANA time zone of the business.')),
      segments: z
        .array(heldSegment)
        .check(z.describe('The services that are held, in order: one, or those of a visit.')),
      price: money.check(z.describe('Price that a booking would have now.')),
      cancellationNoticeMinutes: bookingRules.shape.cancellationNoticeMinutes,
      confirmation: bookingRules.shape.confirmation,
    })
    .check(z.describe('A slot that is reserved for this API key for some minutes.')),
);

/** A session with its token, which is shown once. */
export const session = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the session, to end it.')),
      token: z.string().check(z.describe('`bs_live_` or `bs_test_` and 36 characters, for `Authorization: Bearer`.')),
      url: z
        .nullable(z.string())
        .check(
          z.describe(
            'A page of this service that books, or manages the booking, with the token behind `#`. Null with `origin`, and where the deployment has no domain for its pages.',
          ),
        ),
      expiresAt: instant().check(z.describe('When it ends, UTC. It ends with its API key, too.')),
    })
    .check(z.describe('What a browser may use in place of an API key.')),
);

export const bookingStatuses = ['pending', 'confirmed', 'completed', 'no_show', 'cancelled'] as const;

export const bookingStatus = shape(() =>
  z
    .enum(bookingStatuses)
    .check(
      z.describe(
        '`pending` waits for staff, `confirmed` is agreed, `completed` took place, `no_show`: the client did not come, `cancelled` freed its time.',
      ),
    ),
);

/** The source of a booking. */
export const bookingSource = shape(() =>
  z
    .enum(['integration', 'account'])
    .check(z.describe('Where the booking was made: `integration` is this API, `account` the screens of the business.')),
);

/** The actor who cancelled or moved a booking. */
export const bookingActor = shape(() =>
  z.enum(['client', 'staff', 'integration']).check(z.describe('Who made the change; `integration` is an API key.')),
);

export const bookingClient = shape(() =>
  z
    .strictObject({
      name: z.string().check(z.describe('Name of the client.')),
      phone: z.nullable(z.string()).check(z.describe('Phone of the client.')),
      email: z.nullable(z.string()).check(z.describe('Email address of the client.')),
    })
    .check(z.describe('The client as given with the booking.')),
);

export const booking = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the booking. It stays when the booking moves.')),
      status: bookingStatus.check(z.describe('State of the booking.')),
      serviceId: id().check(z.describe('Id of the booked service; for a visit, of the first service.')),
      serviceName: z.string().check(z.describe('Name of that service when it was booked.')),
      staffId: id().check(z.describe('Id of the staff member; for a visit, of the member who does the first service.')),
      staffName: z.string().check(z.describe('Name of that staff member when the booking was made.')),
      clientId: personal(id().check(z.describe('Id of the client, who was found by phone or email, or else created.'))),
      client: personal(bookingClient.check(z.describe('Name and contacts as given with the booking.')), 'client'),
      startTime: instant().check(z.describe('Start with the offset of `timeZone`.')),
      endTime: instant().check(z.describe('End of the whole, with the offset of `timeZone`; buffers not included.')),
      timeZone: z.string().check(z.describe('IANA time zone of the business.')),
      segments: z
        .array(bookingSegment)
        .check(z.describe('The services of the booking, in order: one, or those of a visit.')),
      places: z.int().check(z.positive(), z.describe('Number of places that the booking takes at its start.')),
      price: money.check(z.describe('Price of all segments and places when the booking was made.')),
      comment: personal(z.nullable(z.string()).check(z.describe('Note of the client for the business.')), 'comment'),
      source: bookingSource.check(z.describe('Where the booking was made.')),
      externalId: personal(
        z.nullable(z.string()).check(z.describe('Your own reference, as given with the booking.')),
        'externalId',
      ),
      metadata: personal(metadataOf(), 'metadata'),
      cancelledBy: z.nullable(bookingActor).check(z.describe('Who cancelled; null unless cancelled.')),
      cancelReason: personal(z.nullable(z.string()).check(z.describe('Reason given with the cancellation.')), 'reason'),
      createdAt: instant().check(z.describe('When the booking was made, UTC.')),
      updatedAt: instant().check(z.describe('When the booking last changed, UTC.')),
      revision: z
        .int()
        .check(
          z.positive(),
          z.describe('Counts the changes of the booking, from 1. Of two copies the higher is newer.'),
        ),
    })
    .check(z.describe('An appointment of a client with a staff member.')),
);
export type Booking = z.infer<typeof booking>;

/** A booking as every caller that may change or read it gets it, even without permission to see personal data. */
export const changedBooking = shape(() =>
  z
    .strictObject({
      ...booking.shape,
      clientId: personal(
        z
          .nullable(id())
          .check(z.describe('Id of the client. Null to a session or a key without the scope `bookings:read`.')),
      ),
      client: personal(
        z
          .nullable(bookingClient)
          .check(
            z.describe(
              'Name and contacts as given with the booking. To a session or a key without the scope `bookings:read`: as given with this request, or null.',
            ),
          ),
        'client',
      ),
      metadata: personal(
        z
          .nullable(metadataOf())
          .check(
            z.describe(
              'Strings of your own. To a session or a key without the scope `bookings:read`: as given with this request, or null.',
            ),
          ),
        'metadata',
      ),
    })
    .check(z.describe('A booking in an answer for callers without `bookings:read`, too.')),
);

export const client = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the client.')),
      name: z.string().check(z.describe('Name of the client.')),
      phone: z.nullable(z.string()).check(z.describe('Phone of the client.')),
      email: z.nullable(z.string()).check(z.describe('Email address of the client.')),
      createdAt: instant().check(z.describe('When the client first appeared, UTC.')),
      updatedAt: instant().check(z.describe('When the client last changed, UTC.')),
      erasedAt: z
        .nullable(instant())
        .check(z.describe('When the client was erased, UTC; then `name` is empty. Null: never.')),
      metadata: personal(metadataOf()),
      erased: z.boolean().check(z.describe('Whether the client was erased: delete what you keep of the person.')),
      revision: z
        .int()
        .check(
          z.positive(),
          z.describe('Counts the changes of the client, from 1. Of two copies the higher is newer.'),
        ),
    })
    .check(z.describe('Someone who books.')),
);
export type Client = z.infer<typeof client>;

export const payment = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the payment.')),
      bookingId: z.nullable(id()).check(z.describe('Id of the booking paid for.')),
      clientId: personal(z.nullable(id()).check(z.describe('Id of the client who paid.'))),
      amount: z.int().check(z.describe('Amount in minor units of `currency`.')),
      currency: z.string().check(z.describe('ISO 4217 code.')),
      refundedAmount: z.int().check(z.describe('What was refunded so far, in minor units.')),
      method: z.string().check(z.describe('How it was paid, such as `card`.')),
      receivedAt: instant().check(z.describe('When the money was received, UTC.')),
      createdAt: instant().check(z.describe('When the payment was recorded, UTC.')),
    })
    .check(z.describe('Money that was received.')),
);
export type Payment = z.infer<typeof payment>;

export const review = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the review.')),
      bookingId: id().check(z.describe('Id of the completed booking.')),
      staffId: id().check(z.describe('Id of the staff member who was visited.')),
      serviceId: id().check(z.describe('Id of the service.')),
      rating: z.int().check(z.describe('1 (worst) to 5 (best).')),
      text: z.string().check(z.describe('What the client wrote; may be empty.')),
      authorName: z.string().check(z.describe('Name to show beside the review.')),
      createdAt: instant().check(z.describe('When the review was left, UTC.')),
      reply: z.nullable(z.string()).check(z.describe('Answer of the business.')),
    })
    .check(z.describe('A review by a client after a visit.')),
);

export const reviewPage = shape(() =>
  z
    .strictObject({
      data: z.array(review).check(z.describe('Reviews, newest first.')),
      nextCursor: z
        .nullable(z.string())
        .check(z.describe('Send it as `cursor` to get the next page; null on the last page.')),
      summary: z
        .strictObject({
          count: z.int().check(z.describe('Number of reviews.')),
          averageRating: z.nullable(z.number()).check(z.describe('Average rating, 1 to 5; null without reviews.')),
        })
        .check(z.describe('Number and average of all reviews that match the filters.')),
    })
    .check(z.describe('A page of reviews and the average of all.')),
);

export const webhookStatus = shape(() =>
  z.enum(['active', 'failed']).check(z.describe('`failed`: disabled after too many failed deliveries in a row.')),
);

export const deliveryModes = ['push', 'poll'] as const;

/** The filter of a webhook beside event names (docs/rules.md#webhooks). */
export const webhookFilter = shape(() =>
  z
    .strictObject({
      serviceIds: z.optional(idSet()).check(z.describe('Only events of these services.')),
      staffIds: z.optional(idSet()).check(z.describe('Only events of these staff members.')),
    })
    .check(
      z.describe(
        'For each kind of id that it names, an event must have one of these ids, or no id of this kind; otherwise it is left out.',
      ),
    ),
);
export type WebhookFilter = z.infer<typeof webhookFilter>;

function idSet() {
  return z.array(id()).check(z.minLength(1), z.maxLength(limits.filterIdsMax));
}

/** The progress of a webhook's reader (docs/rules.md#feed). */
export const feedProgress = shape(() =>
  z
    .strictObject({
      lastNumber: z.int().check(z.describe('Number of the newest message; 0 before the first.')),
      readThrough: z
        .int()
        .check(z.describe('The highest `after` that a reader has sent: all messages up to this number are handled.')),
      unread: z.int().check(z.describe('Number of messages after `readThrough`.')),
      readAt: z.nullable(instant()).check(z.describe('When `readThrough` last changed, UTC; null if it never did.')),
    })
    .check(z.describe('Up to which message the feed has been read.')),
);

/** A page of a feed. */
export const feedPage = shape(() =>
  z
    .strictObject({
      data: z
        .array(
          z.strictObject({
            number: z.int().check(z.describe('Number of the message within its webhook: 1, 2, 3 …')),
            headers: z
              .record(z.string(), z.string())
              .check(z.describe('The headers of a push, signed when this page was read.')),
            body: z.string().check(z.describe('The exact text that is signed. JSON.')),
          }),
        )
        .check(z.describe('Messages, in the order of their numbers.')),
      next: z.int().check(z.describe('Send it as `after` when you have handled this page.')),
      hasMore: z.boolean().check(z.describe('Whether there are more messages now.')),
      oldest: z.int().check(z.describe('Number of the oldest message that is kept; one above the newest if none is.')),
      withheld: z
        .int()
        .check(
          z.describe(
            'Number of messages up to `next` that `data` leaves out, because the API key no longer has the scope for them.',
          ),
        ),
    })
    .check(z.describe('A page of the feed of a webhook.')),
);
export type FeedPage = z.infer<typeof feedPage>;

/** A webhook (docs/rules.md#webhooks). Only creation and rotation return a secret. */
export const webhook = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the webhook.')),
      delivery: z
        .enum(deliveryModes)
        .check(z.describe('`push`: messages are posted to `targetUrl`. `poll`: you read them from the feed.')),
      targetUrl: z.string().check(z.describe('https address to which messages are posted; empty with `poll`.')),
      events: z.array(eventName).check(z.describe('Events the webhook is subscribed to.')),
      filter: z
        .nullable(webhookFilter)
        .check(z.describe('Limits the events to some services or staff members; null if there is no limit.')),
      description: z.string().check(z.describe('Your own note; empty if none was given.')),
      status: webhookStatus.check(z.describe('Set it to `active` to enable a failed webhook again.')),
      consecutiveFailures: z
        .int()
        .check(z.describe('Deliveries in a row that used up all attempts. Any success resets it to 0.')),
      failingSince: z
        .nullable(instant())
        .check(
          z.describe(
            'When the first failed attempt after the last success ended, UTC; null if no attempt has failed since.',
          ),
        ),
      lastTriggeredAt: z
        .nullable(instant())
        .check(z.describe('When an event last triggered the webhook, UTC; null before the first.')),
      feed: z
        .nullable(feedProgress)
        .check(z.describe('With `poll`: up to which message the feed has been read; otherwise null.')),
      createdAt: instant().check(z.describe('When the webhook was registered, UTC.')),
      updatedAt: instant().check(z.describe('When the webhook was last changed, UTC.')),
    })
    .check(z.describe('A subscription to events, which are posted to your server or read from a feed.')),
);
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = shape(() =>
  z
    .strictObject({
      ...webhook.shape,
      secret: z.string().check(z.describe('Signing secret, `whsec_…`. Shown in this answer only: store it now.')),
    })
    .check(z.describe('A new webhook with its signing secret.')),
);
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

export const rotatedSecret = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the webhook.')),
      secret: z.string().check(z.describe('New signing secret, `whsec_…`. Shown in this answer only: store it now.')),
      rotatedAt: instant().check(z.describe('The time from which the new secret signs, UTC.')),
      previousUntil: z
        .nullable(instant())
        .check(
          z.describe(
            'The time until which `webhook-signature` also has a signature of the old secret, UTC; null if the old secret ended at once.',
          ),
        ),
    })
    .check(z.describe('The new signing secret of a webhook.')),
);

export const deliveryStatuses = ['pending', 'success', 'failed', 'retrying'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryStatus = shape(() =>
  z
    .enum(deliveryStatuses)
    .check(
      z.describe(
        '`pending` is not sent yet, `success` was answered with 2xx, `retrying` failed and another attempt follows, `failed` failed for good.',
      ),
    ),
);

/** The reasons why an attempt failed (docs/rules.md#delivery-records): a fixed list. */
export const deliveryErrorCodes = [
  'dns_error',
  'connect_error',
  'tls_error',
  'timeout',
  'http_status',
  'target_not_allowed',
  'protocol_error',
  'webhook_disabled',
] as const;
export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number];

export const deliveryErrorCode = shape(() =>
  z
    .enum(deliveryErrorCodes)
    .check(
      z.describe(
        'Why an attempt failed. `http_status`: not 2xx. `target_not_allowed`: the address is not public. `webhook_disabled`: the webhook was disabled.',
      ),
    ),
);

/** One record per attempt (docs/rules.md#delivery-records). */
export const deliveryRecord = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Number of the record within its webhook: 1, 2, 3 …')),
      event: z.string().check(z.describe('Name of the event, or `ping`.')),
      deliveryId: z
        .string()
        .check(
          z.describe('Id of the message, the same in every attempt; sent as `X-Webhook-Delivery` and `webhook-id`.'),
        ),
      responseStatusCode: z.int().check(z.describe('HTTP status your server answered; 0 without an answer.')),
      responseTimeMs: z.int().check(z.describe('Milliseconds until your server answered; 0 without an answer.')),
      deliveryStatus: deliveryStatus.check(z.describe('State after this attempt.')),
      attemptNumber: z.int().check(z.describe('Number of the attempt, from 1. A redelivery has the next number.')),
      errorMessage: z.nullable(z.string()).check(z.describe('What went wrong, in words; null unless it failed.')),
      createdAt: instant().check(z.describe('When the record was made, UTC.')),
      errorCode: z.nullable(deliveryErrorCode).check(z.describe('What went wrong; null unless it failed.')),
      nextAttemptAt: z
        .nullable(instant())
        .check(
          z.describe(
            'When the next attempt is due, UTC. For a held `pending` record, when it will be sent. Otherwise null.',
          ),
        ),
      responseBody: z
        .nullable(z.string())
        .check(
          z.describe(
            `The first ${limits.responseKeptBytes / 1_024} KiB of the answer of your server, as text; null without one, and in lists for an event that the API key may not receive.`,
          ),
        ),
      trigger: z
        .enum(['scheduled', 'manual', 'ping'])
        .check(z.describe('`scheduled`: a first attempt or a retry. `manual`: requested by `redeliver` or `recover`.')),
    })
    .check(z.describe(`One attempt to deliver a message. Kept ${limits.deliveryRetentionDays} days.`)),
);
export type DeliveryRecord = z.infer<typeof deliveryRecord>;

/** A delivery record in the list of all webhooks. */
export const listedDeliveryRecord = shape(() =>
  z
    .strictObject({ webhookId: id().check(z.describe('Id of the webhook.')), ...deliveryRecord.shape })
    .check(z.describe('One attempt to deliver a message, with its webhook.')),
);
export type ListedDeliveryRecord = z.infer<typeof listedDeliveryRecord>;

export const statusClass = shape(() =>
  z
    .enum(['2xx', '3xx', '4xx', '5xx'], { error: 'must be one of: 2xx, 3xx, 4xx, 5xx' })
    .check(z.describe('Statuses of one kind, by their first digit.')),
);
export type StatusClass = z.infer<typeof statusClass>;

/** docs/rules.md#request-log. */
export const loggedRequest = shape(() =>
  z
    .strictObject({
      requestId: z.string().check(z.describe('The `X-Request-Id` of the answer.')),
      at: instant().check(z.describe('When the request arrived, UTC.')),
      method: z.string().check(z.describe('HTTP method.')),
      path: z
        .nullable(z.string())
        .check(
          z.describe(
            'Path without the query. Parts that may belong to a person, and ids that were not found, are names such as `:id`. Null for a path without an endpoint.',
          ),
        ),
      status: z.int().check(z.describe('HTTP status of the answer.')),
      code: z.nullable(z.string()).check(z.describe('`code` of the error; null for a success.')),
      durationMs: z.int().check(z.describe('Time from the beginning of the request to its answer, in milliseconds.')),
      apiKeyId: z.nullable(id()).check(z.describe('Id of the API key; null for the account API.')),
      bySession: z.boolean().check(z.describe('Whether a session of the key made the request.')),
      meaning: z.nullable(z.string()).check(z.describe('What the code means; null for a success.')),
      nextStep: z.nullable(z.string()).check(z.describe('What to do about the error; null for a success.')),
    })
    .check(z.describe('One request and its result.')),
);
export type LoggedRequest = z.infer<typeof loggedRequest>;

/** One delivery in full (docs/rules.md#delivery-detail). */
export const delivery = shape(() =>
  z
    .strictObject({
      deliveryId: z.string().check(z.describe('Id of the message, the same in every attempt.')),
      webhookId: id().check(z.describe('Id of the webhook.')),
      event: z.string().check(z.describe('Name of the event, or `ping`.')),
      deliveryStatus: deliveryStatus.check(z.describe('State after the newest attempt.')),
      createdAt: instant().check(z.describe('When the delivery was planned, UTC.')),
      message: z
        .strictObject({
          headers: z
            .record(z.string(), z.string())
            .check(
              z.describe(
                'Headers of the newest attempt that was sent, without its signatures. Before the first, those without a time.',
              ),
            ),
          body: z
            .string()
            .check(z.describe('The exact text that was sent and signed, the same in every attempt. JSON.')),
        })
        .check(z.describe('The message as it was sent.')),
      attempts: z
        .array(
          z.strictObject({
            ...deliveryRecord.shape,
            sentAt: z
              .nullable(instant())
              .check(
                z.describe('When the message was sent, UTC, as in `X-Webhook-Timestamp`; null if it was not sent.'),
              ),
            requestId: z
              .nullable(z.string())
              .check(
                z.describe('`X-Request-Id` of the request that raised the event, or asked for it to be sent again.'),
              ),
          }),
        )
        .check(z.describe('The records of all attempts in order, redeliveries included.')),
    })
    .check(z.describe('A message to a webhook, and every attempt to deliver it.')),
);
export type Delivery = z.infer<typeof delivery>;

export const pingResult = shape(() =>
  z
    .strictObject({
      success: z.boolean().check(z.describe('Whether your server answered with 2xx.')),
      deliveryId: z.string().check(z.describe('Id of the test message.')),
      responseStatusCode: z.int().check(z.describe('HTTP status your server answered; 0 without an answer.')),
      responseTimeMs: z.int().check(z.describe('Milliseconds until your server answered; 0 without an answer.')),
      errorMessage: z.nullable(z.string()).check(z.describe('What went wrong, in words; null on success.')),
    })
    .check(z.describe('How your server answered the test message.')),
);

export const recovery = shape(() =>
  z
    .strictObject({
      matched: z.int().check(z.describe('Deliveries of the period that had failed and are being sent again.')),
      stillRetrying: z
        .int()
        .check(z.describe('Deliveries of the period that have not ended: they are still retried on schedule.')),
    })
    .check(z.describe('How many deliveries `recover` found.')),
);

export const scope = shape(() =>
  z
    .enum(scopeNames, { error: `must be one of: ${scopeNames.join(', ')}` })
    .check(z.describe('What an API key may be allowed to do.')),
);

export const eventType = shape(() =>
  z
    .strictObject({
      name: eventName.check(z.describe('Name to subscribe to.')),
      description: z.string().check(z.describe('When the event is raised.')),
      scope: z
        .nullable(scope)
        .check(z.describe('Scope that the API key needs beside `webhooks:manage` to receive it, if any.')),
      apiVersion: z.string().check(z.describe('Version of the message format, `major.minor`.')),
      schema: z.record(z.string(), z.unknown()).check(z.describe('JSON Schema (2020-12) of the message.')),
      example: z.record(z.string(), z.unknown()).check(z.describe('A message as your server would receive it.')),
    })
    .check(z.describe('An event that a webhook can subscribe to.')),
);

/** A response of JSON-RPC. Its messages follow that protocol and are not projected. */
export const mcpAnswer = shape(() =>
  z
    .looseObject({
      jsonrpc: z.string().check(z.describe('Version of JSON-RPC.')),
      id: z.nullable(z.union([z.string(), z.number()])).check(z.describe('The id of the message that is answered.')),
      result: z.optional(z.looseObject({})).check(z.describe('The result of the method.')),
      error: z.optional(z.looseObject({})).check(z.describe('Why the protocol refuses the message.')),
    })
    .check(
      z.describe('Answer to a message of the Model Context Protocol. A notification is answered 202, without a body.'),
    ),
);

/** The shape of every error (docs/rules.md#errors). */
export const errorBody = shape(() =>
  z
    .strictObject({
      statusCode: z.int().check(z.describe('HTTP status of the answer.')),
      error: z.string().check(z.describe('The status in words.')),
      message: z.string().check(z.describe('What is wrong, for people. May change; do not compare it.')),
      code: z.string().check(z.describe('What is wrong, for programs. Stable.')),
      details: z
        .optional(z.union([z.array(z.looseObject({})), z.looseObject({})]))
        .check(z.describe('More about this error; its shape follows from `code`.')),
      retryAfter: z
        .optional(z.int())
        .check(z.describe('Seconds to wait before the next request, as in `Retry-After`.')),
      requestId: z.string().check(z.describe('Names the request in our log; also in `X-Request-Id`.')),
    })
    .check(z.describe('The shape of every error.')),
);

/** The resources as the API returns them (docs/rules.md#the-business, #webhooks). */
import * as z from 'zod/mini';
import { eventName } from '../event-names.ts';
import { currency, date, field, id, instant, metadataOf, money, object, workingInterval } from '../fields.ts';
import { limits } from '../limits.ts';
import { mode } from '../modes.ts';
import { personal } from '../personal-data.ts';
import { scopeNames } from '../scopes.ts';

/** Working intervals of one day, ascending; the gaps between them are the breaks. */
export const dayHours = field(
  'Working intervals of one day, ascending. The gaps are breaks; an empty list is a day off.',
  z.array(workingInterval()),
);

/** Hours of one shape for each weekday. */
export function weekOf<T extends z.ZodMiniType>(hours: T) {
  return object('Working hours by weekday, in the time zone of the business.', {
    monday: field('Hours on Mondays.', hours),
    tuesday: field('Hours on Tuesdays.', hours),
    wednesday: field('Hours on Wednesdays.', hours),
    thursday: field('Hours on Thursdays.', hours),
    friday: field('Hours on Fridays.', hours),
    saturday: field('Hours on Saturdays.', hours),
    sunday: field('Hours on Sundays.', hours),
  });
}

export const weeklyHours = weekOf(dayHours);
export type WeeklyHours = z.infer<typeof weeklyHours>;

export const bookingRules = object('Rules that a booking must follow.', {
  slotStepMinutes: field(
    'Minutes from one possible start to the next, from the beginning of each working interval.',
    z.int(),
  ),
  minNoticeMinutes: field('A booking starts at least this many minutes from now.', z.int()),
  maxAdvanceDays: field('A booking starts at most this many days from now.', z.int()),
  cancellationNoticeMinutes: field(
    'A booking can be cancelled through the integration API until this many minutes before its start. 0: until the start.',
    z.int(),
  ),
  confirmation: field(
    '`automatic`: new bookings are `confirmed`. `manual`: they are `pending` until staff confirm.',
    z.enum(['automatic', 'manual']),
  ),
});

export const business = object('The business that the API key or token belongs to.', {
  id: field('Id of the business.', id()),
  name: field('Name as clients see it.', z.string()),
  description: field('Description of the business; may be empty.', z.string()),
  phone: field('Phone for clients.', z.nullable(z.string())),
  email: field('Email address for clients.', z.nullable(z.string())),
  address: field('Postal address in one line.', z.nullable(z.string())),
  timeZone: field('IANA time zone of the business by its canonical name, such as `Europe/Riga`.', z.string()),
  currency: field('Currency of all prices, ISO 4217.', currency()),
  workingHours: field('When the business is open. Staff members have their own hours.', weeklyHours),
  bookingRules: field('Rules that a booking must follow.', bookingRules),
  mode: field('`live`, or `test`: this is the sandbox of a business.', mode),
});
export type Business = z.infer<typeof business>;

export const service = object('What clients can book.', {
  id: field('Id of the service.', id()),
  name: field('Name as clients see it.', z.string()),
  description: field('Description of the service; may be empty.', z.string()),
  category: field('Heading under which the service is listed.', z.nullable(z.string())),
  durationMinutes: field('Length of an appointment in minutes, buffers not included.', z.int()),
  bufferBeforeMinutes: field('Minutes kept free before each appointment.', z.int()),
  bufferAfterMinutes: field('Minutes kept free after each appointment.', z.int()),
  capacity: field(
    'Places at each start. If more than 1, several bookings share a start with the same member, as in a class.',
    z.int().check(z.positive()),
  ),
  resourceKind: field(
    'Kind of room or other resource of which each appointment takes one; null if none.',
    z.nullable(z.string()),
  ),
  price: field('Price of one appointment.', money),
  staffIds: field('Ids of the staff members who do this service.', z.array(id())),
  active: field('`false`: no slots are offered and no bookings accepted.', z.boolean()),
  updatedAt: field('When the service last changed, UTC.', instant()),
});
export type Service = z.infer<typeof service>;

export const staffMember = object('A staff member, who performs services.', {
  id: field('Id of the staff member.', id()),
  name: field('Name as clients see it.', z.string()),
  position: field('Job title, such as `Stylist`.', z.nullable(z.string())),
  photoUrl: field('https address of a photo.', z.nullable(z.string())),
  serviceIds: field('Ids of the services this staff member does.', z.array(id())),
  rating: field('Average of the reviews, 1 to 5; null without reviews.', z.nullable(z.number())),
  reviewsCount: field('Number of reviews behind `rating`.', z.int()),
  active: field('`false`: no slots are offered and no bookings accepted.', z.boolean()),
});
export type StaffMember = z.infer<typeof staffMember>;

export const slot = object('A start that can be booked.', {
  startTime: field(
    'Start with the offset of the requested time zone. Send this value unchanged to hold or book the slot.',
    instant(),
  ),
  endTime: field('Start plus the duration of the service; buffers not included.', instant()),
  staffId: field('Id of the staff member who is free.', id()),
  serviceId: field('Id of the requested service.', id()),
  capacity: field(
    'All places at this start; only for a service with more than one place.',
    z.optional(z.int().check(z.positive())),
  ),
  remaining: field('Places that are still free at this start.', z.optional(z.int().check(z.positive()))),
  segments: field(
    'The services in order, if several were requested, with the least busy of the free staff members.',
    z.optional(
      z.array(
        z.strictObject({
          serviceId: field('Id of the service.', id()),
          staffId: field('Id of the staff member who is free.', id()),
          startTime: field('Start with the offset of the requested time zone.', instant()),
          endTime: field('End of the service; buffers not included.', instant()),
        }),
      ),
    ),
  ),
});
export const slots = object('Free slots of a service.', {
  data: field('Free slots, ascending by start.', z.array(slot)),
  timeZone: field('IANA time zone that dates and offsets refer to, by its canonical name.', z.string()),
});

export const slotDays = object('How many slots each date has.', {
  data: field(
    'Every date of the range, ascending.',
    z.array(
      z.strictObject({
        date: field('Date, `YYYY-MM-DD` in `timeZone`.', date()),
        count: field('Number of slots that `GET /slots` lists on this date.', z.int().check(z.nonnegative())),
        first: field('`startTime` of the first slot of this date; null without a slot.', z.nullable(instant())),
      }),
    ),
  ),
  timeZone: field('IANA time zone that dates and offsets refer to, by its canonical name.', z.string()),
});

/** The reasons why a start is not available. */
export const slotReason = field(
  '`outside_hours`, `day_off`, `break`: the schedule has no working time. `booked`, `held`: a booking or a hold takes the time. `buffer`: the time is free, but the buffers around it are not. `too_soon`, `too_far`: before the minimum notice ends, or further ahead than clients may book. `off_grid`: not a multiple of `slotStepMinutes`. `not_performed`: the member does not do the service. `inactive`: the service or the member is inactive. `full`: too few places are left, or `places` is above the `capacity` of the service. `no_resource`: no room of the kind that the service needs is free. `busy_elsewhere`: the member is busy in another calendar.',
  z.enum([
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
  ]),
);
export type SlotReason = z.infer<typeof slotReason>;

export const slotExplanation = object('Whether a start is free, and why it is not.', {
  free: field('Whether the start can be booked with any of these staff members.', z.boolean()),
  staff: field(
    'The requested staff member, or every staff member who performs one of the services.',
    z.array(
      z.strictObject({
        serviceId: field('Id of the service. Each of several services is explained at its own time.', id()),
        staffId: field('Id of the staff member.', id()),
        free: field('Whether the staff member can perform this service at that time.', z.boolean()),
        reasons: field('All reasons why the start cannot be booked; empty if it is free.', z.array(slotReason)),
      }),
    ),
  ),
});

/** One part of a booking, or of a hold: a service by a staff member. */
export const heldSegment = object('A service by a staff member, as a part of a booking.', {
  serviceId: field('Id of the service.', id()),
  serviceName: field('Name of the service when it was booked.', z.string()),
  staffId: field('Id of the staff member.', id()),
  staffName: field('Name of the staff member when the booking was made.', z.string()),
  startTime: field('Start with the offset of `timeZone`.', instant()),
  endTime: field('End with the offset of `timeZone`; buffers not included.', instant()),
});

/** A segment with its room, if it has one. */
export const segment = object('A service by a staff member, as a part of a booking.', {
  ...heldSegment.shape,
  resourceId: field('Id of the room or other resource; null without one.', z.nullable(id())),
  resourceName: field('Name of the resource when the booking was made.', z.nullable(z.string())),
});

export const bookingSegment = object('A service by a staff member, as a part of a booking.', {
  ...segment.shape,
  price: field('Price of the segment, for all places, when the booking was made.', money),
});

export const hold = object('A slot that is reserved for this API key for some minutes.', {
  holdId: field('Send this id as `holdId` to book the slot, or in the path to release the hold.', z.string()),
  expiresAt: field('When the slot becomes free for others again, UTC.', instant()),
  serviceName: field('Name of the service, or of the first of several.', z.string()),
  staffName: field('Name of the staff member, or of the one who performs the first of several services.', z.string()),
  startTime: field('Start with the offset of `timeZone`.', instant()),
  endTime: field('End of the last service, with the offset of `timeZone`; buffers not included.', instant()),
  timeZone: field('IANA time zone of the business.', z.string()),
  segments: field('The services that are held, one or several, in order.', z.array(heldSegment)),
  price: field('Price that a booking would have now.', money),
  cancellationNoticeMinutes: bookingRules.shape.cancellationNoticeMinutes,
  confirmation: bookingRules.shape.confirmation,
});

/** A session with its token, which is shown once. */
export const session = object('What a browser may use in place of an API key.', {
  id: field('Id of the session, to end it.', id()),
  token: field('`bs_live_` or `bs_test_` and 36 characters, for `Authorization: Bearer`.', z.string()),
  url: field(
    'Link to a page for booking, or for managing the booking, with the token after `#`. Null with `origin`, without `read` in `may`, and if the deployment has no domain for pages.',
    z.nullable(z.string()),
  ),
  expiresAt: field('When the session ends, UTC. A session also ends with its API key.', instant()),
});

export const bookingStatuses = ['pending', 'confirmed', 'completed', 'no_show', 'cancelled'] as const;

export const bookingStatus = field(
  '`pending` waits for staff, `confirmed` is agreed, `completed` took place, `no_show`: the client did not come, `cancelled` freed its time.',
  z.enum(bookingStatuses),
);

export const bookingSource = field(
  'Where the booking was made: `integration` is the integration API, `account` the console of the business.',
  z.enum(['integration', 'account']),
);

/** The actor who cancelled or moved a booking. */
export const bookingActor = field(
  'Who made the change; `integration` is an API key.',
  z.enum(['client', 'staff', 'integration']),
);

export const bookingClient = object('The client as given with the booking.', {
  name: field('Name of the client.', z.string()),
  phone: field('Phone of the client.', z.nullable(z.string())),
  email: field('Email address of the client.', z.nullable(z.string())),
});

export const booking = object('An appointment of a client with a staff member.', {
  id: field('Id of the booking. A moved booking keeps its id.', id()),
  status: field('State of the booking.', bookingStatus),
  serviceId: field('Id of the booked service, or of the first of several.', id()),
  serviceName: field('Name of the service when it was booked.', z.string()),
  staffId: field('Id of the staff member, or of the one who performs the first of several services.', id()),
  staffName: field('Name of the staff member when the booking was made.', z.string()),
  clientId: personal(field('Id of the client, who was found by phone or email, or is new.', id())),
  client: personal(field('Name and contacts as given with the booking.', bookingClient), 'client'),
  startTime: field('Start with the offset of `timeZone`.', instant()),
  endTime: field('End of the last service, with the offset of `timeZone`; buffers not included.', instant()),
  timeZone: field('IANA time zone of the business.', z.string()),
  segments: field('The services of the booking, one or several, in order.', z.array(bookingSegment)),
  places: field('Number of places that the booking takes at its start.', z.int().check(z.positive())),
  price: field('Price of all segments and places when the booking was made.', money),
  comment: personal(field('Note of the client for the business.', z.nullable(z.string())), 'comment'),
  source: field('Where the booking was made.', bookingSource),
  externalId: personal(field('Your own reference, as given with the booking.', z.nullable(z.string())), 'externalId'),
  metadata: personal(metadataOf(), 'metadata'),
  cancelledBy: field('Who cancelled; null unless cancelled.', z.nullable(bookingActor)),
  cancelReason: personal(field('Reason given with the cancellation.', z.nullable(z.string())), 'reason'),
  createdAt: field('When the booking was made, UTC.', instant()),
  updatedAt: field('When the booking last changed, UTC.', instant()),
  revision: field(
    'Counts the changes of the booking, from 1. The copy with the higher number is newer.',
    z.int().check(z.positive()),
  ),
});
export type Booking = z.infer<typeof booking>;

/** A booking as every caller that may change or read it gets it, even without permission to see personal data. */
export const changedBooking = object('A booking, without stored personal data if the caller lacks `bookings:read`.', {
  ...booking.shape,
  clientId: personal(
    field('Id of the client. Null for a session or a key without the scope `bookings:read`.', z.nullable(id())),
  ),
  client: personal(
    field(
      'Name and contacts sent with the booking. For a session or a key without the scope `bookings:read`: as sent with this request, or null.',
      z.nullable(bookingClient),
    ),
    'client',
  ),
  metadata: personal(
    field(
      'Strings of your own. To a session or a key without the scope `bookings:read`: as sent with this request, or null.',
      z.nullable(metadataOf()),
    ),
    'metadata',
  ),
});

/** A call, because the build removes unused calls at the top level. */
function withoutId<T extends { readonly id: unknown }>({ id: _, ...fields }: T): Omit<T, 'id'> {
  return fields;
}

export const bookingPreview = object('The booking that a dry run would make or move.', {
  ...withoutId(changedBooking.shape),
  clientId: personal(
    field(
      'Id of the client. Null for a new client, and for a session or a key without the scope `bookings:read`.',
      z.nullable(id()),
    ),
  ),
});

export const movedBooking = object('A booking after its move, or as a dry run would move it.', {
  id: field('Id of the booking; missing in the response to a dry run.', z.optional(id())),
  ...bookingPreview.shape,
});

export const client = object('A person who books.', {
  id: field('Id of the client.', id()),
  name: field('Name of the client.', z.string()),
  phone: field('Phone of the client.', z.nullable(z.string())),
  email: field('Email address of the client.', z.nullable(z.string())),
  createdAt: field('When the client was created, UTC.', instant()),
  updatedAt: field('When the client last changed, UTC.', instant()),
  erasedAt: field('When the client was erased, UTC; then `name` is empty. Null: never.', z.nullable(instant())),
  metadata: personal(metadataOf()),
  erased: field('`true`: the client was erased. Delete your data of this client.', z.boolean()),
  revision: field(
    'Counts the changes of the client, from 1. The copy with the higher number is newer.',
    z.int().check(z.positive()),
  ),
});
export type Client = z.infer<typeof client>;

export const payment = object('Money that was received.', {
  id: field('Id of the payment.', id()),
  bookingId: field('Id of the booking paid for.', z.nullable(id())),
  clientId: personal(field('Id of the client who paid.', z.nullable(id()))),
  amount: field('Amount in minor units of `currency`.', z.int()),
  currency: field('ISO 4217 code.', z.string()),
  refundedAmount: field('What was refunded so far, in minor units.', z.int()),
  method: field('How the money was paid, such as `card`.', z.string()),
  receivedAt: field('When the money was received, UTC.', instant()),
  createdAt: field('When the payment was recorded, UTC.', instant()),
});
export type Payment = z.infer<typeof payment>;

export const review = object('A review by a client after a visit.', {
  id: field('Id of the review.', id()),
  bookingId: field('Id of the completed booking.', id()),
  staffId: field('Id of the staff member who was visited.', id()),
  serviceId: field('Id of the service.', id()),
  rating: field('1 (worst) to 5 (best).', z.int()),
  text: field('What the client wrote; may be empty.', z.string()),
  authorName: field('Name to show beside the review.', z.string()),
  createdAt: field('When the review was left, UTC.', instant()),
  reply: field('Reply of the business.', z.nullable(z.string())),
});

export const reviewPage = object('A page of reviews and the average of all.', {
  data: field('Reviews, newest first.', z.array(review)),
  nextCursor: field(
    'Cursor of the next page: send this value as `cursor`. Null on the last page.',
    z.nullable(z.string()),
  ),
  summary: object(
    'Number and average of all reviews of the staff member in the filter, otherwise of the service in the filter, otherwise of the business. Other filters do not change number and average.',
    {
      count: field('Number of reviews.', z.int()),
      averageRating: field('Average rating, 1 to 5; null without reviews.', z.nullable(z.number())),
    },
  ),
});

export const webhookStatus = field(
  '`active`: gets messages. `failed`: disabled after too many failed deliveries in a row.',
  z.enum(['active', 'failed']),
);

export const deliveryModes = ['push', 'poll'] as const;

const idSet = z.array(id()).check(z.minLength(1), z.maxLength(limits.filterIdsMax));

/** The filter of a webhook beside event names (docs/rules.md#webhooks). */
export const webhookFilter = object(
  'Leaves out events about other services or staff members. Events that concern no service or staff member are sent.',
  {
    serviceIds: field('Only events of these services.', z.optional(idSet)),
    staffIds: field('Only events of these staff members.', z.optional(idSet)),
  },
);

/** The progress of a webhook's reader (docs/rules.md#feed). */
export const feedProgress = object('Up to which message the feed has been read.', {
  lastNumber: field('Number of the newest message; 0 before the first.', z.int()),
  readThrough: field('The highest `after` of all requests: messages up to this number are handled.', z.int()),
  unread: field('Number of messages after `readThrough`.', z.int()),
  readAt: field('When `readThrough` last changed, UTC; null before the first change.', z.nullable(instant())),
});

export const feedPage = object('A page of the feed of a webhook.', {
  data: field(
    'Messages, in the order of their numbers.',
    z.array(
      z.strictObject({
        number: field('Number of the message within its webhook: 1, 2, 3 …', z.int()),
        headers: field('Headers of a pushed message, signed for this page.', z.record(z.string(), z.string())),
        body: field('The exact text that is signed. JSON.', z.string()),
      }),
    ),
  ),
  next: field('Send this number as `after` when you have handled this page.', z.int()),
  hasMore: field('Whether there are more messages now.', z.boolean()),
  oldest: field('Number of the oldest message that is kept. If none is kept: one above the newest number.', z.int()),
  withheld: field(
    'Number of messages up to `next` that `data` leaves out, because the API key has lost the scope for these messages.',
    z.int(),
  ),
});
export type FeedPage = z.infer<typeof feedPage>;

/** A webhook (docs/rules.md#webhooks). Only creation and rotation return a secret. */
export const webhook = object('A subscription to events, which are posted to your server or read from a feed.', {
  id: field('Id of the webhook.', id()),
  delivery: field(
    '`push`: messages are posted to `targetUrl`. `poll`: you read them from the feed.',
    z.enum(deliveryModes),
  ),
  targetUrl: field('https address to which messages are posted; empty if `delivery` is `poll`.', z.string()),
  events: field('Events the webhook is subscribed to.', z.array(eventName)),
  filter: field(
    'Limits the events to some services or staff members; null if there is no limit.',
    z.nullable(webhookFilter),
  ),
  description: field('Your own note; empty if none was given.', z.string()),
  status: field('A change to `active` enables a failed webhook again.', webhookStatus),
  consecutiveFailures: field(
    'Deliveries in a row that used up all attempts. Any success resets this number to 0.',
    z.int(),
  ),
  failingSince: field(
    'When the first failed attempt after the last success ended, UTC; null if no attempt has failed since.',
    z.nullable(instant()),
  ),
  lastTriggeredAt: field(
    'When an event last triggered the webhook, UTC; null before the first.',
    z.nullable(instant()),
  ),
  feed: field('Up to which message the feed has been read; null if `delivery` is `push`.', z.nullable(feedProgress)),
  createdAt: field('When the webhook was registered, UTC.', instant()),
  updatedAt: field('When the webhook was last changed, UTC.', instant()),
});
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = object('A new webhook with its signing secret.', {
  ...webhook.shape,
  secret: field('Signing secret, `whsec_…`. Only this response shows it: store it now.', z.string()),
});
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

export const rotatedSecret = object('The new signing secret of a webhook.', {
  id: field('Id of the webhook.', id()),
  secret: field('New signing secret, `whsec_…`. Only this response shows it: store it now.', z.string()),
  rotatedAt: field('The time from which messages are signed with the new secret, UTC.', instant()),
  previousUntil: field(
    'The time until which `webhook-signature` also has a signature of the old secret, UTC; null if the old secret ended at once.',
    z.nullable(instant()),
  ),
});

const deliveryStatuses = ['pending', 'success', 'failed', 'retrying'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryStatus = field(
  '`pending`: not sent yet. `success`: your server responded with 2xx. `retrying`: failed, and another attempt follows. `failed`: failed for good.',
  z.enum(deliveryStatuses),
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

export const deliveryErrorCode = field(
  'Why an attempt failed. `http_status`: not 2xx. `target_not_allowed`: the address is not public. `webhook_disabled`: the webhook or its key was not active, or the key lacked a scope.',
  z.enum(deliveryErrorCodes),
);

/** One record per attempt (docs/rules.md#delivery-records). */
export const deliveryRecord = object(
  `One attempt to deliver a message. Kept for ${limits.deliveryRetentionDays} days.`,
  {
    id: field('Number of the record within its webhook: 1, 2, 3 …', id()),
    event: field('Name of the event, or `ping`.', z.string()),
    deliveryId: field(
      'Id of the message, the same in every attempt; sent as `X-Webhook-Delivery` and `webhook-id`.',
      z.string(),
    ),
    responseStatusCode: field('HTTP status of the response of your server; 0 without a response.', z.int()),
    responseTimeMs: field('Milliseconds until your server responded; 0 without a response.', z.int()),
    deliveryStatus: field('State after this attempt.', deliveryStatus),
    attemptNumber: field('Number of the attempt, from 1. A redelivery has the next number.', z.int()),
    errorMessage: field('Why the attempt failed, in words; otherwise null.', z.nullable(z.string())),
    createdAt: field('When the record was made, UTC.', instant()),
    errorCode: field('Why the attempt failed; otherwise null.', z.nullable(deliveryErrorCode)),
    nextAttemptAt: field(
      'When the next attempt is due, UTC. For a `pending` record that waits because of the limit of messages per minute, when it will be sent. Otherwise null.',
      z.nullable(instant()),
    ),
    responseBody: field(
      `The first ${limits.responseKeptBytes / 1_024} KiB of your server's response, as text. Null without a response, and in lists if the API key may not receive the event.`,
      z.nullable(z.string()),
    ),
    trigger: field(
      '`scheduled`: a first attempt or a retry. `manual`: requested by `redeliver` or `recover`.',
      z.enum(['scheduled', 'manual', 'ping']),
    ),
  },
);
export type DeliveryRecord = z.infer<typeof deliveryRecord>;

export const listedDeliveryRecord = object('One attempt to deliver a message, with its webhook.', {
  webhookId: field('Id of the webhook.', id()),
  ...deliveryRecord.shape,
});
export type ListedDeliveryRecord = z.infer<typeof listedDeliveryRecord>;

export const statusClass = field(
  'Statuses of one kind, by their first digit.',
  z.enum(['2xx', '3xx', '4xx', '5xx'], { error: 'must be one of: 2xx, 3xx, 4xx, 5xx' }),
);

/** docs/rules.md#request-log. */
export const loggedRequest = object('One request and its result.', {
  requestId: field('The `X-Request-Id` of the response.', z.string()),
  at: field('When the request arrived, UTC.', instant()),
  method: field('HTTP method.', z.string()),
  path: field(
    'Path without the query. Parts that may belong to a person, and ids that were not found, are names such as `:id`. Null for a path without an endpoint.',
    z.nullable(z.string()),
  ),
  status: field('HTTP status.', z.int()),
  code: field('`code` of the error; null for a success.', z.nullable(z.string())),
  durationMs: field('Time from the beginning of the request to its response, in milliseconds.', z.int()),
  apiKeyId: field('Id of the API key; null for the account API.', z.nullable(id())),
  bySession: field('Whether a session of the key made the request.', z.boolean()),
  meaning: field('What the code means; null for a success.', z.nullable(z.string())),
  nextStep: field('What to do about the error; null for a success.', z.nullable(z.string())),
});
export type LoggedRequest = z.infer<typeof loggedRequest>;

/** One delivery in full (docs/rules.md#delivery-detail). */
export const delivery = object('A message to a webhook, and every attempt to deliver it.', {
  deliveryId: field('Id of the message, the same in every attempt.', z.string()),
  webhookId: field('Id of the webhook.', id()),
  event: field('Name of the event, or `ping`.', z.string()),
  deliveryStatus: field('State after the newest attempt.', deliveryStatus),
  createdAt: field('When the delivery was created, UTC.', instant()),
  message: object('The message as it was sent.', {
    headers: field(
      'Headers of the newest attempt that was sent, without signatures. If none was sent yet, headers without a time.',
      z.record(z.string(), z.string()),
    ),
    body: field('The exact text that was sent and signed, the same in every attempt. JSON.', z.string()),
  }),
  attempts: field(
    'The records of all attempts in order, redeliveries included.',
    z.array(
      z.strictObject({
        ...deliveryRecord.shape,
        sentAt: field(
          'When the message was sent, UTC, as in `X-Webhook-Timestamp`; null if it was not sent.',
          z.nullable(instant()),
        ),
        requestId: field(
          '`X-Request-Id` of the request that raised the event, or asked for a redelivery.',
          z.nullable(z.string()),
        ),
      }),
    ),
  ),
});
export type Delivery = z.infer<typeof delivery>;

export const pingResult = object('How your server responded to the test message.', {
  success: field('Whether your server responded with 2xx, or the message is in the feed.', z.boolean()),
  deliveryId: field('Id of the test message.', z.string()),
  responseStatusCode: field('HTTP status of the response of your server; 0 without a response.', z.int()),
  responseTimeMs: field('Milliseconds until your server responded; 0 without a response.', z.int()),
  errorMessage: field('What went wrong, in words; null on success.', z.nullable(z.string())),
});

export const recovery = object('How many deliveries `recover` found.', {
  matched: field('Deliveries of the period that had failed and are being sent again.', z.int()),
  stillRetrying: field('Deliveries of the period that are still retried on schedule.', z.int()),
  leftOut: field(
    'Failed deliveries that are not sent again, because they had ten redeliveries, or three that failed.',
    z.int(),
  ),
});

export const scope = field(
  'What an API key may be allowed to do.',
  z.enum(scopeNames, { error: `must be one of: ${scopeNames.join(', ')}` }),
);

export const eventType = object('An event that a webhook can subscribe to.', {
  name: field('Name to subscribe to.', eventName),
  description: field('When the event is raised.', z.string()),
  scope: field(
    'Scope that the API key needs besides `webhooks:manage` to receive the event, if any.',
    z.nullable(scope),
  ),
  apiVersion: field('Version of the message format, `major.minor`.', z.string()),
  schema: field('JSON Schema (2020-12) of the message.', z.record(z.string(), z.unknown())),
  example: field('A message as your server would receive it.', z.record(z.string(), z.unknown())),
});

/** A response of JSON-RPC. Its messages follow that protocol and are not projected. */
export const mcpAnswer = field(
  'Response to a message of the Model Context Protocol. A notification gets 202, without a body.',
  z.looseObject({
    jsonrpc: field('Version of JSON-RPC.', z.string()),
    id: field('The id of the message to which this is the response.', z.nullable(z.union([z.string(), z.number()]))),
    result: field('The result of the method.', z.optional(z.looseObject({}))),
    error: field('Why the protocol refuses the message.', z.optional(z.looseObject({}))),
  }),
);

/** The shape of every error (docs/rules.md#errors). */
export const errorBody = object('The shape of every error.', {
  statusCode: field('HTTP status.', z.int()),
  error: field('The status in words.', z.string()),
  message: field('What is wrong, for people. The text may change, so do not compare it.', z.string()),
  code: field('Error code for programs. It never changes.', z.string()),
  details: field(
    'More about this error; its shape follows from `code`.',
    z.optional(z.union([z.array(z.looseObject({})), z.looseObject({})])),
  ),
  retryAfter: field('Seconds to wait before the next request, as in `Retry-After`.', z.optional(z.int())),
  requestId: field('Id of the request in our log; also in `X-Request-Id`.', z.string()),
});

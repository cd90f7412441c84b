/**
 * The endpoints of the integration API, one row each (docs/rules.md#the-business, #webhooks). The export's name is the
 * operation: `createWebhook` is served by `functions/api/create-webhook.ts`. Gateway, policies, parsing, OpenAPI, the
 * README's table and the tests of every endpoint are derived from this module.
 */
import * as z from 'zod/mini';
import { del, get, patch, post } from '../define.ts';
import { eventName, eventNames } from '../event-names.ts';
import {
  changesPageOf,
  cursorPageOf,
  cursorQuery,
  date,
  field,
  id,
  instant,
  limitQuery,
  mapOf,
  pageOf,
  pageQuery,
  queryId,
  queryInteger,
  text,
  timeZone,
} from '../fields.ts';
import { limits, requestLogLimits } from '../limits.ts';
import { personal } from '../personal-data.ts';
import * as statistics from '../statistics.ts';
import {
  bookingChanges,
  bookingFields,
  bookingsQuery,
  byId,
  cancellation,
  clientsQuery,
  idList,
  memberOfEach,
  move,
  newSession,
  newWebhookFields,
  ofService,
  ofStaff,
  oneClient,
  oneOrVisit,
  oneServiceOrVisit,
  oneWayOut,
  places,
  placesOfOneService,
  reviewsQuery,
  serviceFields,
  servicesQuery,
  staffOfService,
  webhookChanges,
} from './inputs.ts';
import * as resources from './resources.ts';

const placesLeft = field(
  'Only starts with at least this many free places. Default: 1. Not with `serviceIds`.',
  z.optional(queryInteger(1, limits.placesMax)),
);

const movingBookingId = field('Id of a booking to move: its current time counts as free.', z.optional(queryId()));

const staffOfEach = (description: string) =>
  field(description, z.optional(idList(limits.visitServicesMin, limits.visitServicesMax)));

/** A range of dates, both included, for a service or a visit, with an optional staff member. */
const slotsQuery = z.strictObject({
  ...servicesQuery,
  from: field('First date, `YYYY-MM-DD` in `timeZone`.', date()),
  to: field('Last date, included, `YYYY-MM-DD` in `timeZone`.', date()),
  staffId: field('Only slots with this staff member, who then performs all requested services.', z.optional(queryId())),
  staffIds: staffOfEach(
    'Only slots with these staff members, one for each of `serviceIds` in their order. Finds a new time for a visit with the same staff members.',
  ),
  places: placesLeft,
  movingBookingId,
  timeZone: field(
    'IANA time zone for the dates, and for the offsets of the response. Default: the zone of the business.',
    z.optional(timeZone()),
  ),
});

export const getBusiness = get('/business', {
  scope: 'business:read',
  session: 'browse',
  summary: 'Business information',
  output: resources.business,
  etag: true,
  errors: ['not_found'],
  needs: { records: ['GetItem'] },
});

export const listServices = get('/services', {
  scope: 'services:read',
  session: 'browse',
  summary: 'Services',
  query: z.strictObject({ ...pageQuery(), staffId: ofStaff() }),
  output: pageOf(resources.service),
  etag: true,
  needs: { records: ['Query'] },
  tool: {
    name: 'list_services',
    description:
      "What can be booked, with duration and price in minor units. Begin here: the other tools take a service's `id`.",
  },
});

export const getService = get('/services/:id', {
  scope: 'services:read',
  session: 'browse',
  summary: 'One service',
  params: byId(),
  output: resources.service,
  etag: true,
  needs: { records: ['GetItem'] },
});

export const listStaff = get('/staff', {
  scope: 'staff:read',
  session: 'browse',
  summary: 'Staff members',
  query: z.strictObject({ ...pageQuery(), serviceId: ofService() }),
  output: pageOf(resources.staffMember),
  etag: true,
  needs: { records: ['Query'] },
  tool: {
    name: 'list_staff',
    description: 'Who does the services. Needed only when the person asks for a staff member by name.',
  },
});

export const getStaffMember = get('/staff/:id', {
  scope: 'staff:read',
  session: 'browse',
  summary: 'One staff member',
  params: byId(),
  output: resources.staffMember,
  etag: true,
  needs: { records: ['GetItem'] },
});

export const listSlots = get('/slots', {
  scope: 'slots:read',
  session: 'browse',
  summary: 'Free slots of one or several services',
  description:
    '`from` and `to` are inclusive dates in `timeZone`, by default the zone of the business. A request covers at most 31 days and 10 000 slots; for a visit, 10 000 segments. With `serviceIds` there is one slot for each start at which these services can follow each other, with its `segments`.',
  query: slotsQuery.check(oneServiceOrVisit, memberOfEach(), placesOfOneService),
  output: resources.slots,
  errors: ['range_too_large', 'not_found'],
  needs: { records: ['BatchGetItem', 'GetItem', 'Query'] },
  etag: true,
  tool: {
    name: 'list_slots',
    description:
      'Free starts of a service. Ask for one or two days: a week is long. Only a start of this list can be held or booked; send `startTime` back unchanged.',
  },
});

export const listSlotDays = get('/slots/days', {
  scope: 'slots:read',
  session: 'browse',
  summary: 'How many slots each date has',
  description: `Counts the slots that \`GET /slots\` lists, for a calendar that shows which days are open. A request covers at most ${limits.slotDaysRangeDays} days.`,
  query: slotsQuery.check(oneServiceOrVisit, memberOfEach(), placesOfOneService),
  output: resources.slotDays,
  errors: ['range_too_large', 'not_found'],
  needs: { records: ['BatchGetItem', 'GetItem', 'Query'] },
  example: { query: { serviceId: 1002, from: '2026-12-02', to: '2026-12-02' } },
  tool: {
    name: 'list_days',
    description: 'How many free starts each date has. Ask this first for more than two days.',
  },
});

export const explainSlot = get('/slots/explain', {
  scope: 'slots:read',
  session: 'browse',
  summary: 'Why a start is free or not',
  description:
    'The field `free` is true exactly when `GET /slots` lists the start. `reasons` lists everything that prevents a booking.',
  query: z
    .strictObject({
      ...servicesQuery,
      startTime: field('Start with `Z` or any offset. A `+` in a URL is written `%2B`.', instant()),
      staffId: field(
        'Id of the staff member to check. Default: every member who does the service.',
        z.optional(queryId()),
      ),
      places: placesLeft,
      movingBookingId,
      staffIds: staffOfEach('Ids of the staff members to check, one for each of `serviceIds` in their order.'),
    })
    .check(oneServiceOrVisit, memberOfEach(), placesOfOneService),
  output: resources.slotExplanation,
  errors: ['not_found'],
  needs: { records: ['BatchGetItem', 'GetItem', 'Query'] },
  example: { query: { serviceId: 1002, startTime: '2026-12-02T09:50:00+02:00' } },
  tool: {
    name: 'explain_start',
    description: 'Why one start is not free, by staff member. For the question "why not at ten?".',
  },
});

export const createHold = post('/slots/holds', {
  scope: 'bookings:write',
  session: 'book',
  summary: 'Hold a slot for some minutes',
  description:
    'Reserves the slot until `expiresAt`, for a booking request with the `holdId`. For services without `staffId`, the least busy of the free staff members are chosen. Raises no event.',
  body: z
    .strictObject({
      ...serviceFields,
      staffId: field('Id of the staff member of the slot. Required with `serviceId`.', z.optional(id())),
      startTime: field('Start of the slot, with `Z` or any offset.', instant()),
      places: places(),
      minutes: field(
        `How long to hold the slot. Default: ${limits.holdMinutesDefault}.`,
        z.optional(z.int().check(z.minimum(1), z.maximum(limits.holdMinutesMax))),
      ),
    })
    .check(...oneOrVisit(), staffOfService),
  status: 201,
  output: resources.hold,
  idempotent: true,
  errors: ['slot_unavailable', 'hold_limit_reached', 'not_found'],
  unaudited: true,
  needs: { records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'] },
  tool: {
    name: 'hold_slot',
    description:
      'Keeps a listed slot for some minutes while the person decides, and returns price, local time and rules. Read these to the person, and book only after a clear yes.',
  },
});

export const releaseHold = del('/slots/holds/:holdId', {
  scope: 'bookings:write',
  session: 'book',
  summary: 'Release a hold',
  description:
    'The slot is free again at once. The response is `not_found` if the hold has expired, was used by a booking or belongs to another key. Raises no event.',
  params: z.strictObject({ holdId: field('`holdId` of the hold.', text(1, 64)) }),
  unaudited: true,
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'] },
});

export const listBookings = get('/bookings', {
  scope: 'bookings:read',
  summary: 'Bookings, sorted by start',
  description:
    'With `status=pending` or another filter that few bookings match, also send `from`: otherwise many pages may be empty.',
  query: bookingsQuery(),
  output: changesPageOf(resources.booking),
  needs: { records: ['Query', 'BatchGetItem'], indexes: ['byStart', 'byClient'] },
  tool: {
    name: 'list_bookings',
    description: 'Bookings by time, state, staff member, service or client. Give `from` and `to`, or the list is long.',
  },
});

export const createBooking = post('/bookings', {
  scope: 'bookings:write',
  session: 'book',
  summary: 'Create a booking',
  description:
    'Without `staffId` a free staff member is chosen. For a visit of several services, send `services` in order. Send exactly one of `client` and `clientId`; a `client` with an unknown phone or email becomes a new client. The booking keeps the name and contacts that you sent. Raises `booking.created`, `booking.confirmed` if the booking is confirmed at once, and `client.created` for a new client.',
  body: z
    .strictObject({
      ...bookingFields,
      clientId: personal(
        field(
          'Id of a known client. Send either `clientId` or `client`. Needs the scope `bookings:read` as well.',
          z.optional(id()),
        ),
      ),
      holdId: field('`holdId` of an unexpired hold of this slot, which the booking uses up.', z.optional(text(1, 64))),
    })
    .check(...oneOrVisit(), oneClient),
  status: 201,
  output: resources.changedBooking,
  preview: resources.bookingPreview,
  location: '/bookings/:id',
  idempotent: true,
  errors: ['not_found', 'slot_unavailable', 'hold_expired', 'contact_limit_reached'],
  needs: { records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  tool: {
    name: 'book',
    description:
      'Books the slot of a hold for a person who agreed to time and price. Make a new `idempotencyKey` for each booking, and send the same one again when a response was lost: the tool never books twice.',
    required: ['holdId', 'idempotencyKey'],
    repeatable: true,
  },
});

export const getBooking = get('/bookings/:id', {
  scope: 'bookings:read',
  session: 'read',
  summary: 'One booking',
  params: byId(),
  output: resources.changedBooking,
  needs: { records: ['GetItem'] },
  tool: { name: 'get_booking', description: 'One booking by its id.' },
});

export const updateBooking = patch('/bookings/:id', {
  scope: 'bookings:write',
  summary: 'Change metadata, reference or comment',
  description:
    'Changes `metadata`, `externalId` or `comment` in every state of the booking, and raises no event. The booking appears again in lists that are sorted by change.',
  params: byId(),
  body: bookingChanges(),
  output: resources.changedBooking,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'PutItem', 'DeleteItem'] },
  example: { body: { metadata: { room: 'blue', newsletter: null }, externalId: 'crm-4711' } },
});

export const listBookingPayments = get('/bookings/:id/payments', {
  scope: 'bookings:read',
  summary: 'Payments for a booking, newest first',
  params: byId(),
  query: z.strictObject({ limit: limitQuery(), cursor: cursorQuery() }),
  output: cursorPageOf(resources.payment),
  needs: { records: ['GetItem', 'Query'], indexes: ['byClient'] },
});

export const cancelBooking = post('/bookings/:id/cancel', {
  scope: 'bookings:write',
  session: 'cancel',
  summary: 'Cancel a booking',
  description:
    'Sets the status to `cancelled` and frees the time at once. If less than `cancellationNoticeMinutes` of the business is left until the start, the response is `cancellation_window_passed`. A second cancellation changes nothing. Raises `booking.cancelled`.',
  params: byId(),
  body: cancellation(),
  bodyOptional: true,
  output: resources.changedBooking,
  errors: ['invalid_state', 'cancellation_window_passed'],
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem'] },
  tool: {
    name: 'cancel_booking',
    description:
      'Cancels a booking and frees its time, for good. Ask the person before. A second call changes nothing.',
    destructive: true,
    repeatable: true,
  },
});

export const rescheduleBooking = post('/bookings/:id/reschedule', {
  scope: 'bookings:write',
  session: 'move',
  summary: 'Move a booking to another time or staff member',
  description:
    'Frees the old time and takes the new one in one step: if the new time is not free, the booking does not move. Id, price and client of the booking stay. Raises `booking.rescheduled`, unless time and staff member are the same.',
  params: byId(),
  body: move(),
  output: resources.movedBooking,
  preview: resources.bookingPreview,
  idempotent: true,
  errors: ['invalid_state', 'slot_unavailable', 'contact_limit_reached'],
  needs: { records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'] },
  tool: {
    name: 'move_booking',
    description:
      'Moves a booking to another listed start, with the `staffId` of that slot. The id stays. Ask the person before.',
    repeatable: true,
  },
});

export const createSession = post('/sessions', {
  scope: 'bookings:write',
  summary: 'Open a session for a browser',
  description:
    'A page sends the `token` as `Authorization: Bearer` instead of your key. A `booker` session reads the business, its services, staff and slots, books up to `bookings` times, and reads, moves and cancels its own bookings. A `booking` session allows the actions in `may` for one booking. A session has its own request limits, and ends when your key is revoked or expires. Only this response shows the token.',
  body: newSession(),
  status: 201,
  output: resources.session,
  errors: ['not_found'],
  needs: { records: ['GetItem', 'PutItem'], keys: ['PutItem'], pages: true },
});

export const deleteSession = del('/sessions/:id', {
  scope: 'bookings:write',
  summary: 'End a session',
  description: 'The session ends at once: the next request with its token gets 401.',
  params: byId(),
  needs: { records: ['GetItem', 'DeleteItem'], keys: ['DeleteItem'] },
});

export const listClients = get('/clients', {
  scope: 'bookings:read',
  summary: 'Clients, newest first',
  description:
    'With `phone` or `email`, the list contains only the client with this phone or email. Any page may be shorter than `limit`.',
  query: clientsQuery(),
  output: changesPageOf(resources.client),
  needs: { records: ['Query', 'BatchGetItem'] },
});

export const getClient = get('/clients/:id', {
  scope: 'bookings:read',
  summary: 'One client',
  params: byId(),
  output: resources.client,
  needs: { records: ['GetItem'] },
});

export const listReviews = get('/reviews', {
  scope: 'reviews:read',
  summary: 'Reviews, newest first',
  query: reviewsQuery(),
  output: resources.reviewPage,
  needs: { records: ['GetItem', 'Query'] },
});

export const listEventTypes = get('/webhooks/events', {
  scope: 'webhooks:manage',
  summary: 'The events a webhook can subscribe to',
  query: z.strictObject(pageQuery()),
  output: pageOf(resources.eventType),
  needs: {},
});

export const createWebhook = post('/webhooks', {
  scope: 'webhooks:manage',
  summary: 'Register a webhook',
  description:
    'Only this response shows the signing secret. Some events need another scope in addition to `webhooks:manage`; `GET /webhooks/events` lists this scope. The guide "Choose how to receive events" compares a push with a feed.',
  body: z.strictObject(newWebhookFields).check(oneWayOut),
  status: 201,
  output: resources.webhookWithSecret,
  location: '/webhooks/:id',
  errors: ['webhook_limit_reached'],
  needs: { deliveries: ['GetItem', 'Query', 'PutItem', 'UpdateItem'], secrets: ['PutItem'] },
  waitsForNames: true,
});

export const listWebhooks = get('/webhooks', {
  scope: 'webhooks:manage',
  summary: "The key's webhooks",
  query: z.strictObject(pageQuery()),
  output: pageOf(resources.webhook),
  needs: { deliveries: ['Query'] },
});

export const getWebhook = get('/webhooks/:id', {
  scope: 'webhooks:manage',
  summary: 'One webhook',
  params: byId(),
  output: resources.webhook,
  needs: { deliveries: ['GetItem'] },
});

export const updateWebhook = patch('/webhooks/:id', {
  scope: 'webhooks:manage',
  summary: 'Change or reactivate a webhook',
  description:
    'A `status` of `active` enables a failed webhook again and resets `consecutiveFailures`. New `events` need the same scopes as the events of a new webhook. `targetUrl` can be written ten times an hour.',
  params: byId(),
  body: webhookChanges(),
  output: resources.webhook,
  errors: ['webhook_limit_reached', 'invalid_state'],
  needs: { deliveries: ['GetItem', 'Query', 'PutItem', 'UpdateItem'] },
  waitsForNames: true,
});

export const deleteWebhook = del('/webhooks/:id', {
  scope: 'webhooks:manage',
  summary: 'Delete a webhook',
  description: 'Pending deliveries of the webhook are not sent, and its delivery records are deleted.',
  params: byId(),
  needs: {
    deliveries: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: ['DeleteItem'],
    send: ['erasures'],
  },
});

export const rotateWebhookSecret = post('/webhooks/:id/rotate-secret', {
  scope: 'webhooks:manage',
  summary: 'Replace the signing secret',
  description:
    'Without `graceSeconds`, the old secret is no longer used. With `graceSeconds`, `webhook-signature` contains signatures with the new and the old secret for this time; `X-Webhook-Signature` contains only a signature with the new secret.',
  params: byId(),
  body: z.strictObject({
    graceSeconds: field(
      `Seconds for which messages are also signed with the old secret, 0 to ${limits.secretGraceSecondsMax}. Default: 0.`,
      z.optional(z.int().check(z.minimum(0), z.maximum(limits.secretGraceSecondsMax))),
    ),
  }),
  bodyOptional: true,
  output: resources.rotatedSecret,
  needs: { deliveries: ['GetItem', 'ConditionCheckItem'], secrets: ['GetItem', 'PutItem'] },
});

export const pingWebhook = post('/webhooks/:id/ping', {
  scope: 'webhooks:manage',
  summary: 'Send a test message now',
  params: byId(),
  body: z.strictObject({
    event: field(
      'Sends this event with its published example, marked by `"test": true`. The webhook need not be subscribed to it. Default: `ping`.',
      z.optional(eventName),
    ),
  }),
  bodyOptional: true,
  description:
    'Sends one signed message to the webhook while you wait, or adds the message to its feed. The ping is recorded like a delivery, is never retried, and changes neither `consecutiveFailures` nor `lastTriggeredAt`. The response is 200 even if your server failed: `success` shows the result. At most one ping of a webhook and three of a business wait for a server at a time.',
  output: resources.pingResult,
  errors: ['ping_in_progress'],
  needs: { deliveries: ['GetItem', 'PutItem', 'UpdateItem'], secrets: ['GetItem'] },
  timeoutSeconds: 20,
});

export const readFeed = get('/webhooks/:id/feed', {
  scope: 'webhooks:manage',
  summary: 'Read the messages of a webhook',
  description:
    'Returns the messages after a number, in order, of a webhook with `delivery: "poll"`. A message has the `headers` and `body` of a pushed message, and is signed when you read it: verify it in the same way. Messages can be read again for 30 days. With `wait`, the request waits until there is a message. At most one request of a webhook and five of a business wait at a time.',
  params: byId(),
  query: z.strictObject({
    after: field(
      '`next` of the last page that you handled. Default: 0, the beginning.',
      z.optional(queryInteger(0, Number.MAX_SAFE_INTEGER)),
    ),
    limit: field(
      `Maximum number of messages, 1 to ${limits.pageSizeMax}. Default: ${limits.pageSizeMax}.`,
      z.optional(queryInteger(1, limits.pageSizeMax)),
    ),
    wait: field(
      `Seconds to wait for a first message, 0 to ${limits.feedWaitSeconds}. Default: 0.`,
      z.optional(queryInteger(0, limits.feedWaitSeconds)),
    ),
  }),
  output: resources.feedPage,
  errors: ['invalid_state', 'feed_busy', 'feed_expired'],
  needs: { deliveries: ['GetItem', 'Query', 'UpdateItem'], secrets: ['GetItem'], records: ['BatchGetItem'] },
  timeoutSeconds: limits.feedWaitSeconds + 5,
  waits: true,
});

export const listDeliveries = get('/webhooks/:id/deliveries', {
  scope: 'webhooks:manage',
  summary: 'Delivery records, newest first',
  params: byId(),
  query: z.strictObject(pageQuery()),
  output: pageOf(resources.deliveryRecord),
  needs: { deliveries: ['GetItem', 'BatchGetItem', 'Query'] },
});

export const listAllDeliveries = get('/deliveries', {
  scope: 'webhooks:manage',
  summary: 'Delivery records of all webhooks, newest first',
  description: `A page looks through at most ${limits.recordsPerPage} records. If few records match a filter, a page may be short or empty although more pages follow: continue with \`nextCursor\`. Records whose times are only seconds apart may be in another order.`,
  query: z.strictObject({
    webhookId: field('Only records of the webhook with this id.', z.optional(queryId())),
    deliveryStatus: field('Only records in this state.', z.optional(resources.deliveryStatus)),
    deliveryId: field('Only the attempts of this delivery, all on one page.', z.optional(text(1, 64))),
    event: field(
      'Only records of this event, or of `ping`.',
      z.optional(z.enum([...eventNames, 'ping'], { error: 'must be the name of an event, or ping' })),
    ),
    from: field('Only records made at this time or later.', z.optional(instant())),
    to: field('Only records made before this time.', z.optional(instant())),
    limit: limitQuery(),
    cursor: cursorQuery(limits.deliveriesCursorLength),
  }),
  output: cursorPageOf(resources.listedDeliveryRecord),
  needs: { deliveries: ['BatchGetItem', 'Query'] },
});

export const listRequests = get('/requests', {
  scope: 'webhooks:manage',
  summary: 'Requests of the key, newest first',
  description: `Lists requests of the last ${requestLogLimits.days} days, including those of sessions, without their bodies and queries. A failed request usually appears within a minute or two. Successful requests are written in groups of up to ${requestLogLimits.entriesPerWrite}, so they are listed late, and some are never listed. With filters, a page may be short or empty although more pages follow: continue with \`nextCursor\`.`,
  query: z.strictObject({
    statusClass: field('Only requests whose response status is of this class.', z.optional(resources.statusClass)),
    code: field('Only requests that failed with this error code.', z.optional(text(1, 64))),
    requestId: field('Only the request with this id.', z.optional(text(1, 128))),
    from: field('Only requests made at this time or later.', z.optional(instant())),
    to: field('Only requests made before this time.', z.optional(instant())),
    limit: limitQuery(),
    cursor: cursorQuery(),
  }),
  output: cursorPageOf(resources.loggedRequest),
  needs: { records: ['Query'] },
});

export const getWebhookStatistics = get('/webhooks/:id/statistics', {
  scope: 'webhooks:manage',
  summary: 'How deliveries to a webhook went, by hour',
  description: `Counts attempts by the hour in which they were sent: how they ended and how fast your server responded. Statistics go back ${limits.webhookStatisticsDays} days.`,
  params: byId(),
  query: z.strictObject({
    from: field('Only the hour of this time and later ones. Default: 24 hours before `to`.', z.optional(instant())),
    to: field('Only hours that begin before this time. Default: now.', z.optional(instant())),
  }),
  output: statistics.webhookStatistics,
  errors: ['range_too_large'],
  needs: { deliveries: ['GetItem', 'BatchGetItem', 'Query'] },
});

const oneDelivery = z.strictObject({ ...byId().shape, deliveryId: field('`deliveryId` of the message.', text(1, 64)) });

export const getDelivery = get('/webhooks/:id/deliveries/:deliveryId', {
  scope: 'webhooks:manage',
  summary: 'One delivery: its message and all attempts',
  description:
    'Returns the body as it was sent, the headers without signatures, and the record of every attempt. You can compare the body with the one that your server received. Pings are deliveries, too. A delivery is kept for 30 days.',
  params: oneDelivery,
  output: resources.delivery,
  needs: { deliveries: ['GetItem', 'BatchGetItem'] },
});

export const redeliver = post('/webhooks/:id/deliveries/:deliveryId/redeliver', {
  scope: 'webhooks:manage',
  summary: 'Send one delivery again',
  params: oneDelivery,
  status: 202,
  description:
    'Sends a delivery in the state `success` or `failed` once more, with the body and the `deliveryId` of the first attempt and the next attempt number. The webhook must be active, and its key must be allowed to receive the event. A failed redelivery is not retried and does not count towards disabling the webhook. A delivery has at most ten manual attempts.',
  output: resources.deliveryRecord,
  errors: ['invalid_state'],
  needs: { deliveries: ['GetItem', 'PutItem', 'UpdateItem'], send: ['retries'] },
});

export const recoverWebhook = post('/webhooks/:id/recover', {
  scope: 'webhooks:manage',
  summary: 'Send again the deliveries that failed in a period',
  params: byId(),
  body: z.strictObject({
    since: field('Start of the period, included. Not in the future.', instant()),
    until: field('End of the period, included. Default: now.', z.optional(instant())),
  }),
  status: 202,
  description:
    'Redelivers every delivery that was created from `since` to `until` (default: now) whose newest attempt failed, or was not made because the webhook was disabled. The webhook must be active; events that its key may not receive are left out. Deliveries that are still being retried keep their schedule and are counted in `stillRetrying`. A recovery sends at most 5000 deliveries, of a period with at most 100 000 records. A second recovery finds only deliveries that have failed again. One recovery of a webhook runs at a time, and the next recovery begins at least 60 seconds after the response to the previous one. A delivery that had ten manual attempts, or three that failed, is not sent again, and is counted in `leftOut`.',
  output: resources.recovery,
  errors: ['range_too_large', 'recovery_in_progress', 'invalid_state'],
  needs: { deliveries: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'], send: ['retries'] },
  timeoutSeconds: limits.recoverySeconds,
});

export const callMcp = post('/mcp', {
  scope: null,
  summary: 'Tools for AI agents (Model Context Protocol)',
  description:
    'A stateless server of the Model Context Protocol: each request is one JSON-RPC message, without a session. `tools/list` shows the tools that the scopes of the key allow, and `tools/call` calls the endpoint of a tool. AI agents may use every test key, but a live key only if the owner allows it. See the guide "Let an agent book".',
  body: z.strictObject({
    jsonrpc: field('Version of JSON-RPC.', z.literal('2.0')),
    id: field(
      'Id that the response repeats. A notification has none.',
      z.optional(z.union([text(0, 128), z.int()], { error: 'must be text or an integer' })),
    ),
    method: field('Method, such as `tools/call`.', z.string().check(z.minLength(1), z.maxLength(128))),
    params: field('Parameters of the method.', z.optional(mapOf(text(1, 64), z.unknown(), 32))),
  }),
  output: resources.mcpAnswer,
  otherResponses: {
    202: { description: 'The notification was accepted.' },
    400: {
      description: '`validation_failed`, `invalid_json`, or an error of JSON-RPC, such as an unsupported version.',
      output: resources.mcpAnswer,
    },
    404: {
      description:
        'There is no such method: error -32601 of JSON-RPC. Before MCP 2026-07-28, this error has status 200.',
      output: resources.mcpAnswer,
    },
  },
  errors: ['agents_not_allowed'],
  // The needs of all tools are added in api.ts. A tool's changes are audited as those of its own row.
  needs: {},
  unaudited: true,
  example: { body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
});

/**
 * The endpoints of the account API, one row each (docs/rules.md#owners). The export's name is the operation:
 * `createService` is served by `functions/account/create-service.ts`. Gateway, policies, parsing, OpenAPI and the tests
 * of every endpoint are derived from this module. A row names the lowest role that may call it; without one only owners
 * may.
 */
import * as z from 'zod/mini';
import { del, get, patch, post, put, type Route } from '../define.ts';
import { eventName } from '../event-names.ts';
import {
  changesPageOf,
  cursorPageOf,
  cursorQuery,
  date,
  field,
  id,
  instant,
  limitQuery,
  pageOf,
  pageQuery,
  queryId,
  text,
} from '../fields.ts';
import {
  bookingFields,
  byId,
  cancellation,
  clientsQuery,
  idList,
  move,
  newWebhookFields,
  ofService,
  ofStaff,
  oneClient,
  oneOrVisit,
  oneWayOut,
  reviewsQuery,
  rightsToBooking,
  sessionSeconds,
} from '../integration/inputs.ts';
import * as resources from '../integration/resources.ts';
import * as integration from '../integration/routes.ts';
import { busyLimits, limits } from '../limits.ts';
import * as statistics from '../statistics.ts';
import type { Needs } from '../system/needs.ts';
import {
  apiKeyChanges,
  businessChanges,
  busyBlocks,
  bySource,
  clientChanges,
  clientErasure,
  colleagueChanges,
  keyReplacement,
  newApiKey,
  newClientOfOwner,
  newColleague,
  newPayment,
  newRefund,
  newResource,
  newReview,
  newService,
  newStaffMember,
  outsideRules,
  resourceChanges,
  scheduleChanges,
  serviceChanges,
  staffChanges,
  wholeMinute,
} from './inputs.ts';
import * as account from './resources.ts';

/** A row of both APIs, for which the owner calls the same function. */
function ofOwner<const R extends Route>({ scope: _, example: __, ...row }: R) {
  return row;
}

/** A row about one webhook of the business. The webhook may belong to any API key, so all keys are searched. */
function ofAnyKey<const R extends Route>(route: R) {
  const { needs, ...row } = ofOwner(route);
  const deliveries: Needs['deliveries'] = [...new Set([...(needs.deliveries ?? []), 'Query' as const])];
  return { ...row, needs: { ...needs, deliveries } };
}

/** The row also reads the API key, because its scopes decide what its webhook receives. */
function ofReceivingKey<const R extends Route>(route: R) {
  const { needs, ...row } = ofAnyKey(route);
  return { ...row, needs: { ...needs, records: ['GetItem'] } } as const;
}

export const getMe = get('/me', {
  role: 'member',
  summary: 'Who is signed in',
  output: account.me,
  needs: { records: ['GetItem'] },
});

export const getBusiness = get('/business', {
  role: 'member',
  summary: 'The business',
  output: account.accountBusiness,
  errors: ['not_found'],
  needs: { records: ['GetItem'] },
});

export const updateBusiness = patch('/business', {
  summary: 'Change the business',
  description:
    'The first call creates the business and needs `name`, `timeZone` and `currency`. While there are bookings that are not over yet, the time zone changes only with `keepInstants`. The currency cannot change while there are services.',
  body: businessChanges(),
  output: account.accountBusiness,
  errors: ['not_found', 'future_bookings', 'invalid_state'],
  needs: { records: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], indexes: ['byStart'] },
});

export const listServices = get('/services', {
  role: 'member',
  summary: 'Services',
  query: z.strictObject({ ...pageQuery(), staffId: ofStaff() }),
  output: pageOf(resources.service),
  needs: { records: ['Query'] },
});

export const getService = get('/services/:id', {
  role: 'member',
  summary: 'One service',
  params: byId(),
  output: resources.service,
  needs: { records: ['GetItem'] },
});

export const createService = post('/services', {
  summary: 'Add a service',
  description: 'The service can be booked at once if it is active and has staff.',
  body: newService(),
  status: 201,
  output: resources.service,
  location: '/services/:id',
  idempotent: true,
  errors: ['not_found'],
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

export const updateService = patch('/services/:id', {
  summary: 'Change a service',
  description: 'Existing bookings keep their time and price. Slots change at once.',
  params: byId(),
  body: serviceChanges(),
  output: resources.service,
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

export const deleteService = del('/services/:id', {
  summary: 'Delete a service',
  description: 'Existing bookings stay. Slots change at once.',
  params: byId(),
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
});

export const listResources = get('/resources', {
  role: 'member',
  summary: 'Rooms and other resources',
  query: z.strictObject(pageQuery()),
  output: pageOf(account.resource),
  needs: { records: ['Query'] },
});

export const getResource = get('/resources/:id', {
  role: 'member',
  summary: 'One resource',
  params: byId(),
  output: account.resource,
  needs: { records: ['GetItem'] },
});

export const createResource = post('/resources', {
  summary: 'Add a resource',
  description: 'A booking of a service with a `resourceKind` takes one free active resource of that kind.',
  body: newResource(),
  status: 201,
  output: account.resource,
  location: '/resources/:id',
  idempotent: true,
  errors: ['not_found'],
  needs: { records: ['GetItem', 'PutItem', 'UpdateItem'] },
});

export const updateResource = patch('/resources/:id', {
  summary: 'Change a resource',
  description: 'Existing bookings keep the resource, also when it becomes inactive. Slots change at once.',
  params: byId(),
  body: resourceChanges(),
  output: account.resource,
  needs: { records: ['GetItem', 'PutItem', 'UpdateItem'] },
});

export const deleteResource = del('/resources/:id', {
  summary: 'Delete a resource',
  description:
    'Refused while bookings with this resource are not over yet; `details` contains the number of these bookings.',
  params: byId(),
  errors: ['future_bookings'],
  needs: { records: ['GetItem', 'Query', 'PutItem', 'DeleteItem'], indexes: ['byStart'] },
});

export const listStaff = get('/staff', {
  role: 'member',
  summary: 'Staff members',
  query: z.strictObject({
    ...pageQuery(),
    serviceId: ofService(),
    weekFrom: field('Adds the hours and busy times of the seven days from this date on.', z.optional(date())),
  }),
  output: pageOf(account.listedStaffMember),
  needs: { records: ['Query'] },
});

export const getStaffMember = get('/staff/:id', {
  role: 'member',
  summary: 'One staff member',
  params: byId(),
  output: resources.staffMember,
  needs: { records: ['GetItem'] },
});

export const createStaffMember = post('/staff', {
  summary: 'Add a staff member',
  description: 'Without `schedule` the staff member gets the working hours of the business.',
  body: newStaffMember(),
  status: 201,
  output: resources.staffMember,
  location: '/staff/:id',
  idempotent: true,
  errors: ['not_found'],
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

export const updateStaffMember = patch('/staff/:id', {
  summary: 'Change a staff member',
  description:
    'Existing bookings stay. Slots change at once. Raises `service.updated` for each service that the staff member gains or loses.',
  params: byId(),
  body: staffChanges(),
  output: resources.staffMember,
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

export const deleteStaffMember = del('/staff/:id', {
  summary: 'Delete a staff member',
  description:
    'Refused while bookings of the staff member are not over yet; `details` contains the number of these bookings.',
  params: byId(),
  errors: ['future_bookings'],
  needs: { records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], indexes: ['byStart'] },
});

export const getStaffSchedule = get('/staff/:id/schedule', {
  role: 'member',
  summary: 'When a staff member works',
  params: byId(),
  output: account.staffSchedule,
  needs: { records: ['GetItem'] },
});

export const updateStaffSchedule = patch('/staff/:id/schedule', {
  summary: 'Change when a staff member works',
  description:
    '`weekly` replaces all weekdays. `exceptions` replaces only the hours of the named dates: an empty list is a day off, and null restores the weekly hours. Existing bookings stay. Slots change at once.',
  params: byId(),
  body: scheduleChanges(),
  output: account.staffSchedule,
  needs: { records: ['GetItem', 'PutItem', 'UpdateItem'] },
});

export const listBusyElsewhere = get('/staff/:id/busy', {
  role: 'member',
  summary: 'When a staff member is busy elsewhere',
  params: byId(),
  query: z.strictObject(pageQuery()),
  output: pageOf(account.busyElsewhere),
  needs: { records: ['GetItem'] },
});

export const putBusyElsewhere = put('/staff/:id/busy/:source', {
  summary: 'Replace the busy times of a staff member',
  description: `Replaces all earlier blocks of this source; an empty list removes the blocks. Slots avoid the new blocks at once, and existing bookings stay. A staff member has at most ${busyLimits.sourcesMax} sources. A block ends at most ${busyLimits.aheadDays} days ahead, and a block in the past is not kept.`,
  params: bySource(),
  body: busyBlocks(),
  output: account.busyElsewhere,
  needs: { records: ['GetItem', 'PutItem', 'UpdateItem'] },
});

export const listClients = get('/clients', {
  role: 'desk',
  summary: 'Clients, newest first, or a search for clients',
  description: `With \`search\`, the list contains clients found by name, sorted by name from the found word on, then those found only by phone, then by email. A page before the last may be shorter than \`limit\`.`,
  query: z.strictObject({
    ...clientsQuery().shape,
    search: field(
      `Beginning of one of the first ${limits.searchedWords} words of the name, of the phone with country code, or of the email. Case, accents and separators do not matter.`,
      z.optional(text(1, limits.nameLength)),
    ),
    ids: field(
      `Only clients with these ids: up to ${limits.idsPerList}, separated by commas, all on one page.`,
      z.optional(idList()),
    ),
  }),
  output: changesPageOf(resources.client),
  needs: { records: ['Query', 'BatchGetItem'] },
});

export const getClient = get('/clients/:id', { role: 'desk', ...ofOwner(integration.getClient) });

export const createClient = post('/clients', {
  role: 'desk',
  summary: 'Add a client',
  description:
    'A phone or an email belongs to one client: if another client has this phone or email already, the response is `client_exists` with the id of that client. Raises `client.created`.',
  body: newClientOfOwner(),
  status: 201,
  output: resources.client,
  location: '/clients/:id',
  idempotent: true,
  errors: ['client_exists'],
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem'] },
});

export const updateClient = patch('/clients/:id', {
  role: 'desk',
  summary: 'Change a client',
  description: 'Existing bookings keep the name, phone and email that they were made with.',
  params: byId(),
  body: clientChanges(),
  output: resources.client,
  errors: ['client_exists', 'invalid_state'],
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'] },
});

export const eraseClient = post('/clients/:id/erase', {
  summary: 'Erase a client',
  description:
    'Erases the personal data of the client for good. Name, phone and email are erased at once. Comments and contacts of bookings, names and texts of reviews, reasons of cancellations and refunds, and this data in messages are erased within a minute. Ids and times stay. A repeated request gets the same response, and searches again if the last search began more than five minutes ago or if `cancelBookings` is new. Upcoming bookings stay, unless `cancelBookings` is true.',
  params: byId(),
  body: clientErasure(),
  bodyOptional: true,
  status: 202,
  output: resources.client,
  needs: {
    records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byClient'],
    send: ['erasures'],
  },
});

export const exportClient = post('/clients/:id/export', {
  summary: 'Export what is kept about a client',
  description:
    'Returns page by page what an erasure would remove, except bookings of other clients. A page may be empty although more pages follow. Send the `nextCursor` of each page as the next `cursor` until it is null.',
  params: byId(),
  body: z.strictObject({ cursor: cursorQuery() }),
  bodyOptional: true,
  output: account.clientRecords,
  needs: {
    records: ['GetItem', 'BatchGetItem', 'Query'],
    deliveries: ['BatchGetItem', 'Query'],
    indexes: ['byClient'],
  },
});

export const listAudit = get('/audit', {
  summary: 'Changes by owners, keys and clients, newest first',
  description: `Lists changes by owners, API keys and clients in the last ${limits.auditDays} days, except holds of slots.`,
  query: z.strictObject({ limit: limitQuery(), cursor: cursorQuery() }),
  output: cursorPageOf(account.auditEntry),
  needs: { records: ['Query'] },
});

export const listRequests = get('/requests', {
  ...ofOwner(integration.listRequests),
  summary: 'Requests of API keys, newest first',
  description: `${integration.listRequests.description} Requests to the account API are listed only if they failed.`,
  query: z.extend(integration.listRequests.query, {
    apiKeyId: field('Only requests of the API key with this id.', z.optional(queryId())),
  }),
});

export const listSlots = get('/slots', { role: 'desk', ...ofOwner(integration.listSlots) });

export const explainSlot = get('/slots/explain', { role: 'desk', ...ofOwner(integration.explainSlot) });

export const listBookings = get('/bookings', { role: 'member', ...ofOwner(integration.listBookings) });

export const createBooking = post('/bookings', {
  role: 'desk',
  summary: 'Create a booking',
  description:
    'The rules are those of the integration API: the start must be one of the listed slots, unless `outsideRules` is true. The `source` of the booking is `account`.',
  body: z
    .strictObject({ ...bookingFields, outsideRules: outsideRules() })
    .check(...oneOrVisit(), oneClient, wholeMinute),
  status: 201,
  output: resources.booking,
  preview: resources.bookingPreview,
  location: '/bookings/:id',
  idempotent: true,
  errors: ['not_found', 'slot_unavailable'],
  needs: { records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'] },
});

export const getBooking = get('/bookings/:id', {
  role: 'member',
  summary: 'One booking',
  params: byId(),
  output: resources.booking,
  needs: { records: ['GetItem'] },
});

export const createManageLink = post('/bookings/:id/manage-link', {
  role: 'desk',
  summary: 'A link by which the client manages the booking',
  description:
    'Only this response shows the link. Until it expires, everyone who has the link may do with this booking what `may` allows.',
  params: byId(),
  body: z.strictObject({ may: rightsToBooking(), expiresInSeconds: sessionSeconds(limits.sessionSecondsMax.booking) }),
  bodyOptional: true,
  status: 201,
  output: resources.session,
  needs: { records: ['GetItem', 'PutItem'], keys: ['PutItem'], pages: true },
});

export const endManageLinks = del('/bookings/:id/manage-link', {
  role: 'desk',
  summary: 'End all links to a booking',
  description:
    'Every link to this booking stops working at once, including links made by API keys. The booking does not change, and another link can be created.',
  params: byId(),
  needs: { records: ['GetItem', 'Query', 'DeleteItem'], keys: ['DeleteItem'] },
});

export const confirmBooking = post('/bookings/:id/confirm', {
  role: 'member',
  summary: 'Confirm a pending booking',
  description: 'The booking is `confirmed`. Raises `booking.confirmed`.',
  params: byId(),
  output: resources.booking,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'PutItem'] },
});

export const cancelBooking = post('/bookings/:id/cancel', {
  role: 'member',
  summary: 'Cancel a booking',
  description:
    'An owner may cancel a pending or confirmed booking at any time, even later than `cancellationNoticeMinutes` allows.',
  params: byId(),
  body: cancellation(),
  bodyOptional: true,
  output: resources.booking,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem'] },
});

export const completeBooking = post('/bookings/:id/complete', {
  role: 'member',
  summary: 'Mark a booking as completed',
  description: 'The booking is `completed` and can no longer be moved or cancelled. Raises `booking.completed`.',
  params: byId(),
  output: resources.booking,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'PutItem'] },
});

export const markNoShow = post('/bookings/:id/no-show', {
  role: 'member',
  summary: 'Mark a booking as a no-show',
  description: 'The booking is `no_show` and can no longer be moved or cancelled. Raises `booking.no_show`.',
  params: byId(),
  output: resources.booking,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'PutItem'] },
});

export const rescheduleBooking = post('/bookings/:id/reschedule', {
  role: 'desk',
  summary: 'Move a booking to another time or staff member',
  description:
    'Frees the old time and takes the new one in one step: if the new time is not free, the booking does not move. Raises `booking.rescheduled`.',
  params: byId(),
  body: z.strictObject({ ...move().shape, outsideRules: outsideRules() }).check(wholeMinute),
  output: resources.movedBooking,
  preview: resources.bookingPreview,
  idempotent: true,
  errors: ['invalid_state', 'slot_unavailable'],
  needs: { records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'] },
});

export const listReviews = get('/reviews', {
  role: 'desk',
  ...ofOwner(integration.listReviews),
  query: z.strictObject({
    ...reviewsQuery().shape,
    replied: field(
      '`false`: only reviews without a reply. `true`: only reviews with a reply.',
      z.optional(z.enum(['true', 'false'], { error: 'must be true or false' })),
    ),
  }),
});

export const createReview = post('/reviews', {
  role: 'desk',
  summary: 'Record a review of a completed booking',
  description: 'A booking has at most one review.',
  body: newReview(),
  status: 201,
  output: resources.review,
  errors: ['not_found', 'invalid_state', 'review_exists'],
  needs: { records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

export const replyToReview = post('/reviews/:id/reply', {
  role: 'desk',
  summary: 'Reply to a review',
  description: 'A second reply replaces the first.',
  params: byId(),
  body: z.strictObject({ text: field('The reply, shown below the review.', text(1, limits.textLength)) }),
  output: resources.review,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'UpdateItem'] },
});

const paymentFilters = {
  bookingId: field('Only payments for the booking with this id.', z.optional(queryId())),
  clientId: field('Only entries of the client with this id.', z.optional(queryId())),
  from: field('Only payments received at this time or later.', z.optional(instant())),
  to: field('Only payments received before this time.', z.optional(instant())),
};

export const listPayments = get('/payments', {
  role: 'desk',
  summary: 'Payments, newest first',
  query: z.strictObject({ ...paymentFilters, limit: limitQuery(), cursor: cursorQuery() }),
  output: cursorPageOf(resources.payment),
  needs: { records: ['GetItem', 'Query'], indexes: ['byClient'] },
});

export const getPaymentTotals = get('/payments/totals', {
  role: 'desk',
  summary: 'Payments, summed up',
  description: `Returns the sums of the payments in the currency of the business that match the filters. At most ${limits.paymentsPerTotals} payments are read.`,
  query: z.strictObject(paymentFilters),
  output: statistics.paymentTotals,
  errors: ['not_found', 'range_too_large'],
  needs: { records: ['GetItem'], indexes: ['byStart', 'byClient'] },
});

export const getPayment = get('/payments/:id', {
  role: 'desk',
  summary: 'One payment with its refunds',
  params: byId(),
  output: account.paymentWithRefunds,
  needs: { records: ['GetItem', 'Query'] },
});

export const recordPayment = post('/payments', {
  role: 'desk',
  summary: 'Record a payment that was received',
  description:
    'With `bookingId` the payment belongs to the client of the booking. Without `currency` the currency of the business is used.',
  body: newPayment(),
  status: 201,
  output: resources.payment,
  location: '/payments/:id',
  idempotent: true,
  errors: ['not_found'],
  needs: { records: ['GetItem', 'PutItem'] },
});

export const refundPayment = post('/payments/:id/refunds', {
  role: 'desk',
  summary: 'Refund a payment, wholly or in part',
  description: 'Without `amount` the whole remaining amount is refunded. Refunds never exceed the payment.',
  params: byId(),
  body: newRefund(),
  bodyOptional: true,
  status: 201,
  output: account.refund,
  idempotent: true,
  errors: ['refund_exceeds_payment'],
  needs: { records: ['GetItem', 'PutItem', 'UpdateItem'] },
});

export const listTeam = get('/team', {
  summary: 'Colleagues who were invited',
  description: 'The list does not contain owners who were added by the operator of this service.',
  query: z.strictObject(pageQuery()),
  output: pageOf(account.colleague),
  needs: { records: ['GetItem'] },
});

export const inviteColleague = post('/team', {
  summary: 'Invite a colleague',
  description: `The invitation is sent by email, with a password for the first sign-in. A business sends at most ${limits.invitationsPerDay} invitations a day, and has at most ${limits.colleaguesPerBusiness} colleagues. The team is the same in test mode.`,
  body: newColleague,
  status: 201,
  output: account.colleague,
  location: '/team/:id',
  errors: ['not_found', 'invalid_state', 'colleague_exists'],
  needs: { records: ['GetItem', 'PutItem'], keys: ['UpdateItem'], people: ['AdminCreateUser', 'AdminGetUser'] },
});

export const updateColleague = patch('/team/:id', {
  summary: 'Change the role of a colleague',
  description: 'The new role applies from the next request on. Nobody can change their own role.',
  params: byId(),
  body: colleagueChanges,
  output: account.colleague,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'PutItem'], keys: ['UpdateItem'] },
});

export const removeColleague = del('/team/:id', {
  summary: 'Remove a colleague',
  description: 'The next request of the colleague is refused. Nobody can remove themselves.',
  params: byId(),
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'PutItem'], keys: ['DeleteItem'], people: ['AdminDeleteUser'] },
});

export const listApiKeys = get('/api-keys', {
  summary: 'API keys',
  query: z.strictObject(pageQuery()),
  output: pageOf(account.apiKey),
  needs: { records: ['Query', 'BatchGetItem'], keys: ['BatchGetItem'] },
});

export const createApiKey = post('/api-keys', {
  summary: 'Create an API key',
  description:
    'Only this response shows the value of the key, in `key`. Send `scopes`, or the name of a typical set in `scopeSet`. In test mode the key is a `bk_test_` key of the sandbox, and the first such key creates the sandbox.',
  body: newApiKey(),
  status: 201,
  output: account.apiKeyWithValue,
  location: '/api-keys/:id',
  errors: ['not_found', 'invalid_state', 'api_key_limit_reached'],
  needs: { records: ['GetItem', 'PutItem', 'Query', 'PartiQLInsert'], keys: ['PutItem'] },
});

export const getApiKey = get('/api-keys/:id', {
  summary: 'One API key with its use',
  params: byId(),
  output: account.apiKey,
  needs: { records: ['GetItem', 'BatchGetItem'], keys: ['BatchGetItem'] },
});

export const updateApiKey = patch('/api-keys/:id', {
  summary: 'Change an API key',
  description:
    'Changes the given fields of the key, from the next request on. Only an active key can be changed, not a revoked or expired one.',
  params: byId(),
  body: apiKeyChanges(),
  output: account.apiKey,
  errors: ['invalid_state'],
  needs: {
    records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    keys: ['BatchGetItem', 'UpdateItem'],
  },
});

export const getApiKeyUse = get('/api-keys/:id/use', {
  summary: 'Requests of an API key on each of the last 30 days',
  params: byId(),
  output: account.apiKeyUse,
  needs: { records: ['GetItem'], keys: ['GetItem'] },
});

export const regenerateApiKey = post('/api-keys/:id/regenerate', {
  summary: 'Replace the value of an API key',
  description:
    'The old value stops working at once, or after `overlapHours`. While both values work, responses to requests with the old value have the header `X-API-Key-Works-Until`, and both values share the limits. Id, scopes, origins, expiry, counted requests, webhooks and sessions stay: revoke a key that has leaked. Only this response shows the new value, in `key`.',
  params: byId(),
  body: keyReplacement,
  bodyOptional: true,
  output: account.apiKeyWithValue,
  errors: ['invalid_state'],
  needs: { records: ['GetItem', 'UpdateItem'], keys: ['GetItem', 'PutItem', 'DeleteItem'] },
});

export const revokeApiKey = post('/api-keys/:id/revoke', {
  summary: 'Revoke an API key for good',
  description: 'Requests with the key are refused at once, and its webhooks are not triggered any more.',
  params: byId(),
  output: account.apiKey,
  needs: {
    records: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    keys: ['BatchGetItem', 'GetItem', 'UpdateItem'],
  },
});

export const listWebhooks = get('/webhooks', {
  summary: "Every API key's webhooks",
  query: z.strictObject({
    ...pageQuery(),
    apiKeyId: field('Only webhooks of the API key with this id.', z.optional(queryId())),
  }),
  output: pageOf(account.accountWebhook),
  needs: { deliveries: ['Query'] },
});

export const getWebhook = get('/webhooks/:id', {
  summary: 'One webhook',
  params: byId(),
  output: account.accountWebhook,
  needs: { deliveries: ['Query'] },
});

export const createWebhook = post('/webhooks', {
  summary: 'Register a webhook for an API key',
  description:
    'Only this response shows the signing secret, in `secret`. The key must be active, and have the scope that `GET /webhooks/events` names for an event, if any.',
  body: z
    .strictObject({ apiKeyId: field('Id of the API key that the webhook will belong to.', id()), ...newWebhookFields })
    .check(oneWayOut),
  status: 201,
  output: account.accountWebhookWithSecret,
  location: '/webhooks/:id',
  errors: ['not_found', 'invalid_state', 'webhook_limit_reached', 'insufficient_scope'],
  needs: { ...integration.createWebhook.needs, records: ['GetItem'] },
  waitsForNames: true,
});

export const updateWebhook = patch('/webhooks/:id', {
  ...ofAnyKey(integration.updateWebhook),
  output: account.accountWebhook,
  errors: [...integration.updateWebhook.errors, 'insufficient_scope'],
  needs: ofReceivingKey(integration.updateWebhook).needs,
});

export const deleteWebhook = ofAnyKey(integration.deleteWebhook);
export const rotateWebhookSecret = ofAnyKey(integration.rotateWebhookSecret);
export const pingWebhook = ofAnyKey(integration.pingWebhook);
export const listDeliveries = ofAnyKey(integration.listDeliveries);
export const getWebhookStatistics = ofAnyKey(integration.getWebhookStatistics);
export const redeliver = ofReceivingKey(integration.redeliver);
export const recoverWebhook = ofReceivingKey(integration.recoverWebhook);

export const listAllDeliveries = get('/deliveries', {
  ...ofOwner(integration.listAllDeliveries),
  description: `${integration.listAllDeliveries.description} With \`groupBy\` or \`bookingId\` each delivery is listed once, with its newest attempt, in the order of creation; \`deliveryStatus\` is then that of the delivery.`,
  query: z.extend(integration.listAllDeliveries.query, {
    groupBy: field(
      '`delivery` lists each delivery once. Default: every attempt.',
      z.optional(z.enum(['delivery'], { error: 'must be delivery' })),
    ),
    bookingId: field('Only deliveries about this booking.', z.optional(queryId())),
  }),
  output: cursorPageOf(account.listedDelivery),
});

export const getDelivery = get('/deliveries/:deliveryId', {
  summary: integration.getDelivery.summary,
  description: integration.getDelivery.description,
  params: z.strictObject({ deliveryId: integration.getDelivery.params.shape.deliveryId }),
  output: integration.getDelivery.output,
  needs: ofAnyKey(integration.getDelivery).needs,
});

export const getStatistics = get('/statistics', {
  role: 'desk',
  summary: 'Bookings, payments and occupancy, by day',
  description: `\`from\` and \`to\` are inclusive dates in the zone of the business. A request covers at most ${limits.statisticsRangeDays} days, ${limits.bookingsPerStatistics} bookings and as many payments.`,
  query: z.strictObject({
    from: field(
      `First date, \`YYYY-MM-DD\`. Default: ${limits.statisticsDaysDefault - 1} days before \`to\`.`,
      z.optional(date()),
    ),
    to: field('Last date, included, `YYYY-MM-DD`. Default: today.', z.optional(date())),
  }),
  output: statistics.businessStatistics,
  errors: ['not_found', 'range_too_large'],
  needs: { records: ['GetItem', 'Query'], indexes: ['byStart'] },
});

export const resetSandbox = post('/sandbox/reset', {
  summary: 'Empty the sandbox and copy the catalogue again',
  description:
    'Works in test mode only. Deletes all data except test keys, webhooks and their statistics. The log of each webhook is emptied within two minutes. Copies business, services, staff, schedules and resources as they are now. If `status` is `running`, repeat the request until `status` is `done`.',
  status: 202,
  output: account.reset,
  errors: ['not_found', 'invalid_state'],
  needs: {
    records: ['GetItem', 'Query', 'DeleteItem', 'BatchWriteItem', 'PartiQLInsert'],
    keys: ['BatchWriteItem'],
    deliveries: ['Query', 'PartiQLUpdate'],
    send: ['erasures'],
  },
  timeoutSeconds: 29,
});

export const triggerEvent = post('/sandbox/trigger', {
  summary: 'Raise an event in the sandbox',
  description:
    'Works in test mode only. Makes the changes that raise the event, and returns the ids of what was created or changed. Necessary earlier changes raise events, too: a booking is created before it is completed.',
  body: z.strictObject({ event: field('Name of the event.', eventName) }),
  output: account.triggered,
  errors: ['not_found', 'invalid_state', 'slot_unavailable'],
  needs: { records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'PartiQLInsert'] },
});

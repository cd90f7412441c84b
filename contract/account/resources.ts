/** Resources of the account API that the integration API does not show (docs/rules.md#owners). */
import * as z from 'zod/mini';
import { eventName } from '../event-names.ts';
import { date, field, id, instant, object } from '../fields.ts';
import {
  business,
  client,
  dayHours,
  listedDeliveryRecord,
  payment,
  scope,
  staffMember,
  webhook,
  weeklyHours,
} from '../integration/resources.ts';
import { mode } from '../modes.ts';
import { noticeKinds } from '../notice-kinds.ts';
import { role } from '../roles.ts';

/** The reasons why an address gets no more notices (docs/rules.md#notices). */
const addressOff = z.nullable(
  z.strictObject({
    reason: field(
      '`bounced`: the address does not exist. `complained`: the recipient reported an email as spam.',
      z.enum(['bounced', 'complained']),
    ),
    at: field('When the address stopped working, UTC.', instant()),
  }),
);
export type AddressOff = z.infer<typeof addressOff>;

export const accountBusiness = object('The business, with the fields that only its owner sees.', {
  ...business.shape,
  noticeEmail: field('Email address for notices about webhooks and API keys; null: none.', z.nullable(z.string())),
  noticeEmailOff: field(
    'Why nothing is sent to `noticeEmail` any more; null if emails are sent. Emails are sent again after the address is set again.',
    addressOff,
  ),
});
export type AccountBusiness = z.infer<typeof accountBusiness>;

export const resource = object('A room or another thing that a booking may need.', {
  id: field('Id of the resource.', id()),
  name: field('Name as staff know it.', z.string()),
  kind: field('Kind of the resource; a service names the kind that it needs.', z.string()),
  active: field('`false`: no new booking takes the resource.', z.boolean()),
});
export type Resource = z.infer<typeof resource>;

/** A staff member's working hours by weekday, and dates on which other hours replace them. */
export const staffSchedule = object('When a staff member works.', {
  weekly: field('Hours of every week.', weeklyHours),
  exceptions: field(
    'Hours that replace the weekly ones, by date `YYYY-MM-DD`. An empty list is a day off.',
    z.record(date(), dayHours),
  ),
});
export type StaffSchedule = z.infer<typeof staffSchedule>;

export const busyElsewhere = object('When a staff member is busy in another calendar.', {
  source: field('Name of the other calendar.', z.string()),
  updatedAt: field('When these blocks were last set, UTC.', instant()),
  blocks: field(
    'Busy times, ascending, with a gap between any two.',
    z.array(
      z.strictObject({
        startTime: field('First minute that is taken, UTC.', instant()),
        endTime: field('When the time is free again, UTC.', instant()),
      }),
    ),
  ),
});
export type BusyElsewhere = z.infer<typeof busyElsewhere>;

export const listedStaffMember = object(
  'A staff member; with `weekFrom`, also the hours and busy times of seven days.',
  {
    ...staffMember.shape,
    schedule: field(
      'With `weekFrom`: weekly hours, and the exceptions of these seven days.',
      z.optional(staffSchedule),
    ),
    busy: field(
      'With `weekFrom`: blocks that overlap these seven days, in any time zone.',
      z.optional(z.array(busyElsewhere)),
    ),
  },
);

export const auditEntry = object(
  'One change. `keyId` or `ownerId` is set, or neither if a client used a link from the business.',
  {
    id: field('Id of the entry.', id()),
    at: field('When the change was made, UTC.', instant()),
    operation: field('Method and path of the endpoint, such as `PATCH /v1/account/services/:id`.', z.string()),
    resourceId: field('The id in the path, or of the created object.', z.nullable(id())),
    fields: field('Fields of the request, by their names. Values are not kept.', z.array(z.string())),
    keyId: field('Id of the API key that made the change.', z.nullable(id())),
    ownerId: field('The owner who made the change: `sub` of the token.', z.nullable(z.string())),
    requestId: field('The `X-Request-Id` of the response.', z.nullable(z.string())),
  },
);
export type AuditEntry = z.infer<typeof auditEntry>;

export const clientRecords = object('What is kept about a client.', {
  client: field('The client.', client),
  records: field(
    'Stored records about the client, which an erasure would clear.',
    z.array(
      z.strictObject({
        kind: field(
          'Kind of the record: `booking`, `contact`, `review`, `refund`, `answer`, `event` or `message`.',
          z.string(),
        ),
        data: field('The record as it is stored.', z.record(z.string(), z.unknown())),
      }),
    ),
  ),
  nextCursor: field('Cursor of the next page: send this value as `cursor`. Null at the end.', z.nullable(z.string())),
});
export type ClientRecords = z.infer<typeof clientRecords>;

export const refund = object('Money that was given back.', {
  id: field('Id of the refund.', id()),
  paymentId: field('Id of the payment.', id()),
  amount: field('Amount in minor units of `currency`.', z.int()),
  currency: field('ISO 4217 code, that of the payment.', z.string()),
  reason: field('Why the payment was refunded.', z.nullable(z.string())),
  refundedAt: field('When the refund was made, UTC.', instant()),
});
export type Refund = z.infer<typeof refund>;

export const paymentWithRefunds = object('A payment with its refunds.', {
  ...payment.shape,
  refunds: field('Refunds of the payment, oldest first.', z.array(refund)),
});
export type PaymentWithRefunds = z.infer<typeof paymentWithRefunds>;

const notice = z.nullable(z.enum(noticeKinds));

/** docs/rules.md#api-keys */
const apiKeyStatuses = ['active', 'revoked', 'expired'] as const;

export const apiKeyStatus = field('State of an API key.', z.enum(apiKeyStatuses));

/** An API key without its value (docs/rules.md#api-keys). */
export const apiKey = object('An API key without its value.', {
  id: field('Id of the key. A regenerated key keeps its id.', id()),
  name: field('Your own name for the key.', z.string()),
  prefix: field('First characters of the value, to recognise the key by.', z.string()),
  status: field('Only an active key is accepted.', apiKeyStatus),
  scopes: field('What the key may do.', z.array(scope)),
  allowedOrigins: field('Origins that requests must come from. Empty for a key used on a server.', z.array(z.string())),
  expiresAt: field('When the key stops working, UTC; null: never.', z.nullable(instant())),
  test: field('Whether the value begins with `bk_test_`.', z.boolean()),
  agents: field('Whether AI agents may use the key, at `POST /mcp`. AI agents may always use a test key.', z.boolean()),
  contactEmail: field(
    'Where notices of the key and its webhooks are sent, besides `noticeEmail`; null: none.',
    z.nullable(z.string()),
  ),
  contactEmailOff: field(
    'Why nothing is sent to `contactEmail` any more; null if emails are sent. Emails are sent again after the address is set again.',
    addressOff,
  ),
  notice: field('Notice that the key needs attention; null without a notice.', notice),
  createdAt: field('When the key was made, UTC.', instant()),
  requestsToday: field('Requests counted today, UTC.', z.int()),
  lastUsedAt: field('When the key was last used, to the minute, UTC.', z.nullable(instant())),
  previous: field(
    'The old value of a regenerated key, while it works; null otherwise.',
    z.nullable(
      z.strictObject({
        worksUntil: field('When the old value stops working, UTC.', instant()),
        requests: field(
          'Requests with the old value since the key was regenerated. 0: no program uses the old value.',
          z.int(),
        ),
        lastUsedAt: field('When the old value was last used, to the minute, UTC.', z.nullable(instant())),
      }),
    ),
  ),
});
export type ApiKeyResource = z.infer<typeof apiKey>;

export const apiKeyUse = object('How much an API key was used.', {
  data: field(
    'Each of the last 30 days, the oldest first and today last.',
    z.array(
      z.strictObject({
        date: field('A UTC day.', date()),
        requests: field('Requests on this day, without refused ones.', z.int()),
      }),
    ),
  ),
});
export type ApiKeyUse = z.infer<typeof apiKeyUse>;

/** Only creation and regeneration return a key's value. */
export const apiKeyWithValue = object('An API key with its value.', {
  ...apiKey.shape,
  key: field('The value of the key. Only this response shows it: store it now.', z.string()),
});
export type ApiKeyWithValue = z.infer<typeof apiKeyWithValue>;

export const me = object('A signed-in person.', {
  subject: field('Who is signed in: the `sub` of the token.', z.string()),
  email: field('Email address in the token; null if the token has none.', z.nullable(z.string())),
  role: field('What the person may do in the business.', role),
  staffId: field('Staff member whose bookings a `member` sees; null for other roles.', z.nullable(id())),
  mode: field('Whether this request was for the live business or its sandbox.', mode),
  business: field(
    'The business; null while the business or its sandbox does not exist yet.',
    z.nullable(
      z.strictObject({
        id: field('Id of the business, or of its sandbox.', id()),
        name: field('Name of the business.', z.string()),
      }),
    ),
  ),
});
export type Me = z.infer<typeof me>;

export const colleague = object('A person whom an owner invited.', {
  id: field('Id of the colleague in the team.', id()),
  email: field('Email address with which the colleague signs in.', z.string()),
  role,
  staffId: field('Staff member whose bookings a `member` sees; null for other roles.', z.nullable(id())),
  invitedAt: field('When the invitation was sent, UTC.', instant()),
});
export type Colleague = z.infer<typeof colleague>;

/** The progress of a reset (docs/rules.md#test-mode). */
export const reset = object('Result of a sandbox reset.', {
  status: field(
    '`running`: the sandbox was too large for one call. Call again to continue.',
    z.enum(['done', 'running']),
  ),
});
export type Reset = z.infer<typeof reset>;

/** The ids of the objects that a trigger created or changed. */
export const triggered = object('Result of raising an event in the sandbox.', {
  event: field('The event that was raised.', eventName),
  made: object('What was created or changed in the sandbox.', {
    serviceId: field('Id of the service.', z.optional(id())),
    staffId: field('Id of the staff member.', z.optional(id())),
    clientId: field('Id of the client.', z.optional(id())),
    bookingId: field('Id of the booking.', z.optional(id())),
    reviewId: field('Id of the review.', z.optional(id())),
    paymentId: field('Id of the payment.', z.optional(id())),
    refundId: field('Id of the refund.', z.optional(id())),
  }),
});
export type Triggered = z.infer<typeof triggered>;

export const accountWebhook = object('A webhook with the API key it belongs to.', {
  ...webhook.shape,
  apiKeyId: field('Id of the API key that the webhook belongs to.', id()),
  notice: field('Notice that the webhook needs attention or works again; null without a notice.', notice),
  heldUntil: field(
    'Until when first attempts wait because of the limit of messages per minute, UTC; null if none waits.',
    z.nullable(instant()),
  ),
});
export type AccountWebhook = z.infer<typeof accountWebhook>;

export const accountWebhookWithSecret = object('A new webhook with its signing secret.', {
  ...accountWebhook.shape,
  secret: field('Signing secret, `whsec_…`. Only this response shows it: store it now.', z.string()),
});
export type AccountWebhookWithSecret = z.infer<typeof accountWebhookWithSecret>;

export const listedDelivery = object('One attempt to deliver a message; with `groupBy` the newest one of a delivery.', {
  ...listedDeliveryRecord.shape,
  plannedAt: field('When the delivery was created, UTC. Only with `groupBy` or `bookingId`.', z.optional(instant())),
  bookingId: field('Id of the booking that the message is about; null without one.', z.optional(z.nullable(id()))),
  clientId: field('Id of the client that the message is about; null without one.', z.optional(z.nullable(id()))),
});
export type ListedDelivery = z.infer<typeof listedDelivery>;

/** Resources of the account API that the integration API does not show (docs/rules.md#owners). */
import * as z from 'zod/mini';
import { eventName } from '../event-names.ts';
import { date, id, instant, shape } from '../fields.ts';
import {
  business,
  client,
  dayHours,
  listedDeliveryRecord,
  payment,
  scope,
  webhook,
  weeklyHours,
} from '../integration/resources.ts';
import { mode } from '../modes.ts';
import { noticeKinds } from '../notice-kinds.ts';
import { role } from '../roles.ts';

/** The reasons why an address gets no more notices (docs/rules.md#notices). */
const addressOff = shape(() =>
  z.nullable(
    z.strictObject({
      reason: z
        .enum(['bounced', 'complained'])
        .check(
          z.describe('`bounced`: the address does not exist. `complained`: the recipient reported an email as spam.'),
        ),
      at: instant().check(z.describe('When that was, UTC.')),
    }),
  ),
);
export type AddressOff = z.infer<typeof addressOff>;

/** The business as its owner sees it. */
export const accountBusiness = shape(() =>
  z
    .strictObject({
      ...business.shape,
      noticeEmail: z
        .nullable(z.string())
        .check(z.describe('Where notices of webhooks and API keys are sent; null is nowhere.')),
      noticeEmailOff: addressOff.check(
        z.describe(
          'Why nothing is sent to `noticeEmail` any more; null while it is. Setting the address again resumes it.',
        ),
      ),
    })
    .check(z.describe('The business with what only its owner sees.')),
);
export type AccountBusiness = z.infer<typeof accountBusiness>;

/** A staff member's working hours by weekday, and dates on which other hours replace them. */
/** A room or another thing that a booking may need. */
export const resource = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the resource.')),
      name: z.string().check(z.describe('Name as staff know it.')),
      kind: z.string().check(z.describe('What it is: a service names the kind that it needs.')),
      active: z.boolean().check(z.describe('`false`: no new booking takes it.')),
    })
    .check(z.describe('A room or another thing that a booking may need.')),
);
export type Resource = z.infer<typeof resource>;

export const staffSchedule = shape(() =>
  z
    .strictObject({
      weekly: weeklyHours.check(z.describe('Hours of every week.')),
      exceptions: z
        .record(date(), dayHours)
        .check(z.describe('Hours that replace the weekly ones, by date `YYYY-MM-DD`. An empty list is a day off.')),
    })
    .check(z.describe('When a staff member works.')),
);
export type StaffSchedule = z.infer<typeof staffSchedule>;

export const busyElsewhere = shape(() =>
  z
    .strictObject({
      source: z.string().check(z.describe('Name of the other calendar.')),
      updatedAt: instant().check(z.describe('When it was last put, UTC.')),
      blocks: z
        .array(
          z.strictObject({
            startTime: instant().check(z.describe('First minute that is taken, UTC.')),
            endTime: instant().check(z.describe('When the time is free again, UTC.')),
          }),
        )
        .check(z.describe('Ascending, with a gap between any two.')),
    })
    .check(z.describe('When another calendar says that a staff member is busy.')),
);
export type BusyElsewhere = z.infer<typeof busyElsewhere>;

export const auditEntry = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the entry.')),
      at: instant().check(z.describe('When it changed, UTC.')),
      operation: z
        .string()
        .check(z.describe('Method and path of the endpoint, such as `PATCH /v1/account/services/:id`.')),
      resourceId: z.nullable(id()).check(z.describe('The id in the path, or of what was made.')),
      fields: z.array(z.string()).check(z.describe('Fields of the request, by their names. Values are not kept.')),
      keyId: z.nullable(id()).check(z.describe('Id of the API key that changed it.')),
      ownerId: z.nullable(z.string()).check(z.describe("The owner who changed it: the token's `sub`.")),
      requestId: z.nullable(z.string()).check(z.describe('The `X-Request-Id` of the answer.')),
    })
    .check(
      z.describe(
        'Who changed what. One of `keyId` and `ownerId` is set, or neither for a client with a link that the business made.',
      ),
    ),
);
export type AuditEntry = z.infer<typeof auditEntry>;

export const clientRecords = shape(() =>
  z
    .strictObject({
      client: client.check(z.describe('The client.')),
      records: z
        .array(
          z.strictObject({
            kind: z
              .string()
              .check(
                z.describe('What it is: `booking`, `contact`, `review`, `refund`, `answer`, `event` or `message`.'),
              ),
            data: z.record(z.string(), z.unknown()).check(z.describe('As it is stored.')),
          }),
        )
        .check(z.describe('What is kept about the client, and what an erasure would clear.')),
      nextCursor: z.nullable(z.string()).check(z.describe('Pass it back as `cursor` for the rest; null at the end.')),
    })
    .check(z.describe('What is kept about a client.')),
);
export type ClientRecords = z.infer<typeof clientRecords>;

export const refund = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the refund.')),
      paymentId: id().check(z.describe('Id of the payment.')),
      amount: z.int().check(z.describe('Amount in minor units of `currency`.')),
      currency: z.string().check(z.describe('ISO 4217 code, that of the payment.')),
      reason: z.nullable(z.string()).check(z.describe('Why it was refunded.')),
      refundedAt: instant().check(z.describe('When the refund was made, UTC.')),
    })
    .check(z.describe('Money that was given back.')),
);
export type Refund = z.infer<typeof refund>;

export const paymentWithRefunds = shape(() =>
  z
    .strictObject({ ...payment.shape, refunds: z.array(refund).check(z.describe('Its refunds, oldest first.')) })
    .check(z.describe('A payment with its refunds.')),
);
export type PaymentWithRefunds = z.infer<typeof paymentWithRefunds>;

const notice = shape(() => z.nullable(z.enum(noticeKinds)));

/** docs/rules.md#api-keys */
export const apiKeyStatuses = ['active', 'revoked', 'expired'] as const;

export const apiKeyStatus = shape(() => z.enum(apiKeyStatuses).check(z.describe('State of an API key.')));

/** An API key without its value (docs/rules.md#api-keys). */
export const apiKey = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the key. It stays when the value is replaced.')),
      name: z.string().check(z.describe('Your own name for the key.')),
      prefix: z.string().check(z.describe('First characters of the value, to recognise the key by.')),
      status: apiKeyStatus.check(z.describe('Only an active key is accepted.')),
      scopes: z.array(scope).check(z.describe('What the key may do.')),
      allowedOrigins: z
        .array(z.string())
        .check(z.describe('Origins that requests must come from. Empty: a key for a server, which sends none.')),
      expiresAt: z.nullable(instant()).check(z.describe('When the key stops working, UTC; null is never.')),
      test: z.boolean().check(z.describe('Whether the value begins with `bk_test_`.')),
      agents: z.boolean().check(z.describe('Whether agents may use it, at `POST /mcp`. A test key always may.')),
      contactEmail: z
        .nullable(z.string())
        .check(
          z.describe('Where notices of the key and its webhooks are sent, beside `noticeEmail`; null is nowhere.'),
        ),
      contactEmailOff: addressOff.check(
        z.describe(
          'Why nothing is sent to `contactEmail` any more; null while it is. Setting the address again resumes it.',
        ),
      ),
      notice: notice.check(z.describe('What needs attention; null if nothing does.')),
      createdAt: instant().check(z.describe('When the key was made, UTC.')),
      requestsToday: z.int().check(z.describe('Requests counted today, UTC.')),
      lastUsedAt: z.nullable(instant()).check(z.describe('When the key was last used, to the minute, UTC.')),
      previous: z
        .nullable(
          z.strictObject({
            worksUntil: instant().check(z.describe('When the old value stops working, UTC.')),
            requests: z.int().check(z.describe('Requests with the old value since then. 0: nobody needs it.')),
            lastUsedAt: z.nullable(instant()).check(z.describe('When it was last used, to the minute, UTC.')),
          }),
        )
        .check(z.describe('The old value of a regenerated key, while it works; null otherwise.')),
    })
    .check(z.describe('An API key without its value.')),
);
export type ApiKeyResource = z.infer<typeof apiKey>;

export const apiKeyUse = shape(() =>
  z
    .strictObject({
      data: z
        .array(
          z.strictObject({
            date: date().check(z.describe('A UTC day.')),
            requests: z.int().check(z.describe('Requests counted on it. Refused ones are not.')),
          }),
        )
        .check(z.describe('Each of the last 30 days, the oldest first and today last.')),
    })
    .check(z.describe('How much an API key was used.')),
);
export type ApiKeyUse = z.infer<typeof apiKeyUse>;

/** Only creation and regeneration return a key's value. */
export const apiKeyWithValue = shape(() =>
  z
    .strictObject({
      ...apiKey.shape,
      key: z.string().check(z.describe('The value. Shown in this answer only: store it now.')),
    })
    .check(z.describe('An API key with its value.')),
);
export type ApiKeyWithValue = z.infer<typeof apiKeyWithValue>;

export const me = shape(() =>
  z
    .strictObject({
      subject: z.string().check(z.describe('Who is signed in: the `sub` of the token.')),
      email: z.nullable(z.string()).check(z.describe('Email address of the token; null if it has none.')),
      role: role.check(z.describe('What the person may do in the business.')),
      staffId: z.nullable(id()).check(z.describe('Whose bookings a `member` sees; null for the other roles.')),
      mode: mode.check(z.describe('Whether this request was for the live business or its sandbox.')),
      business: z
        .nullable(
          z.strictObject({
            id: id().check(z.describe('Id of the business, or of its sandbox.')),
            name: z.string().check(z.describe('Name of the business.')),
          }),
        )
        .check(z.describe('The business; null while there is none, or no sandbox, yet.')),
    })
    .check(z.describe('A signed-in person.')),
);
export type Me = z.infer<typeof me>;

export const colleague = shape(() =>
  z
    .strictObject({
      id: id().check(z.describe('Id of the colleague in the team.')),
      email: z.string().check(z.describe('What the colleague signs in with.')),
      role,
      staffId: z.nullable(id()).check(z.describe('Whose bookings a `member` sees; null for the other roles.')),
      invitedAt: instant().check(z.describe('When the invitation was sent, UTC.')),
    })
    .check(z.describe('A person whom an owner invited.')),
);
export type Colleague = z.infer<typeof colleague>;

/** The progress of a reset (docs/rules.md#test-mode). */
export const reset = shape(() =>
  z
    .strictObject({
      status: z
        .enum(['done', 'running'])
        .check(z.describe('`running`: the sandbox was too large for one call. The same call again goes on.')),
    })
    .check(z.describe('What became of the sandbox.')),
);
export type Reset = z.infer<typeof reset>;

/** What a trigger created on the way, by id. */
export const triggered = shape(() =>
  z
    .strictObject({
      event: eventName.check(z.describe('The event that was raised.')),
      made: z
        .strictObject({
          serviceId: z.optional(id()).check(z.describe('Id of the service.')),
          staffId: z.optional(id()).check(z.describe('Id of the staff member.')),
          clientId: z.optional(id()).check(z.describe('Id of the client.')),
          bookingId: z.optional(id()).check(z.describe('Id of the booking.')),
          reviewId: z.optional(id()).check(z.describe('Id of the review.')),
          paymentId: z.optional(id()).check(z.describe('Id of the payment.')),
          refundId: z.optional(id()).check(z.describe('Id of the refund.')),
        })
        .check(z.describe('What was made or changed in the sandbox, as far as there is any.')),
    })
    .check(z.describe('What a trigger did.')),
);
export type Triggered = z.infer<typeof triggered>;

/** A webhook with the API key that it belongs to. */
export const accountWebhook = shape(() =>
  z
    .strictObject({
      ...webhook.shape,
      apiKeyId: id().check(z.describe('Id of the API key that the webhook belongs to.')),
      notice: notice.check(z.describe('What needs attention, or that it works again; null if nothing is new.')),
      heldUntil: z
        .nullable(instant())
        .check(
          z.describe('Its first attempts exceed the sending budget and are held until then, UTC; null if none is.'),
        ),
    })
    .check(z.describe('A webhook with the API key it belongs to.')),
);
export type AccountWebhook = z.infer<typeof accountWebhook>;

export const accountWebhookWithSecret = shape(() =>
  z
    .strictObject({
      ...accountWebhook.shape,
      secret: z.string().check(z.describe('Signing secret, `whsec_…`. Shown in this answer only: store it now.')),
    })
    .check(z.describe('A new webhook with its signing secret.')),
);
export type AccountWebhookWithSecret = z.infer<typeof accountWebhookWithSecret>;

/** An attempt, or a delivery with its newest attempt. */
export const listedDelivery = shape(() =>
  z
    .strictObject({
      ...listedDeliveryRecord.shape,
      plannedAt: z
        .optional(instant())
        .check(
          z.describe(
            'When the delivery was planned, UTC. Only where each delivery is listed once, as are the next two.',
          ),
        ),
      bookingId: z
        .optional(z.nullable(id()))
        .check(z.describe('Id of the booking that the message is about; null without one.')),
      clientId: z
        .optional(z.nullable(id()))
        .check(z.describe('Id of the client that the message is about; null without one.')),
    })
    .check(z.describe('One attempt to deliver a message; with `groupBy` the newest one of a delivery.')),
);
export type ListedDelivery = z.infer<typeof listedDelivery>;

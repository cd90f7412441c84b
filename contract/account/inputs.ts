/** Requests of the account API. A change contains any of the fields; null clears one. */
import * as z from 'zod/mini';
import {
  currency,
  date,
  email,
  field,
  id,
  instant,
  mapOf,
  metadata,
  metadataChanges,
  name,
  object,
  pathId,
  phone,
  text,
  timeZone,
  workingInterval,
} from '../fields.ts';
import { clientFields, isObject, phoneOrEmail, someField } from '../integration/inputs.ts';
import { type bookingRules, scope, weekOf } from '../integration/resources.ts';
import { busyLimits, limits } from '../limits.ts';
import { type Role, role } from '../roles.ts';
import { scopeNames, scopeSets } from '../scopes.ts';
import { canonicalOrigin, canonicalUrl } from '../web-addresses.ts';

function wholeNumber(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
}

function distinct<T>() {
  return z.refine<T[]>((values) => new Set(values).size === values.length, {
    error: 'must not contain an entry twice',
  });
}

const nullableName = z.nullable(name());

const longText = text(0, limits.textLength);

const assignments = z.array(id()).check(z.maxLength(limits.assignmentsMax), distinct<number>());

/** The URL is stored in the form of the URL parser. */
const httpsUrl = z.string().check(
  z.maxLength(limits.targetUrlLength),
  z.refine((value: string) => canonicalUrl(value) !== undefined, { error: 'must be an https address' }),
  z.overwrite((value: string) => canonicalUrl(value) ?? value),
);

/** Compares the intervals of one day; `HH:MM` strings sort like the times they represent. */
function isAscending(hours: readonly z.infer<ReturnType<typeof workingInterval>>[]): boolean {
  return hours.every(({ from, to }, i) => from < to && (hours[i - 1]?.to ?? '') <= from);
}

/** A schema of its own, because the document shows those of responses with further fields allowed. */
export const dayHoursInput = field(
  'Working intervals of one day, ascending. The gaps are breaks; an empty list is a day off.',
  z
    .array(workingInterval())
    .check(
      z.maxLength(limits.intervalsPerDay),
      z.refine(isAscending, { error: 'must be intervals in ascending order that do not overlap' }),
    ),
);

export const weeklyHoursInput = weekOf(dayHoursInput);

const noticeAddress = field(
  'Email address for notices; null: none. If emails have stopped, set the address again to get new ones.',
  z.optional(z.nullable(email())),
);

export function businessChanges() {
  return z
    .strictObject({
      name: field('Name as clients see it.', z.optional(name())),
      description: field('Description of the business.', z.optional(longText)),
      phone: field('Phone for clients; null removes it.', z.optional(z.nullable(phone()))),
      email: field('Email address for clients; null removes it.', z.optional(z.nullable(email()))),
      address: field('Postal address in one line; null removes it.', z.optional(nullableName)),
      noticeEmail: noticeAddress,
      timeZone: field('IANA time zone, such as `Europe/Riga`.', z.optional(timeZone())),
      keepInstants: field(
        '`true` lets `timeZone` change while there are upcoming bookings, which stay at the same moment. Working hours keep their local times.',
        z.optional(z.boolean()),
      ),
      currency: field('Currency of all prices, ISO 4217.', z.optional(currency())),
      workingHours: field('When the business is open. Replaces all weekdays.', z.optional(weeklyHoursInput)),
      bookingRules: field(
        'Rules to change; those left out stay.',
        z.optional(
          z.strictObject({
            slotStepMinutes: field(
              'Minutes from one possible start to the next.',
              z.optional(wholeNumber(1, limits.slotStepMinutesMax)),
            ),
            minNoticeMinutes: field(
              'A booking starts at least this many minutes from now.',
              z.optional(wholeNumber(0, limits.noticeMinutesMax)),
            ),
            maxAdvanceDays: field(
              'A booking starts at most this many days from now.',
              z.optional(wholeNumber(1, limits.maxAdvanceDaysMax)),
            ),
            cancellationNoticeMinutes: field(
              'Integrators can cancel until this many minutes before the start.',
              z.optional(wholeNumber(0, limits.noticeMinutesMax)),
            ),
            confirmation: field(
              'Whether new bookings wait for staff to confirm them.',
              z.optional(z.enum(['automatic', 'manual'])),
            ),
          } satisfies Record<keyof typeof bookingRules.shape, z.ZodMiniType>),
        ),
      ),
    })
    .check(someField);
}

/** The bound keeps the sum of a visit, or of many participants, exact in JSON and in the tables. */
export const moneyInput = object('An amount of money.', {
  amount: field('Minor units: 4500 EUR is 45 euros, 4500 JPY is 4500 yen.', wholeNumber(0, limits.amountMax)),
  currency: field('ISO 4217 code, such as `EUR`.', currency()),
});

const resourceKind = text(1, limits.resourceKindLength);

const serviceOptions = {
  description: field('What the client gets.', z.optional(longText)),
  category: field('Heading under which the service is listed.', z.optional(nullableName)),
  bufferBeforeMinutes: field(
    'Minutes kept free before each appointment.',
    z.optional(wholeNumber(0, limits.bufferMinutesMax)),
  ),
  bufferAfterMinutes: field(
    'Minutes kept free after each appointment.',
    z.optional(wholeNumber(0, limits.bufferMinutesMax)),
  ),
  capacity: field(
    'Places at each start; if more than 1, bookings share a start. Existing bookings keep their places. Default: 1.',
    z.optional(wholeNumber(1, limits.capacityMax)),
  ),
  resourceKind: field(
    'Kind of room or other resource of which each appointment takes one; null: it needs none.',
    z.optional(z.nullable(resourceKind)),
  ),
  staffIds: field('Ids of the staff members who perform the service. Replaces the list.', z.optional(assignments)),
  active: field('`false` offers no slots. Default of a new service: `true`.', z.optional(z.boolean())),
};

export function newService() {
  return z.strictObject({
    name: field('Name as clients see it.', name()),
    durationMinutes: field(
      'Length of an appointment in minutes, buffers not included.',
      wholeNumber(1, limits.durationMinutesMax),
    ),
    price: field('Price of one appointment, in the currency of the business.', moneyInput),
    ...serviceOptions,
  });
}

export function serviceChanges() {
  return z.partial(newService()).check(someField);
}

export function newResource() {
  return z.strictObject({
    name: field('Name as staff know it.', name()),
    kind: field('Kind of the resource, such as `room`: a service names the kind that it needs.', resourceKind),
    active: field('`false`: no new booking takes the resource. Default: `true`.', z.optional(z.boolean())),
  });
}

export function resourceChanges() {
  return z
    .strictObject({
      name: field('Name as staff know it.', z.optional(name())),
      kind: field('Kind of the resource, such as `room`.', z.optional(resourceKind)),
      active: field('`false`: no new booking takes the resource.', z.optional(z.boolean())),
    })
    .check(someField);
}

const staffOptions = {
  position: field('Job title, such as `Stylist`.', z.optional(nullableName)),
  photoUrl: field('https address of a photo; null removes it.', z.optional(z.nullable(httpsUrl))),
  serviceIds: field('Ids of the services that the staff member performs. Replaces the list.', z.optional(assignments)),
  active: field('`false` offers no slots. Default of a new staff member: `true`.', z.optional(z.boolean())),
};

/** Without a schedule a new staff member works when the business is open. */
export function newStaffMember() {
  return z.strictObject({
    name: field('Name as clients see it.', name()),
    ...staffOptions,
    schedule: field(
      'Working hours of the staff member. Default: the working hours of the business.',
      z.optional(
        z.strictObject({
          weekly: field('Hours of every week.', weeklyHoursInput),
          exceptions: field(
            'Hours that replace the weekly ones, by date `YYYY-MM-DD`.',
            z.optional(mapOf(date(), dayHoursInput, limits.scheduleExceptionsMax)),
          ),
        }),
      ),
    ),
  });
}

export function staffChanges() {
  return z
    .strictObject({ name: field('Name as clients see it.', z.optional(name())), ...staffOptions })
    .check(someField);
}

/** `weekly` replaces all weekdays; `exceptions` changes only the named dates, and null removes one. */
export function scheduleChanges() {
  return z
    .strictObject({
      weekly: field('Replaces the hours of all weekdays.', z.optional(weeklyHoursInput)),
      exceptions: field(
        'Hours by date `YYYY-MM-DD`. Dates left out stay; null removes an exception.',
        z.optional(mapOf(date(), z.nullable(dayHoursInput), limits.scheduleExceptionsMax)),
      ),
    })
    .check(someField);
}

/** The name is part of a path, so it must need no escaping. */
function busySource() {
  const error = 'must be 1 to 40 letters, digits, and . _ -, and begin with a letter or digit';
  return z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, { error }));
}

export function bySource() {
  return z.strictObject({
    id: field('Id of the staff member.', pathId()),
    source: field('Name of the other calendar.', busySource()),
  });
}

/** The handler checks how far ahead a block is, because that depends on the clock. */
export function busyBlocks() {
  const block = z
    .strictObject({
      startTime: field('First minute that is taken.', instant()),
      endTime: field('When the time is free again.', instant()),
    })
    .check(
      z.refine(({ startTime, endTime }) => Date.parse(startTime) < Date.parse(endTime), {
        error: 'must be after startTime',
        path: ['endTime'],
      }),
    );
  return z.strictObject({
    blocks: field(
      'Blocks in any order; overlapping or adjacent ones are joined.',
      z.array(block).check(z.maxLength(busyLimits.blocksMax)),
    ),
  });
}

export function newClientOfOwner() {
  return z
    .strictObject({ ...clientFields, metadata: field('Strings of your own, by name.', z.optional(metadata())) })
    .check(phoneOrEmail);
}

export function clientChanges() {
  return z
    .strictObject({
      name: field('Name of the client.', z.optional(name())),
      phone: field('Phone with country code, 4 to 15 digits; null removes it.', z.optional(z.nullable(phone()))),
      email: field('Email address; null removes it.', z.optional(z.nullable(email()))),
      metadata: field(
        'Strings to set, by name. Null removes a string; strings that are left out stay.',
        z.optional(metadataChanges()),
      ),
    })
    .check(someField);
}

export function clientErasure() {
  return z.strictObject({
    cancelBookings: field(
      "`true` cancels the client's pending and confirmed bookings that begin later than now.",
      z.optional(z.boolean()),
    ),
  });
}

export function newReview() {
  return z.strictObject({
    bookingId: field('Id of a completed booking.', id()),
    rating: field('1 (worst) to 5 (best).', wholeNumber(1, 5)),
    text: field('What the client says.', z.optional(longText)),
    authorName: field("Name to show. Default: first name and initial of the booking's client.", z.optional(name())),
  });
}

export function newPayment() {
  return z.strictObject({
    amount: field('Amount in minor units of `currency`.', wholeNumber(1, limits.amountMax)),
    currency: field('ISO 4217 code: the currency of the business, which is also the default.', z.optional(currency())),
    method: field('How the money was paid, such as `card`.', text(1, 50)),
    bookingId: field('Id of the booking paid for.', z.optional(id())),
    clientId: field('Id of the client who paid. With `bookingId`, the client of the booking.', z.optional(id())),
    receivedAt: field('When the money was received. Default: now.', z.optional(instant())),
  });
}

export function newRefund() {
  return z.strictObject({
    amount: field(
      'Amount in minor units. Default: everything that is left.',
      z.optional(wholeNumber(1, limits.amountMax)),
    ),
    reason: field('Why the payment is refunded.', z.optional(longText)),
  });
}

/** The origin is stored in the form of the URL parser. */
const origin = z.string().check(
  z.maxLength(253 + 16),
  z.refine((entry: string) => canonicalOrigin(entry) !== undefined, {
    error: 'must be a host, *.host, or an origin such as https://example.com',
  }),
  z.overwrite((entry: string) => canonicalOrigin(entry) ?? entry),
);

const isOneOrNone = (body: { scopes?: unknown; scopeSet?: unknown }) =>
  body.scopes === undefined || body.scopeSet === undefined;

const scopesOfSets = Object.entries(scopeSets)
  .map(([name, set]) => `\`${name}\`: ${set.join(', ')}`)
  .join('; ');

const keyOptions = {
  scopes: field(
    'What the key may do. Not together with `scopeSet`.',
    z.optional(z.array(scope).check(z.minLength(1), z.maxLength(scopeNames.length), distinct<string>())),
  ),
  scopeSet: field(
    `A typical set of scopes by name. ${scopesOfSets}.`,
    z.optional(z.enum(Object.keys(scopeSets) as [keyof typeof scopeSets, ...(keyof typeof scopeSets)[]])),
  ),
  allowedOrigins: field(
    'Origins that requests must come from, such as `example.com`, `*.example.com` or `https://example.com`. Empty for a key used on a server.',
    z.optional(z.array(origin).check(z.maxLength(limits.originsPerKey), distinct<string>())),
  ),
  agents: field(
    'Whether AI agents may use a live key, at `POST /mcp`. Default: `false`. AI agents may always use a test key.',
    z.optional(z.boolean()),
  ),
};

export function newApiKey() {
  return z
    .strictObject({
      name: field('Your own name for the key.', name()),
      ...keyOptions,
      expiresAt: field('When the key stops working. Default: never.', z.optional(instant())),
      contactEmail: field(
        'Where notices of the key and its webhooks are sent, besides `noticeEmail` of the business.',
        z.optional(email()),
      ),
    })
    .check(
      z.refine<{ scopes?: unknown; scopeSet?: unknown }>(
        (body) => isOneOrNone(body) && (body.scopes ?? body.scopeSet) !== undefined,
        { error: 'exactly one of scopes and scopeSet is required', path: ['scopes'], when: isObject },
      ),
    );
}

export function apiKeyChanges() {
  return z
    .strictObject({
      name: field('Your own name for the key.', z.optional(name())),
      ...keyOptions,
      expiresAt: field(
        'When the key stops working: a time in the future; null: never.',
        z.optional(z.nullable(instant())),
      ),
      contactEmail: noticeAddress,
    })
    .check(
      someField,
      z.refine(isOneOrNone, { error: 'scopes and scopeSet cannot be combined', path: ['scopes'], when: isObject }),
    );
}

export const keyReplacement = z.strictObject({
  overlapHours: field(
    'Hours for which the old value still works. Default: 0.',
    z.optional(wholeNumber(0, limits.keyOverlapHoursMax)),
  ),
});

/** `staffId` names the staff member whose bookings a `member` sees; the other roles have none. */
function ownBookings<T extends { role?: Role | undefined; staffId?: number | undefined }>() {
  return z.refine<T>(({ role, staffId }) => role === undefined || (role === 'member') === (staffId !== undefined), {
    path: ['staffId'],
    error: 'is required for the role member, and not allowed for other roles',
  });
}

const memberStaff = field('For a `member`: the staff member whose bookings the colleague sees.', z.optional(id()));

export const newColleague = z
  .strictObject({
    // A user name of Cognito has at most 128 characters.
    email: field('Where the invitation goes, and what the colleague signs in with.', email().check(z.maxLength(128))),
    role,
    staffId: memberStaff,
  })
  .check(ownBookings());

export const colleagueChanges = z.strictObject({ role, staffId: memberStaff }).check(ownBookings());

/** A flag with which an owner creates or moves a booking against the rules. */
export function outsideRules() {
  return field(
    '`true`: working hours, the grid of starts, `minNoticeMinutes` and `maxAdvanceDays` do not apply, up to 400 days before or after now. Bookings never overlap, and `startTime` must then be a whole minute. Default: `false`.',
    z.optional(z.boolean()),
  );
}

/** The start of such a booking need not be listed, so the list does not exclude seconds. */
export const wholeMinute = z.refine<{ startTime?: unknown; outsideRules?: unknown }>(
  ({ startTime, outsideRules }) => outsideRules !== true || (Date.parse(String(startTime)) % 60_000 || 0) === 0,
  { error: 'must be a whole minute', path: ['startTime'], when: isObject },
);

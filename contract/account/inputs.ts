/** Requests of the account API. A change contains any of the fields; null clears one. */
import * as z from 'zod/mini';
import {
  clockTime,
  currency,
  date,
  email,
  id,
  instant,
  mapOf,
  metadata,
  metadataChanges,
  name,
  pathId,
  phone,
  queryId,
  shape,
  text,
  timeZone,
} from '../fields.ts';
import { clientFields, isObject, phoneOrEmail, someField } from '../integration/inputs.ts';
import { scope } from '../integration/resources.ts';
import { busyLimits, limits } from '../limits.ts';
import { type Role, role } from '../roles.ts';
import { scopeNames, scopeSets } from '../scopes.ts';
import { canonicalOrigin, canonicalUrl } from '../web-addresses.ts';

function wholeNumber(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
}

function distinct<T>() {
  return z.refine<T[]>((values) => new Set(values).size === values.length, { error: 'must not name anything twice' });
}

function nullableName() {
  return z.nullable(name());
}

function longText() {
  return text(0, limits.textLength);
}

function assignments() {
  return z.array(id()).check(z.maxLength(limits.assignmentsMax), distinct<number>());
}

/** The URL is stored in the form of the URL parser. */
function httpsUrl() {
  return z.string().check(
    z.maxLength(limits.targetUrlLength),
    z.refine((value: string) => canonicalUrl(value) !== undefined, { error: 'must be an https address' }),
    z.overwrite((value: string) => canonicalUrl(value) ?? value),
  );
}

interface ClockInterval {
  readonly from: string;
  readonly to: string;
}

/** Compares the intervals of one day; `HH:MM` strings sort like the times they represent. */
function isAscending(hours: readonly ClockInterval[]): boolean {
  return hours.every(({ from, to }, i) => from < to && (hours[i - 1]?.to ?? '') <= from);
}

/** The working intervals of one day, ascending and without overlap. The gaps are breaks. */
export const dayHoursInput = shape(() =>
  z
    .array(
      z.strictObject({
        from: clockTime().check(z.describe('Opens, `HH:MM` on the clock of the business.')),
        to: clockTime().check(z.describe('Closes, `HH:MM` on the clock of the business; `24:00` is midnight.')),
      }),
    )
    .check(
      z.describe('Working intervals of one day, ascending. The gaps are breaks; an empty list is a day off.'),
      z.maxLength(limits.intervalsPerDay),
      z.refine<ClockInterval[]>(isAscending, { error: 'must be intervals in ascending order that do not overlap' }),
    ),
);

export const weeklyHoursInput = shape(() =>
  z
    .strictObject({
      monday: dayHoursInput.check(z.describe('Hours on Mondays.')),
      tuesday: dayHoursInput.check(z.describe('Hours on Tuesdays.')),
      wednesday: dayHoursInput.check(z.describe('Hours on Wednesdays.')),
      thursday: dayHoursInput.check(z.describe('Hours on Thursdays.')),
      friday: dayHoursInput.check(z.describe('Hours on Fridays.')),
      saturday: dayHoursInput.check(z.describe('Hours on Saturdays.')),
      sunday: dayHoursInput.check(z.describe('Hours on Sundays.')),
    })
    .check(z.describe('Working hours by weekday, in the time zone of the business.')),
);

function noticeAddress() {
  return z
    .optional(z.nullable(email()))
    .check(z.describe('Where notices are sent; null is nowhere. It resumes an address to which emails had stopped.'));
}

export function businessChanges() {
  return z
    .strictObject({
      name: z.optional(name()).check(z.describe('Name as clients see it.')),
      description: z.optional(longText()).check(z.describe('What the business says of itself.')),
      phone: z.optional(z.nullable(phone())).check(z.describe('Phone for clients; null removes it.')),
      email: z.optional(z.nullable(email())).check(z.describe('Email address for clients; null removes it.')),
      address: z.optional(nullableName()).check(z.describe('Postal address in one line; null removes it.')),
      noticeEmail: noticeAddress(),
      timeZone: z.optional(timeZone()).check(z.describe('IANA time zone, such as `Europe/Riga`.')),
      keepInstants: z
        .optional(z.boolean())
        .check(
          z.describe(
            '`true` lets `timeZone` change while there are bookings ahead: they stay at their instants. Working hours follow the new clock.',
          ),
        ),
      currency: z.optional(currency()).check(z.describe('Currency of all prices, ISO 4217.')),
      workingHours: z.optional(weeklyHoursInput).check(z.describe('When the business is open. Replaces all weekdays.')),
      bookingRules: z
        .optional(
          z.strictObject({
            slotStepMinutes: z
              .optional(wholeNumber(1, limits.slotStepMinutesMax))
              .check(z.describe('Minutes from one possible start to the next.')),
            minNoticeMinutes: z
              .optional(wholeNumber(0, limits.noticeMinutesMax))
              .check(z.describe('A booking starts at least this many minutes from now.')),
            maxAdvanceDays: z
              .optional(wholeNumber(1, limits.maxAdvanceDaysMax))
              .check(z.describe('A booking starts at most this many days from now.')),
            cancellationNoticeMinutes: z
              .optional(wholeNumber(0, limits.noticeMinutesMax))
              .check(z.describe('The API cancels until this many minutes before the start.')),
            confirmation: z
              .optional(z.enum(['automatic', 'manual']))
              .check(z.describe('Whether new bookings wait for staff to confirm them.')),
          }),
        )
        .check(z.describe('Rules to change; those left out stay.')),
    })
    .check(someField());
}

/** The bound keeps the sum of a visit, or of many participants, exact in JSON and in the tables. */
export const moneyInput = shape(() =>
  z
    .strictObject({
      amount: wholeNumber(0, limits.amountMax).check(
        z.describe('Minor units: 4500 EUR is 45 euros, 4500 JPY is 4500 yen.'),
      ),
      currency: currency().check(z.describe('ISO 4217 code, such as `EUR`.')),
    })
    .check(z.describe('An amount of money.')),
);

function serviceOptions() {
  return {
    description: z.optional(longText()).check(z.describe('What the client gets.')),
    category: z.optional(nullableName()).check(z.describe('Heading under which the service is listed.')),
    bufferBeforeMinutes: z
      .optional(wholeNumber(0, limits.bufferMinutesMax))
      .check(z.describe('Minutes kept free before each appointment.')),
    bufferAfterMinutes: z
      .optional(wholeNumber(0, limits.bufferMinutesMax))
      .check(z.describe('Minutes kept free after each appointment.')),
    capacity: z
      .optional(wholeNumber(1, limits.capacityMax))
      .check(
        z.describe(
          'Places of one start: with more than 1 bookings share it. Bookings that stand keep theirs. Default: 1.',
        ),
      ),
    resourceKind: z
      .optional(z.nullable(resourceKind()))
      .check(z.describe('Kind of room or other resource of which each appointment takes one; null: it needs none.')),
    staffIds: z.optional(assignments()).check(z.describe('Ids of the staff members who do it. Replaces the list.')),
    active: z.optional(z.boolean()).check(z.describe('`false` offers no slots. Default of a new service: `true`.')),
  };
}

export function newService() {
  return z.strictObject({
    name: name().check(z.describe('Name as clients see it.')),
    durationMinutes: wholeNumber(1, limits.durationMinutesMax).check(
      z.describe('Length of an appointment in minutes, buffers not included.'),
    ),
    price: moneyInput.check(z.describe('Price of one appointment, in the currency of the business.')),
    ...serviceOptions(),
  });
}

export function serviceChanges() {
  return z
    .strictObject({
      name: z.optional(name()).check(z.describe('Name as clients see it.')),
      durationMinutes: z
        .optional(wholeNumber(1, limits.durationMinutesMax))
        .check(z.describe('Length of an appointment in minutes, buffers not included.')),
      price: z.optional(moneyInput).check(z.describe('Price of one appointment, in the currency of the business.')),
      ...serviceOptions(),
    })
    .check(someField());
}

function resourceKind() {
  return text(1, limits.resourceKindLength);
}

export function newResource() {
  return z.strictObject({
    name: name().check(z.describe('Name as staff know it.')),
    kind: resourceKind().check(z.describe('What it is, such as `room`: a service names the kind that it needs.')),
    active: z.optional(z.boolean()).check(z.describe('`false`: no new booking takes it. Default: `true`.')),
  });
}

export function resourceChanges() {
  return z
    .strictObject({
      name: z.optional(name()).check(z.describe('Name as staff know it.')),
      kind: z.optional(resourceKind()).check(z.describe('What it is.')),
      active: z.optional(z.boolean()).check(z.describe('`false`: no new booking takes it.')),
    })
    .check(someField());
}

function staffOptions() {
  return {
    position: z.optional(nullableName()).check(z.describe('Job title, such as `Stylist`.')),
    photoUrl: z.optional(z.nullable(httpsUrl())).check(z.describe('https address of a photo; null removes it.')),
    serviceIds: z.optional(assignments()).check(z.describe('Ids of the services they do. Replaces the list.')),
    active: z
      .optional(z.boolean())
      .check(z.describe('`false` offers no slots. Default of a new staff member: `true`.')),
  };
}

/** Without a schedule a new staff member works when the business is open. */
export function newStaffMember() {
  return z.strictObject({
    name: name().check(z.describe('Name as clients see it.')),
    ...staffOptions(),
    schedule: z
      .optional(
        z.strictObject({
          weekly: weeklyHoursInput.check(z.describe('Hours of every week.')),
          exceptions: z
            .optional(mapOf(date(), dayHoursInput, limits.scheduleExceptionsMax))
            .check(z.describe('Hours that replace the weekly ones, by date `YYYY-MM-DD`.')),
        }),
      )
      .check(z.describe('When they work. Default: the working hours of the business.')),
  });
}

export function staffChanges() {
  return z
    .strictObject({ name: z.optional(name()).check(z.describe('Name as clients see it.')), ...staffOptions() })
    .check(someField());
}

/** `weekly` replaces all weekdays; `exceptions` changes only the named dates, and null removes one. */
export function scheduleChanges() {
  return z
    .strictObject({
      weekly: z.optional(weeklyHoursInput).check(z.describe('Replaces the hours of all weekdays.')),
      exceptions: z
        .optional(mapOf(date(), z.nullable(dayHoursInput), limits.scheduleExceptionsMax))
        .check(z.describe('Hours by date `YYYY-MM-DD`. Dates left out stay; null removes an exception.')),
    })
    .check(someField());
}

/** The name is part of a path, so it must need no escaping. */
function busySource() {
  const error = 'must be 1 to 40 letters, digits, and . _ -, and begin with a letter or digit';
  return z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, { error }));
}

export function bySource() {
  return z.strictObject({
    id: pathId().check(z.describe('Id of the staff member.')),
    source: busySource().check(z.describe('Name of the other calendar.')),
  });
}

/** The handler checks how far ahead a block is, because that depends on the clock. */
export function busyBlocks() {
  const block = z
    .strictObject({
      startTime: instant().check(z.describe('First minute that is taken.')),
      endTime: instant().check(z.describe('When the time is free again.')),
    })
    .check(
      z.refine(({ startTime, endTime }) => Date.parse(startTime) < Date.parse(endTime), {
        error: 'must be after startTime',
        path: ['endTime'],
        when: isObject,
      }),
    );
  return z.strictObject({
    blocks: z
      .array(block)
      .check(z.maxLength(busyLimits.blocksMax), z.describe('In any order; those that overlap or touch are joined.')),
  });
}

export function newClientOfOwner() {
  return z
    .strictObject({
      ...clientFields(),
      metadata: z.optional(metadata()).check(z.describe('Strings of your own, by name.')),
    })
    .check(phoneOrEmail());
}

export function clientChanges() {
  return z
    .strictObject({
      name: z.optional(name()).check(z.describe('Name of the client.')),
      phone: z
        .optional(z.nullable(phone()))
        .check(z.describe('Phone with country code, 4 to 15 digits; null removes it.')),
      email: z.optional(z.nullable(email())).check(z.describe('Email address; null removes it.')),
      metadata: z
        .optional(metadataChanges())
        .check(z.describe('Entries to set; null removes one. Those left out stay.')),
    })
    .check(someField());
}

export function movingBooking() {
  return {
    movingBookingId: z
      .optional(queryId())
      .check(z.describe('Id of a booking that is to be moved: the time that it takes now counts as free.')),
  };
}

export function clientErasure() {
  return z.strictObject({
    cancelBookings: z
      .optional(z.boolean())
      .check(z.describe("`true` cancels the client's pending and confirmed bookings that begin later than now.")),
  });
}

export function newReview() {
  return z.strictObject({
    bookingId: id().check(z.describe('Id of a completed booking.')),
    rating: wholeNumber(1, 5).check(z.describe('1 (worst) to 5 (best).')),
    text: z.optional(longText()).check(z.describe('What the client says.')),
    authorName: z
      .optional(name())
      .check(z.describe("Name to show. Default: first name and initial of the booking's client.")),
  });
}

export function newPayment() {
  return z.strictObject({
    amount: wholeNumber(1, limits.amountMax).check(z.describe('Amount in minor units of `currency`.')),
    currency: z
      .optional(currency())
      .check(z.describe('ISO 4217 code: the currency of the business, which is also the default.')),
    method: text(1, 50).check(z.describe('How it was paid, such as `card`.')),
    bookingId: z.optional(id()).check(z.describe('Id of the booking paid for.')),
    clientId: z
      .optional(id())
      .check(z.describe('Id of the client who paid. With `bookingId` it is that of the booking.')),
    receivedAt: z.optional(instant()).check(z.describe('When the money was received. Default: now.')),
  });
}

export function newRefund() {
  return z.strictObject({
    amount: z
      .optional(wholeNumber(1, limits.amountMax))
      .check(z.describe('Amount in minor units. Default: everything that is left.')),
    reason: z.optional(longText()).check(z.describe('Why it is refunded.')),
  });
}

/** The origin is stored in the form of the URL parser. */
function origin() {
  return z.string().check(
    z.maxLength(253 + 16),
    z.refine((entry: string) => canonicalOrigin(entry) !== undefined, {
      error: 'must be a host, *.host, or an origin such as https://example.com',
    }),
    z.overwrite((entry: string) => canonicalOrigin(entry) ?? entry),
  );
}

const isOneOrNone = (body: { scopes?: unknown; scopeSet?: unknown }) =>
  body.scopes === undefined || body.scopeSet === undefined;

const scopesOfSets = Object.entries(scopeSets)
  .map(([name, set]) => `\`${name}\`: ${set.join(', ')}`)
  .join('; ');

function keyOptions() {
  return {
    scopes: z
      .optional(z.array(scope).check(z.minLength(1), z.maxLength(scopeNames.length), distinct<string>()))
      .check(z.describe('What the key may do. Not together with `scopeSet`.')),
    scopeSet: z
      .optional(z.enum(Object.keys(scopeSets) as [keyof typeof scopeSets, ...(keyof typeof scopeSets)[]]))
      .check(z.describe(`A typical set of scopes by name. ${scopesOfSets}.`)),
    allowedOrigins: z
      .optional(z.array(origin()).check(z.maxLength(limits.originsPerKey), distinct<string>()))
      .check(
        z.describe('Hosts, `*.` hosts or origins that requests must come from. Empty for a key used on a server.'),
      ),
    agents: z
      .optional(z.boolean())
      .check(z.describe('Whether agents may use it, at `POST /mcp`. Default: only if it is a test key.')),
  };
}

export function newApiKey() {
  return z
    .strictObject({
      name: name().check(z.describe('Your own name for the key.')),
      ...keyOptions(),
      expiresAt: z.optional(instant()).check(z.describe('When the key stops working. Default: never.')),
      contactEmail: z
        .optional(email())
        .check(z.describe('Where notices of the key and its webhooks are sent, beside `noticeEmail` of the business.')),
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
      name: z.optional(name()).check(z.describe('Your own name for the key.')),
      ...keyOptions(),
      expiresAt: z
        .optional(z.nullable(instant()))
        .check(z.describe('When the key stops working: a time in the future; null is never.')),
      contactEmail: noticeAddress(),
    })
    .check(
      someField(),
      z.refine(isOneOrNone, { error: 'not both of scopes and scopeSet', path: ['scopes'], when: isObject }),
    );
}

export const keyReplacement = shape(() =>
  z.strictObject({
    overlapHours: z
      .optional(wholeNumber(0, limits.keyOverlapHoursMax))
      .check(z.describe('How long the old value goes on working. Default: 0, it stops at once.')),
  }),
);

/** `staffId` names the staff member whose bookings a `member` sees; the other roles have none. */
function ownBookings<T extends { role?: Role | undefined; staffId?: number | undefined }>() {
  return z.refine<T>(({ role, staffId }) => role === undefined || (role === 'member') === (staffId !== undefined), {
    path: ['staffId'],
    error: 'is needed for the role member, and for no other',
  });
}

function memberStaff() {
  return z.optional(id()).check(z.describe('For a `member`: the staff member whose bookings they see.'));
}

export const newColleague = shape(() =>
  z
    .strictObject({
      email: email().check(z.describe('Where the invitation goes, and what the colleague signs in with.')),
      role,
      staffId: memberStaff(),
    })
    .check(ownBookings()),
);

export const colleagueChanges = shape(() => z.strictObject({ role, staffId: memberStaff() }).check(ownBookings()));

/** A flag with which an owner creates or moves a booking against the rules. */
export function outsideRules() {
  return z
    .optional(z.boolean())
    .check(
      z.describe(
        '`true`: working hours, the grid of starts, notice and horizon are ignored, up to 400 days from now and back. What is taken stays taken. Default: `false`.',
      ),
    );
}

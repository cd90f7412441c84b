/** Requests of the account API. A change names any of the fields; null empties one. */
import * as z from 'zod/mini';
import { clockTime, date, email, id, instant, money, phone, text, timeZone } from './fields.ts';
import { isObject, someField } from './inputs.ts';
import { limits } from './limits.ts';
import { scopeNames, scopeSets } from './scopes.ts';

function wholeNumber(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
}

function distinct<T>() {
  return z.refine<T[]>((values) => new Set(values).size === values.length, { error: 'must not name anything twice' });
}

function name() {
  return text(1, limits.nameLength);
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

function httpsUrl() {
  return z.string().check(
    z.maxLength(limits.targetUrlLength),
    z.refine((value: string) => /^https:\/\/[^\s/]+(?:\/\S*)?$/.test(value) && URL.canParse(value), {
      error: 'must be an https address',
    }),
  );
}

interface ClockInterval {
  readonly from: string;
  readonly to: string;
}

/** One day: `HH:MM` texts compare like the times they name. */
function isAscending(hours: readonly ClockInterval[]): boolean {
  return hours.every(({ from, to }, i) => from < to && (hours[i - 1]?.to ?? '') <= from);
}

/** The working intervals of one day: ascending, not overlapping. What lies between them is a break. */
export function dayHours() {
  return z
    .array(z.strictObject({ from: clockTime(), to: clockTime() }))
    .check(
      z.maxLength(limits.intervalsPerDay),
      z.refine<ClockInterval[]>(isAscending, { error: 'must be intervals in ascending order that do not overlap' }),
    );
}

export function weeklyHours() {
  return z.strictObject({
    monday: dayHours(),
    tuesday: dayHours(),
    wednesday: dayHours(),
    thursday: dayHours(),
    friday: dayHours(),
    saturday: dayHours(),
    sunday: dayHours(),
  });
}

export function businessChanges() {
  return z
    .strictObject({
      name: z.optional(name()),
      description: z.optional(longText()),
      phone: z.optional(z.nullable(phone())),
      email: z.optional(z.nullable(email())),
      address: z.optional(nullableName()),
      timeZone: z.optional(timeZone()),
      currency: z.optional(currency()),
      workingHours: z.optional(weeklyHours()),
      bookingRules: z.optional(
        z.strictObject({
          slotStepMinutes: z.optional(wholeNumber(1, limits.slotStepMinutesMax)),
          minNoticeMinutes: z.optional(wholeNumber(0, limits.noticeMinutesMax)),
          maxAdvanceDays: z.optional(wholeNumber(1, limits.maxAdvanceDaysMax)),
          cancellationNoticeMinutes: z.optional(wholeNumber(0, limits.noticeMinutesMax)),
          confirmation: z.optional(z.enum(['automatic', 'manual'])),
        }),
      ),
    })
    .check(someField());
}

function currency() {
  return z.string().check(z.regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code, such as EUR' }));
}

function serviceOptions() {
  return {
    description: z.optional(longText()),
    category: z.optional(nullableName()),
    bufferBeforeMinutes: z.optional(wholeNumber(0, limits.bufferMinutesMax)),
    bufferAfterMinutes: z.optional(wholeNumber(0, limits.bufferMinutesMax)),
    staffIds: z.optional(assignments()),
    active: z.optional(z.boolean()),
  };
}

export function newService() {
  return z.strictObject({
    name: name(),
    durationMinutes: wholeNumber(1, limits.durationMinutesMax),
    price: money(),
    ...serviceOptions(),
  });
}

export function serviceChanges() {
  return z
    .strictObject({
      name: z.optional(name()),
      durationMinutes: z.optional(wholeNumber(1, limits.durationMinutesMax)),
      price: z.optional(money()),
      ...serviceOptions(),
    })
    .check(someField());
}

function staffOptions() {
  return {
    position: z.optional(nullableName()),
    photoUrl: z.optional(z.nullable(httpsUrl())),
    serviceIds: z.optional(assignments()),
    active: z.optional(z.boolean()),
  };
}

/** Without a schedule a new staff member works when the business is open. */
export function newStaffMember() {
  return z.strictObject({
    name: name(),
    ...staffOptions(),
    schedule: z.optional(
      z.strictObject({ weekly: weeklyHours(), exceptions: z.optional(z.record(date(), dayHours())) }),
    ),
  });
}

export function staffChanges() {
  return z.strictObject({ name: z.optional(name()), ...staffOptions() }).check(someField());
}

/** `weekly` replaces all weekdays; of `exceptions` the named dates alone, and null takes one back. */
export function scheduleChanges() {
  return z
    .strictObject({
      weekly: z.optional(weeklyHours()),
      exceptions: z.optional(z.record(date(), z.nullable(dayHours()))),
    })
    .check(someField());
}

export function clientChanges() {
  return z
    .strictObject({
      name: z.optional(name()),
      phone: z.optional(z.nullable(phone())),
      email: z.optional(z.nullable(email())),
    })
    .check(someField());
}

export function newReview() {
  return z.strictObject({
    bookingId: id(),
    rating: wholeNumber(1, 5),
    text: z.optional(longText()),
    /** Default: the name of the booking's client. */
    authorName: z.optional(name()),
  });
}

export function newPayment() {
  return z.strictObject({
    amount: wholeNumber(1, limits.amountMax),
    /** Default: the currency of the business. */
    currency: z.optional(currency()),
    method: text(1, 50),
    bookingId: z.optional(id()),
    clientId: z.optional(id()),
    /** Default: now. */
    receivedAt: z.optional(instant()),
  });
}

/** Without `amount` everything that is left is refunded. */
export function newRefund() {
  return z.strictObject({
    amount: z.optional(wholeNumber(1, limits.amountMax)),
    reason: z.optional(longText()),
  });
}

/** A host, or `*.` and a host; with a scheme and a port when those shall be compared too (decisions §3). */
const originEntry = /^(?:https?:\/\/)?(?:\*\.)?(?:[^\s/:@*[\]]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

export function newApiKey() {
  return z
    .strictObject({
      name: name(),
      scopes: z.optional(
        z
          .array(z.enum(scopeNames, { error: `must be one of: ${scopeNames.join(', ')}` }))
          .check(z.minLength(1), distinct<string>()),
      ),
      scopeSet: z.optional(z.enum(Object.keys(scopeSets) as [keyof typeof scopeSets, ...(keyof typeof scopeSets)[]])),
      allowedOrigins: z.optional(
        z
          .array(
            z
              .string()
              .check(
                z.maxLength(253 + 16),
                z.regex(originEntry, { error: 'must be a host, *.host, or an origin such as https://example.com' }),
              ),
          )
          .check(z.maxLength(limits.originsPerKey), distinct<string>()),
      ),
      expiresAt: z.optional(instant()),
      test: z.optional(z.boolean()),
    })
    .check(
      z.refine<{ scopes?: unknown; scopeSet?: unknown }>(
        (body) => (body.scopes === undefined) !== (body.scopeSet === undefined),
        {
          error: 'exactly one of scopes and scopeSet is required',
          path: ['scopes'],
          when: isObject,
        },
      ),
    );
}

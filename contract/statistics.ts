/** The statistics (docs/rules.md#statistics). */
import * as z from 'zod/mini';
import { date, id, instant, money, shape } from './fields.ts';
import { bookingStatuses, deliveryErrorCode } from './integration/resources.ts';
import { limits } from './limits.ts';

function count() {
  return z.int().check(z.nonnegative());
}

/** The attempts of a webhook by result. */
export const attemptCounts = shape(() =>
  z
    .strictObject({
      attempts: count().check(z.describe('Attempts that were made. Pings are not among them.')),
      successes: count().check(z.describe('Attempts that your server answered with 2xx.')),
      failures: count().check(z.describe('Attempts that failed.')),
      failuresByCode: z
        .array(
          z.strictObject({
            errorCode: deliveryErrorCode.check(z.describe('What went wrong.')),
            count: count().check(z.describe('Attempts that failed so.')),
          }),
        )
        .check(z.describe('The same by reason, the most frequent first.')),
      skipped: count().check(
        z.describe('Attempts that fell due while the webhook or its API key was not active, and were not made.'),
      ),
      medianResponseTimeMs: z
        .nullable(z.int())
        .check(
          z.describe(
            `Median milliseconds until your server answered, at most ${limits.responseTimeErrorPercent} % off; null if it never did.`,
          ),
        ),
      p95ResponseTimeMs: z.nullable(z.int()).check(z.describe('95th percentile of these, as exact.')),
    })
    .check(z.describe('Attempts of a webhook, counted.')),
);

export const webhookStatistics = shape(() =>
  z
    .strictObject({
      data: z
        .array(z.strictObject({ hour: instant().check(z.describe('Begin of the hour, UTC.')), ...attemptCounts.shape }))
        .check(z.describe('Each hour in which there was something to count, oldest first.')),
      summary: attemptCounts.check(z.describe('All hours together.')),
      countedUntil: instant().check(
        z.describe('Attempts made until then are counted, UTC: now, or up to an hour ago where there were many.'),
      ),
    })
    .check(z.describe('How deliveries to a webhook went, by hour.')),
);
export type WebhookStatistics = z.infer<typeof webhookStatistics>;
export type AttemptCounts = z.infer<typeof attemptCounts>;

function bookedAndWorked() {
  return {
    bookedMinutes: count().check(z.describe('Minutes of their bookings that are not cancelled, without buffers.')),
    workingMinutes: count().check(z.describe('Minutes that they work by their schedule as it is now.')),
    bookedPlaces: count().check(z.describe('Places of their classes that bookings have which are not cancelled.')),
    classPlaces: count().check(z.describe('Places, taken or not, of the classes that have such a booking.')),
  };
}

function revenue() {
  return z
    .strictObject({
      received: money.check(z.describe('What was received.')),
      refunded: money.check(z.describe('What of it was refunded, whenever that was.')),
    })
    .check(z.describe('Payments by when they were received.'));
}

function businessCounts() {
  return {
    bookings: z
      .strictObject(
        Object.fromEntries(
          bookingStatuses.map((status) => [status, count().check(z.describe(`Bookings that are \`${status}\`.`))]),
        ) as {
          [Status in (typeof bookingStatuses)[number]]: ReturnType<typeof count>;
        },
      )
      .check(z.describe('Bookings by the day of their start.')),
    revenue: revenue(),
    occupancy: z
      .strictObject(bookedAndWorked())
      .check(z.describe('How much of the working time of active staff is booked.')),
  };
}

export const businessStatistics = shape(() =>
  z
    .strictObject({
      data: z
        .array(z.strictObject({ date: date().check(z.describe('The day.')), ...businessCounts() }))
        .check(z.describe('Each day of the range, oldest first.')),
      summary: z.strictObject(businessCounts()).check(z.describe('All days together.')),
      staff: z
        .array(z.strictObject({ staffId: id().check(z.describe('Id of the staff member.')), ...bookedAndWorked() }))
        .check(z.describe('Occupancy of each active staff member over the range.')),
      timeZone: z.string().check(z.describe('The zone that days begin and end in, that of the business.')),
    })
    .check(z.describe('Bookings, payments and occupancy, by day.')),
);
export type BusinessStatistics = z.infer<typeof businessStatistics>;

export const paymentTotals = shape(() =>
  z
    .strictObject({ count: count().check(z.describe('Number of payments.')), ...revenue().shape })
    .check(z.describe('Payments that match, summed up.')),
);
export type PaymentTotals = z.infer<typeof paymentTotals>;

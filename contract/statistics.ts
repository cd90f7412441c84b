/** The statistics (docs/rules.md#statistics). */
import * as z from 'zod/mini';
import { date, field, id, instant, money, object } from './fields.ts';
import { bookingStatuses, deliveryErrorCode } from './integration/resources.ts';
import { limits } from './limits.ts';

function count() {
  return z.int().check(z.nonnegative());
}

/** The attempts of a webhook by result. */
export const attemptCounts = object('Attempts of a webhook, counted.', {
  attempts: field('Attempts that were made. Pings are not among them.', count()),
  successes: field('Attempts that your server answered with 2xx.', count()),
  failures: field('Attempts that failed.', count()),
  failuresByCode: field(
    'The same by reason, the most frequent first.',
    z.array(
      z.strictObject({
        errorCode: field('What went wrong.', deliveryErrorCode),
        count: field('Attempts that failed so.', count()),
      }),
    ),
  ),
  skipped: field('Attempts that fell due while the webhook or its API key was not active, and were not made.', count()),
  medianResponseTimeMs: field(
    `Median milliseconds until your server answered, at most ${limits.responseTimeErrorPercent} % off; null if it never did.`,
    z.nullable(z.int()),
  ),
  p95ResponseTimeMs: field('95th percentile of these, as exact.', z.nullable(z.int())),
});

export const webhookStatistics = object('How deliveries to a webhook went, by hour.', {
  data: field(
    'Each hour in which there was something to count, oldest first.',
    z.array(z.strictObject({ hour: field('Begin of the hour, UTC.', instant()), ...attemptCounts.shape })),
  ),
  summary: field('All hours together.', attemptCounts),
  countedUntil: field(
    'Attempts made until then are counted, UTC: now, or up to an hour ago where there were many.',
    instant(),
  ),
});
export type WebhookStatistics = z.infer<typeof webhookStatistics>;
export type AttemptCounts = z.infer<typeof attemptCounts>;

function bookedAndWorked() {
  return {
    bookedMinutes: field('Minutes of their bookings that are not cancelled, without buffers.', count()),
    workingMinutes: field('Minutes that they work by their schedule as it is now.', count()),
    bookedPlaces: field('Places of their classes that bookings have which are not cancelled.', count()),
    classPlaces: field('Places, taken or not, of the classes that have such a booking.', count()),
  };
}

function revenue() {
  return object('Payments by when they were received.', {
    received: field('What was received.', money),
    refunded: field('What of it was refunded, whenever that was.', money),
  });
}

function businessCounts() {
  return {
    bookings: field(
      'Bookings by the day of their start.',
      z.strictObject(
        Object.fromEntries(
          bookingStatuses.map((status) => [status, field(`Bookings that are \`${status}\`.`, count())]),
        ) as {
          [Status in (typeof bookingStatuses)[number]]: ReturnType<typeof count>;
        },
      ),
    ),
    revenue: revenue(),
    occupancy: field('How much of the working time of active staff is booked.', z.strictObject(bookedAndWorked())),
  };
}

export const businessStatistics = object('Bookings, payments and occupancy, by day.', {
  data: field(
    'Each day of the range, oldest first.',
    z.array(z.strictObject({ date: field('The day.', date()), ...businessCounts() })),
  ),
  summary: field('All days together.', z.strictObject(businessCounts())),
  staff: field(
    'Occupancy of each active staff member over the range.',
    z.array(z.strictObject({ staffId: field('Id of the staff member.', id()), ...bookedAndWorked() })),
  ),
  timeZone: field('The zone that days begin and end in, that of the business.', z.string()),
});
export type BusinessStatistics = z.infer<typeof businessStatistics>;

export const paymentTotals = object('Payments that match, summed up.', {
  count: field('Number of payments.', count()),
  ...revenue().shape,
});
export type PaymentTotals = z.infer<typeof paymentTotals>;

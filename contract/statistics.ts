/** The statistics (docs/rules.md#statistics). */
import * as z from 'zod/mini';
import { date, field, id, instant, money, object } from './fields.ts';
import { bookingStatuses, deliveryErrorCode } from './integration/resources.ts';
import { limits } from './limits.ts';

function count() {
  return z.int().check(z.nonnegative());
}

export const attemptCounts = object('Numbers of attempts to deliver messages of a webhook.', {
  attempts: field('Attempts that were made. Pings do not count.', count()),
  successes: field('Attempts to which your server responded with 2xx.', count()),
  failures: field('Attempts that failed.', count()),
  failuresByCode: field(
    'Failed attempts by reason, the most frequent first.',
    z.array(
      z.strictObject({
        errorCode: field('What went wrong.', deliveryErrorCode),
        count: field('Attempts that failed for this reason.', count()),
      }),
    ),
  ),
  skipped: field(
    'Attempts that were not made: when they were due, the webhook or its key was not active, or the key lacked a scope.',
    count(),
  ),
  medianResponseTimeMs: field(
    `Median response time in milliseconds, at most ${limits.responseTimeErrorPercent} % off; null without responses.`,
    z.nullable(z.int()),
  ),
  p95ResponseTimeMs: field(
    '95th percentile of response times in milliseconds; null without responses.',
    z.nullable(z.int()),
  ),
});

export const webhookStatistics = object('How deliveries to a webhook went, by hour.', {
  data: field(
    'Each hour in which there was something to count, oldest first.',
    z.array(z.strictObject({ hour: field('Start of the hour, UTC.', instant()), ...attemptCounts.shape })),
  ),
  summary: field('All hours together.', attemptCounts),
  countedUntil: field(
    'Time until which all attempts are counted, UTC: now, or up to an hour ago if there were many.',
    instant(),
  ),
});
export type WebhookStatistics = z.infer<typeof webhookStatistics>;
export type AttemptCounts = z.infer<typeof attemptCounts>;

function bookedAndWorked() {
  return {
    bookedMinutes: field('Minutes of bookings that are not cancelled, without buffers.', count()),
    workingMinutes: field('Working minutes by the current schedule.', count()),
    bookedPlaces: field('Booked places in classes, without cancelled bookings.', count()),
    classPlaces: field('All places of the classes with at least one booking that is not cancelled.', count()),
  };
}

function revenue() {
  return object('Payments by the day on which they were received.', {
    received: field('What was received.', money),
    refunded: field('Refunds of these payments, whenever they were made.', money),
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
  timeZone: field('Time zone of the days: that of the business.', z.string()),
});
export type BusinessStatistics = z.infer<typeof businessStatistics>;

export const paymentTotals = object('Sums of the matching payments in the currency of the business.', {
  count: field('Number of payments.', count()),
  ...revenue().shape,
});
export type PaymentTotals = z.infer<typeof paymentTotals>;

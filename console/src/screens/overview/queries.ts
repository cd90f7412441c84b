/** The queries of the overview, which are prefetched before it renders. */
import { addDays, mondayOf, periodOf } from '../../format/days.ts';

const listLimit = 100;

/** The queries that do not depend on the day. */
export const overviewQueries = {
  webhooks: ['listWebhooks', { limit: listLimit }],
  unanswered: ['listReviews', { replied: 'false', limit: listLimit }],
} as const;

/** The queries of a calendar day, `2026-11-24`: its bookings, pending bookings, and the figures of its week. */
export function queriesOfDay(today: string, zone: string) {
  const day = periodOf({ from: today, to: today }, zone);
  return {
    bookings: ['listBookings', { ...day, limit: listLimit }],
    pending: ['listBookings', { from: day.from, status: 'pending', limit: listLimit }],
    week: ['getStatistics', weekOf(today)],
  } as const;
}

/** Returns the week, from Monday on, that contains a calendar day. */
export function weekOf(day: string) {
  const from = mondayOf(day);
  return { from, to: addDays(from, 6) };
}

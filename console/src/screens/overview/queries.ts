/** The queries of the overview, which are prefetched before it renders. */
import { addDays, startOfDay } from '../../format/days.ts';
import { weekOf } from './week.ts';

export const looked = 100;

/** Those that do not depend on the day. */
export const overviewQueries = {
  keys: ['listApiKeys', { limit: looked }],
  webhooks: ['listWebhooks', { limit: looked }],
  unanswered: ['listReviews', { replied: 'false', limit: looked }],
} as const;

/** Those of a calendar day, `2026-11-24`, in a zone: its bookings, pending bookings, and the figures of its week. */
export function queriesOfDay(today: string, zone: string) {
  const from = startOfDay(today, zone);
  return {
    bookings: ['listBookings', { from, to: startOfDay(addDays(today, 1), zone), limit: looked }],
    pending: ['listBookings', { from, status: 'pending', limit: looked }],
    week: ['getStatistics', weekOf(today)],
  } as const;
}

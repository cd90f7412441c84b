/** What the overview asks, so that it can be asked before it is drawn. */
import { addDays, startOfDay } from '../../format/days.ts';
import { weekOf } from './week.ts';

export const looked = 100;

/** Whatever day it is. */
export const overviewQuestions = {
  keys: ['listApiKeys', { limit: looked }],
  webhooks: ['listWebhooks', { limit: looked }],
  unanswered: ['listReviews', { replied: 'false', limit: looked }],
} as const;

/** What it asks of a calendar day, `2026-11-24`, in a zone: who comes, who waits for an answer, and the figures of the week. */
export function questionsOfDay(today: string, zone: string) {
  const from = startOfDay(today, zone);
  return {
    bookings: ['listBookings', { from, to: startOfDay(addDays(today, 1), zone), limit: looked }],
    pending: ['listBookings', { from, status: 'pending', limit: looked }],
    week: ['getStatistics', weekOf(today)],
  } as const;
}

/** Search parameters of the routes. */
import { oneOf, wholeNumber } from '../../app/search.ts';

interface WebhooksSearch {
  readonly page?: number;
  /** Whether the form for a new webhook is open. */
  readonly create?: true;
}

export function webhooksSearch({ page, create }: Readonly<Record<string, unknown>>): WebhooksSearch {
  return { page: wholeNumber(page), create: oneOf(create, [true]) };
}

export const periods = [1, 7, 30] as const;

interface WebhookSearch {
  /** The number of days in the plot. */
  readonly days?: (typeof periods)[number];
}

export function webhookSearch({ days }: Readonly<Record<string, unknown>>): WebhookSearch {
  return { days: oneOf(days, periods) };
}

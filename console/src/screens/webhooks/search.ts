/** Search parameters of the route. */

export interface WebhooksSearch {
  readonly page?: number;
  /** The form for a new one is open. */
  readonly create?: boolean;
}

export function webhooksSearch({ page, create }: Readonly<Record<string, unknown>>): WebhooksSearch {
  return {
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
    create: create === true ? true : undefined,
  };
}

export const periods = [1, 7, 30] as const;

export interface WebhookSearch {
  /** Days that the plot goes back. */
  readonly days?: (typeof periods)[number];
}

export function webhookSearch({ days }: Readonly<Record<string, unknown>>): WebhookSearch {
  return { days: periods.find((one) => one === days) };
}

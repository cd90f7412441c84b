/** Search parameters of the route. Days are in the time zone of the business. */
import { day, opened, wholeNumber } from '../../app/search.ts';

export interface PaymentsSearch {
  readonly client?: number;
  readonly booking?: number;
  readonly from?: string;
  /** The last day is included. */
  readonly to?: string;
  /** The id of the open payment. */
  readonly payment?: number | 'new';
}

export function paymentsSearch(search: Readonly<Record<string, unknown>>): PaymentsSearch {
  return {
    client: wholeNumber(search.client),
    booking: wholeNumber(search.booking),
    from: day(search.from),
    to: day(search.to),
    payment: opened(search.payment),
  };
}

/** Search parameters: the API's filters, and the delivery that is open. */
import type { Input } from '../../api/call.ts';
import { day, oneOf, wholeNumber, words } from '../../app/search.ts';

type Filters = NonNullable<Input<'listAllDeliveries'>>;

export interface DeliveriesSearch extends Pick<Filters, 'webhookId' | 'deliveryStatus' | 'event' | 'bookingId'> {
  /** Calendar days of the business, the last one included. */
  readonly from?: string;
  readonly to?: string;
  readonly delivery?: string;
}

export const deliveryStatuses = ['pending', 'success', 'retrying', 'failed'] as const;

export function deliveriesSearch(raw: Readonly<Record<string, unknown>>): DeliveriesSearch {
  return {
    webhookId: wholeNumber(raw.webhookId),
    deliveryStatus: oneOf(raw.deliveryStatus, deliveryStatuses),
    event: words(raw.event) as DeliveriesSearch['event'],
    bookingId: wholeNumber(raw.bookingId),
    from: day(raw.from),
    to: day(raw.to),
    delivery: words(raw.delivery),
  };
}

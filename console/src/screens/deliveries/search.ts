/** Search parameters: the API's filters, and the delivery that is open. */
import type { Input } from '../../api/call.ts';
import { wholeNumber } from '../../app/search.ts';

type Filters = NonNullable<Input<'listAllDeliveries'>>;

export interface DeliveriesSearch extends Pick<Filters, 'webhookId' | 'deliveryStatus' | 'event' | 'bookingId'> {
  /** Days on the calendar of the business, the last one included. */
  readonly from?: string;
  readonly to?: string;
  readonly delivery?: string;
}

export const deliveryStatuses = ['pending', 'success', 'retrying', 'failed'] as const;

export function deliveriesSearch(raw: Readonly<Record<string, unknown>>): DeliveriesSearch {
  const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
  const day = (value: unknown) => (/^\d{4}-\d\d-\d\d$/.test(String(value)) ? String(value) : undefined);
  return {
    webhookId: typeof raw.webhookId === 'number' ? raw.webhookId : undefined,
    deliveryStatus: deliveryStatuses.find((status) => status === raw.deliveryStatus),
    event: text(raw.event) as DeliveriesSearch['event'],
    bookingId: wholeNumber(raw.bookingId),
    from: day(raw.from),
    to: day(raw.to),
    delivery: text(raw.delivery),
  };
}

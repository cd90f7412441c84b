/** Search parameters: the API's filters, and the request that is open. */
import { day, oneOf, wholeNumber, words } from '../../app/search.ts';

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

export interface RequestsSearch {
  readonly apiKeyId?: number | undefined;
  readonly statusClass?: (typeof statusClasses)[number] | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  /** Calendar days of the business, the last one included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly open?: string | undefined;
}

export function requestsSearch(raw: Readonly<Record<string, unknown>>): RequestsSearch {
  return {
    apiKeyId: wholeNumber(raw.apiKeyId),
    statusClass: oneOf(raw.statusClass, statusClasses),
    code: words(raw.code),
    requestId: words(raw.requestId),
    from: day(raw.from),
    to: day(raw.to),
    open: words(raw.open),
  };
}

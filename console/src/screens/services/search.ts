/** Search parameters of the route. */
import { opened, wholeNumber } from '../../app/search.ts';

interface ServicesSearch {
  readonly page?: number;
  /** The one that is changed. */
  readonly service?: number | 'new';
  /** The one that a new one begins as. */
  readonly copy?: number;
}

export function servicesSearch({ page, service, copy }: Readonly<Record<string, unknown>>): ServicesSearch {
  return { page: wholeNumber(page), service: opened(service), copy: wholeNumber(copy) };
}

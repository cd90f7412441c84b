/** Search parameters of the route. */
import { opened, wholeNumber } from '../../app/search.ts';

interface ServicesSearch {
  readonly page?: number;
  /** The id of the service in the form. */
  readonly service?: number | 'new';
  /** The id of the service to copy. */
  readonly copy?: number;
}

export function servicesSearch({ page, service, copy }: Readonly<Record<string, unknown>>): ServicesSearch {
  return { page: wholeNumber(page), service: opened(service), copy: wholeNumber(copy) };
}

/** Search parameters of the route. */
import { opened, wholeNumber } from '../../app/search.ts';

interface ResourcesSearch {
  readonly page?: number;
  /** The id of the resource in the form. */
  readonly resource?: number | 'new';
}

export function resourcesSearch({ page, resource }: Readonly<Record<string, unknown>>): ResourcesSearch {
  return { page: wholeNumber(page), resource: opened(resource) };
}

/** Search parameters of the route. */
import { wholeNumber } from '../../app/search.ts';

interface ApiKeysSearch {
  readonly page?: number;
  /** The id of the shown key. */
  readonly key?: number;
}

export function apiKeysSearch({ page, key }: Readonly<Record<string, unknown>>): ApiKeysSearch {
  return { page: wholeNumber(page), key: wholeNumber(key) };
}

/** Search parameters of the route. */

export interface ApiKeysSearch {
  readonly page?: number;
  /** Id of the key that is looked at. */
  readonly key?: number;
}

export function apiKeysSearch({ page, key }: Readonly<Record<string, unknown>>): ApiKeysSearch {
  return { page: isCount(page) ? page : undefined, key: isCount(key) ? key : undefined };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

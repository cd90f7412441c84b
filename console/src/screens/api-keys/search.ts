/** What the address of the list says. */

export interface ApiKeysSearch {
  readonly page?: number;
}

export function apiKeysSearch({ page }: Readonly<Record<string, unknown>>): ApiKeysSearch {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};
}

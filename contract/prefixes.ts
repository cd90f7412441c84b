/** The prefixes of the endpoints, separate from `api.ts`, so that a function with one does not bundle every row. */

export const integrationPrefix = '/v1/integration';

/** One published sample has this prefix; it is redirected with 308 to the documented one (docs/rules.md#requests). */
export const redirectedPrefix = '/api/v1/integration';

/** The prefix of the account API (docs/rules.md#owners). */
export const accountPrefix = '/v1/account';

/** Where the endpoints lie. Apart from `api.ts`, so that a function that needs a prefix does not bundle every row. */

export const integrationPrefix = '/v1/integration';

/** One published sample shows this prefix; it is answered with 308 to the documented one (docs/rules.md#requests). */
export const misprintedPrefix = '/api/v1/integration';

/** The owner's side (docs/rules.md#owners). */
export const accountPrefix = '/v1/account';

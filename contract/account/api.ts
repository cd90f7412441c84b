/** The endpoints of the account API as a list. */

import type { AccountRoute } from '../define.ts';
import { type Named, named } from '../named.ts';
import * as accountRows from './routes.ts';

export { accountPrefix } from '../prefixes.ts';

export type NamedAccountRoute = Named<AccountRoute>;

/** Every row with its operation's name, by path and method. */
export const accountRoutes: readonly NamedAccountRoute[] = named<AccountRoute>({ ...accountRows });

/** The endpoints of the account API as a list. */
import * as accountRows from './account-routes.ts';
import type { AccountRoute } from './define.ts';
import { type Named, named } from './named.ts';

export { accountPrefix } from './prefixes.ts';

export type NamedAccountRoute = Named<AccountRoute>;

/** Every row; all of them are deployed and routed. */
export const accountRoutes: readonly NamedAccountRoute[] = named<AccountRoute>({ ...accountRows });

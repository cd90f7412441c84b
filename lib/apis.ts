/** The two HTTP APIs as rows. The stacks, and the list of handlers that must exist, are loops over them. */
import { accountPrefix, accountRoutes } from '../contract/account/api.ts';
import type { Endpoint, Route } from '../contract/define.ts';
import { allRoutes, integrationPrefix } from '../contract/integration/api.ts';
import { accessChainNeeds, type Needs } from '../contract/system/needs.ts';
import { defaultRouteKey } from './route-keys.ts';

/** A function that serves a route and no row of the contract. */
interface ExtraRoute {
  readonly operation: string;
  /** `OPTIONS /v1/integration/{proxy+}`, or `$default` for what no other route matches. */
  readonly routeKey: string;
  readonly summary: string;
  readonly needs: Needs;
}

export interface Api {
  /** Id of its stack. */
  readonly id: string;
  /** Physical name behind the stage's prefix: `integration-api`. */
  readonly name: string;
  readonly description: string;
  readonly prefix: string;
  /** Folder of its handlers in `functions/`. */
  readonly folder: 'api' | 'account';
  /** Begins the physical name of each of its functions, so that the two APIs may name an operation alike. */
  readonly functionPrefix: string;
  /** Begins its host, before the domain that the operator gave: one certificate of a wildcard covers both. */
  readonly hostPrefix: '' | 'account-';
  /** Whose call it answers: the gateway checks an owner's token, the functions themselves check a key. */
  readonly callers: 'owners' | 'keys';
  readonly rows: readonly (Endpoint & Pick<Route, 'session'> & { readonly operation: string })[];
  readonly extras: readonly ExtraRoute[];
}

export const apis = {
  integration: {
    id: 'IntegrationApi',
    name: 'integration-api',
    description: 'Integration API: bookings and webhooks for sites and CRMs, by API key',
    prefix: integrationPrefix,
    folder: 'api',
    functionPrefix: '',
    hostPrefix: '',
    callers: 'keys',
    rows: allRoutes,
    extras: [
      {
        operation: 'routeNotFound',
        routeKey: defaultRouteKey,
        summary: 'Paths and methods that no row has, and the misprinted prefix',
        needs: accessChainNeeds,
      },
      {
        operation: 'preflight',
        routeKey: `OPTIONS ${integrationPrefix}/{proxy+}`,
        summary: 'CORS preflight, answered without a key',
        needs: {},
      },
    ],
  },
  account: {
    id: 'AccountApi',
    name: 'account-api',
    description: 'Account API: the business as its signed-in owner sees it',
    prefix: accountPrefix,
    folder: 'account',
    functionPrefix: 'account-',
    hostPrefix: 'account-',
    callers: 'owners',
    rows: accountRoutes,
    extras: [
      {
        operation: 'routeNotFound',
        routeKey: defaultRouteKey,
        summary: 'Paths and methods of the account API that no row has',
        needs: accessChainNeeds,
      },
    ],
  },
} as const satisfies Record<string, Api>;

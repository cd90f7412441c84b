/** The two HTTP APIs as rows. The stacks and the list of required handlers are derived from them. */
import { accountPrefix, accountRoutes } from '../contract/account/api.ts';
import type { Endpoint, Route } from '../contract/define.ts';
import { allRoutes, integrationPrefix } from '../contract/integration/api.ts';
import { accessChainNeeds, type Needs } from '../contract/system/needs.ts';
import { defaultRouteKey } from './route-keys.ts';

/** A function that serves a route without a row in the contract. */
interface ExtraRoute {
  readonly operation: string;
  /** `OPTIONS /v1/integration/{proxy+}`, or `$default` for what no other route matches. */
  readonly routeKey: string;
  readonly summary: string;
  readonly needs: Needs;
}

export interface Api {
  readonly id: string;
  /** The physical name without the stage's prefix: `integration-api`. */
  readonly name: string;
  readonly description: string;
  readonly prefix: string;
  /** The folder of the handlers in `functions/`. */
  readonly folder: 'api' | 'account';
  /**
   * The start of each function's physical name, so that both APIs may have an operation of the same name. Also the
   * start of the host, before the operator's domain: one wildcard certificate covers both hosts.
   */
  readonly namePrefix: '' | 'account-';
  /** Who calls the API: the gateway checks an owner's token, the functions themselves check a key. */
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
    namePrefix: '',
    callers: 'keys',
    rows: allRoutes,
    extras: [
      {
        operation: 'routeNotFound',
        routeKey: defaultRouteKey,
        summary: 'Paths and methods that no row has, and the prefix that is redirected',
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
    namePrefix: 'account-',
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

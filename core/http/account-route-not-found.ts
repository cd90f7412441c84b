/** What no route of the account API takes, behind the same check as the routes (docs/rules.md#requests). */
import { accountPrefix, accountRoutes } from '../../contract/account/api.ts';
import type { LambdaHandler } from './exchange.ts';
import { ownerDoor } from './owner-door.ts';
import { notRouted, routedPaths } from './routed-paths.ts';
import { serve } from './serve.ts';

const methodsAt = routedPaths(accountPrefix, accountRoutes);

export function accountRouteNotFound(): LambdaHandler {
  return serve('accountRouteNotFound', ownerDoor(), async ({ rawPath }) => {
    throw notRouted(methodsAt(rawPath));
  });
}

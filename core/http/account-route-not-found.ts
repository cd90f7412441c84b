/** What no route of the account API takes, behind the same check as the routes (decisions §1). */
import { accountPrefix, accountRoutes } from '../../contract/account-api.ts';
import { accountChain } from './account-chain.ts';
import type { HttpEvent, LambdaHandler } from './exchange.ts';
import { notRouted, routedPaths } from './routed-paths.ts';

const methodsAt = routedPaths(accountPrefix, accountRoutes);

export function accountRouteNotFound(): LambdaHandler {
  return accountChain('accountRouteNotFound').handler(async ({ rawPath }: HttpEvent) => {
    throw notRouted(methodsAt(rawPath));
  }) as unknown as LambdaHandler;
}

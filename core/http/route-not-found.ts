/** What no route takes (decisions §1): the misprinted prefix is redirected; the rest is 404 or 405, behind the key check. */
import { allRoutes, integrationPrefix } from '../../contract/api.ts';
import { openChain } from './chain.ts';
import type { HttpEvent, LambdaHandler } from './exchange.ts';
import { keyedChain } from './keyed-chain.ts';
import { documentedLocation } from './misprinted-prefix.ts';
import { notRouted, routedPaths } from './routed-paths.ts';

const methodsAt = routedPaths(integrationPrefix, allRoutes);

export function routeNotFound(): LambdaHandler {
  const refuse = keyedChain('routeNotFound').handler(async ({ rawPath }: HttpEvent) => {
    throw notRouted(methodsAt(rawPath));
  }) as unknown as LambdaHandler;

  const redirect = openChain('redirectMisprintedPrefix').handler(async ({ rawPath, rawQueryString }: HttpEvent) => ({
    statusCode: 308,
    headers: { Location: documentedLocation(rawPath, rawQueryString) ?? '' },
  })) as unknown as LambdaHandler;

  return (event, context) =>
    documentedLocation(event.rawPath, event.rawQueryString) === undefined
      ? refuse(event, context)
      : redirect(event, context);
}

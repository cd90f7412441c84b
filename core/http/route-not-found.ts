/**
 * What no route takes (docs/rules.md#requests): the misprinted prefix is redirected; the rest is 404 or 405, behind the
 * key check.
 */
import { allRoutes, integrationPrefix } from '../../contract/integration/api.ts';
import type { LambdaHandler } from './exchange.ts';
import { keyDoor } from './key-door.ts';
import { documentedLocation } from './misprinted-prefix.ts';
import { notRouted, routedPaths } from './routed-paths.ts';
import { openDoor, serve } from './serve.ts';

const methodsAt = routedPaths(integrationPrefix, allRoutes);

export function routeNotFound(): LambdaHandler {
  const refuse = serve('routeNotFound', keyDoor(), async ({ rawPath }) => {
    throw notRouted(methodsAt(rawPath));
  });

  const redirect = serve('redirectMisprintedPrefix', openDoor(), async ({ rawPath, rawQueryString }) => ({
    statusCode: 308,
    headers: { Location: documentedLocation(rawPath, rawQueryString) ?? '' },
  }));

  return (event, context) =>
    documentedLocation(event.rawPath, event.rawQueryString) === undefined
      ? refuse(event, context)
      : redirect(event, context);
}

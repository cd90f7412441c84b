/** What a gateway calls its routes, `GET /v1/integration/webhooks/{id}`, and what it refuses of them. Pure. */

import type { Endpoint } from '../contract/define.ts';
import { bracedPath } from '../contract/integration/api.ts';

/** What no other route matches. */
export const defaultRouteKey = '$default';

/** The key of a row below the prefix of its API. */
export function routeKeyOf(prefix: string, { method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${prefix}${bracedPath(path)}`;
}

/**
 * `PATCH /v1/account/clients/{id}` → `PatchV1AccountClientsAny`. An API has one route of a method and a path, whatever
 * its operation or its variables are called, and CloudFormation makes a resource of a new id before it deletes the one
 * of the old id. So the id says what the gateway goes by, and nothing else.
 */
export function routeId(routeKey: string): string {
  if (routeKey === defaultRouteKey) return 'Fallback';
  const [method = '', path = ''] = routeKey.split(' ');
  return [
    method.toLowerCase(),
    ...path
      .replace(/\{[^}]+\+\}/g, 'rest')
      .replace(/\{[^}]+\}/g, 'any')
      .split(/[^A-Za-z0-9]+/),
  ]
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/**
 * An HTTP API takes one name for the variables of one place: `/webhooks/{id}` beside `/webhooks/{webhookId}/ping` is
 * refused by the account, in the middle of a deployment. Throws an error that names both routes.
 */
export function refuseTwoNamesOfAPosition(routeKeys: readonly string[]): void {
  const first = new Map<string, { name: string; routeKey: string }>();
  for (const routeKey of routeKeys) {
    const [, path = ''] = routeKey.split(' ');
    let place = '';
    for (const segment of path.split('/')) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      place += name === undefined ? `/${segment}` : '/{}';
      if (name === undefined) continue;
      const known = first.get(place) ?? { name, routeKey };
      first.set(place, known);
      if (known.name === name) continue;
      throw new Error(
        `One place of a path has one variable name: it is {${known.name}} in ${known.routeKey} and {${name}} in ${routeKey}.`,
      );
    }
  }
}

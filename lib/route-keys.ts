/** The gateway's names of routes, `GET /v1/integration/webhooks/{id}`, and checks of what it refuses. Pure. */

import type { Endpoint } from '../contract/define.ts';
import { bracedPath } from '../contract/integration/api.ts';

/** The route of requests that no other route matches. */
export const defaultRouteKey = '$default';

/** The route key of a row with the prefix of its API. */
export function routeKeyOf(prefix: string, { method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${prefix}${bracedPath(path)}`;
}

/**
 * An HTTP API allows one variable name per path position: AWS would refuse `/webhooks/{id}` beside
 * `/webhooks/{webhookId}/ping` in the middle of a deployment. Throws an error that names both routes.
 */
export function assertOneNamePerPosition(routeKeys: readonly string[]): void {
  const first = new Map<string, { name: string; routeKey: string }>();
  for (const routeKey of routeKeys) {
    const [, path = ''] = routeKey.split(' ');
    let position = '';
    for (const segment of path.split('/')) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      position += name === undefined ? `/${segment}` : '/{}';
      if (name === undefined) continue;
      const known = first.get(position) ?? { name, routeKey };
      first.set(position, known);
      if (known.name === name) continue;
      throw new Error(
        `One position of a path has one variable name: it is {${known.name}} in ${known.routeKey} and {${name}} in ${routeKey}.`,
      );
    }
  }
}

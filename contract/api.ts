/** What is common to all endpoints: prefixes, headers, and the rows as lists. */
import type { Method, Route } from './define.ts';
import * as routeRows from './routes.ts';

export { integrationPrefix, misprintedPrefix } from './prefixes.ts';

export interface NamedRoute extends Route {
  readonly operation: string;
}

const methodOrder: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

/** Every row with its operation's name, by path and method. */
export const allRoutes: readonly NamedRoute[] = Object.entries<Route>(routeRows)
  .map(([operation, route]) => ({ operation, ...route }))
  .sort((a, b) => a.path.localeCompare(b.path, 'en') || methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method));

/** The rows that are deployed and routed. */
export const liveRoutes: readonly NamedRoute[] = allRoutes.filter((route) => !route.planned);

/** `createWebhook` → `create-webhook`: the name of a handler's file and bundle. */
export function fileName(operation: string): string {
  return operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `/webhooks/:id` → `/webhooks/{id}`, as the gateway and OpenAPI write it. */
export function bracedPath(path: string): string {
  return path.replace(/:([A-Za-z]+)/g, '{$1}');
}

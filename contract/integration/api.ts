/** The common parts of all endpoints: prefixes, headers, and the rows as lists. */
import type { Route } from '../define.ts';
import { type Named, named } from '../named.ts';
import { allOf, auditNeeds } from '../system/needs.ts';
import * as routeRows from './routes.ts';

export { integrationPrefix, redirectedPrefix } from '../prefixes.ts';

export type NamedRoute = Named<Route>;

const rows = named<Route>({ ...routeRows });

/** The rows that are tools of `POST /mcp`. */
export const toolRoutes: readonly NamedRoute[] = rows.filter(({ tool }) => tool);

/** Every row with its operation's name, by path and method. The function of the tools needs what each tool needs. */
export const allRoutes: readonly NamedRoute[] = rows.map((row) =>
  row.operation === 'callMcp' ? { ...row, needs: allOf(auditNeeds, ...toolRoutes.map(({ needs }) => needs)) } : row,
);

/** Converts `createWebhook` to `create-webhook`, the name of a handler's file and bundle. */
export function fileName(operation: string): string {
  return operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Converts `/webhooks/:id` to `/webhooks/{id}`, the form of the gateway and of OpenAPI. */
export function bracedPath(path: string): string {
  return path.replace(/:([A-Za-z]+)/g, '{$1}');
}

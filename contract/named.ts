/** The rows of a table as a list. */
import type { Endpoint, Method } from './define.ts';

export type Named<R extends Endpoint> = R & { readonly operation: string };

const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every row with its operation's name, by path and method. */
export function named<R extends Endpoint>(rows: Readonly<Record<string, R>>): readonly Named<R>[] {
  return Object.entries(rows)
    .map(([operation, route]) => ({ operation, ...route }))
    .sort(
      (a, b) => a.path.localeCompare(b.path, 'en') || methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method),
    );
}

/** Selects the route of an HTTP API for a request, with the precedence of the gateway. Pure. */

export interface RouteKey {
  /** The method: `GET`, `ANY`, or empty for `$default`. */
  readonly method: string;
  /** The path: `/webhooks/{id}`, `/files/{proxy+}`, or `$default`. */
  readonly path: string;
  readonly segments: readonly string[];
}

export interface RouteMatch<T> {
  readonly route: T;
  /** Decoded values of the path variables. */
  readonly parameters: Readonly<Record<string, string>>;
}

export function parseRouteKey(routeKey: string): RouteKey {
  if (routeKey === '$default') return { method: '', path: routeKey, segments: [] };
  const [method = '', path = ''] = routeKey.split(' ');
  return { method, path, segments: split(path) };
}

/**
 * Returns the best route: a full match before a greedy one before `$default`. Within a rank, literal segments from the
 * left are before variables, and the route of the method before `ANY`.
 */
export function selectRoute<T extends RouteKey>(
  routes: readonly T[],
  method: string,
  path: string,
): RouteMatch<T> | undefined {
  const requested = split(path);
  let best: { match: RouteMatch<T>; score: string } | undefined;
  for (const route of routes) {
    if (route.method !== '' && route.method !== 'ANY' && route.method !== method) continue;
    const found = route.path === '$default' ? { parameters: {}, score: '0' } : fitting(route, requested);
    if (!found) continue;
    const score = `${found.score}${route.method === 'ANY' ? '0' : '1'}`;
    if (!best || score > best.score) best = { match: { route, parameters: found.parameters }, score };
  }
  return best?.match;
}

/** Counts the leading segments that an API's routes share with the path, because several APIs share one port. */
export function sharedSegments(routes: readonly RouteKey[], path: string): number {
  const requested = split(path);
  return Math.max(
    0,
    ...routes.map(({ segments }) => {
      const different = segments.findIndex((segment, i) => segment !== requested[i]);
      return different === -1 ? segments.length : different;
    }),
  );
}

/** The gateway accepts one variable name for each position, and rejects a route with another. */
export function assertOneNamePerPosition(routes: readonly (RouteKey & { readonly routeKey: string })[]): void {
  const first = new Map<string, { name: string; routeKey: string }>();
  for (const { segments, routeKey } of routes) {
    let position = '';
    for (const segment of segments) {
      const name = /^\{([^+]+)\}$/.exec(segment)?.[1];
      position += name === undefined ? `/${segment}` : '/{}';
      if (name === undefined) continue;
      const known = first.get(position) ?? { name, routeKey };
      first.set(position, known);
      if (known.name === name) continue;
      throw new Error(
        `A gateway refuses the route ${routeKey}: {${name}} is at the position of {${known.name}} in ${known.routeKey}.`,
      );
    }
  }
}

function fitting(
  route: RouteKey,
  requested: readonly string[],
): { parameters: Record<string, string>; score: string } | undefined {
  const parameters: Record<string, string> = {};
  let score = '';
  for (const [i, segment] of route.segments.entries()) {
    const greedy = /^\{(.+)\+\}$/.exec(segment)?.[1];
    if (greedy !== undefined) {
      if (requested.length <= i) return undefined;
      parameters[greedy] = requested.slice(i).join('/');
      return { parameters, score: `1${score}` };
    }
    const value = requested[i];
    const variable = /^\{(.+)\}$/.exec(segment)?.[1];
    if (
      value === undefined ||
      (variable === undefined && value !== segment) ||
      (variable !== undefined && value === '')
    )
      return undefined;
    if (variable !== undefined) parameters[variable] = value;
    score += variable === undefined ? '2' : '1';
  }
  return requested.length === route.segments.length ? { parameters, score: `2${score}` } : undefined;
}

/** Splits `/a/b` into `['a', 'b']`. A slash at the end gives an empty last segment. */
function split(path: string): string[] {
  return path.slice(1).split('/');
}

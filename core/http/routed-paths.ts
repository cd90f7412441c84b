/** Which methods a path has, by the rows that are routed (docs/rules.md#requests: 404 or 405 with `Allow`). */
import type { Endpoint } from '../../contract/define.ts';
import { type ApiError, fail } from '../errors.ts';

/** From a path to its methods: none when there is no such endpoint. */
export function routedPaths(prefix: string, routes: readonly Endpoint[]): (path: string) => readonly string[] {
  const patterns = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${prefix}${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`),
  }));
  return (path) => [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}

/** 405 with the methods that the path has, or 404. */
export function notRouted(methods: readonly string[]): ApiError {
  return methods.length > 0
    ? fail('method_not_allowed', { headers: { Allow: methods.join(', ') } })
    : fail('route_not_found');
}

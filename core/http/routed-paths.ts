/** Which methods a path has, by the rows that are routed (decisions §1: 404 or 405 with `Allow`). */
import { integrationPrefix, liveRoutes } from '../../contract/api.ts';

const patterns = liveRoutes.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${integrationPrefix}${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`),
}));

/** Empty when there is no such endpoint. */
export function methodsAt(path: string): readonly string[] {
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}

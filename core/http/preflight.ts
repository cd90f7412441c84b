/**
 * The preflight of CORS (docs/rules.md#origins). It is answered without a key, since browsers send none, and to any
 * origin: what an origin may read is decided by the actual response. Credentials are never allowed.
 */
import { allRoutes, integrationPrefix } from '../../contract/integration/api.ts';
import type { LambdaHandler } from './exchange.ts';
import { routedPaths } from './routed-paths.ts';
import { openDoor, serve } from './serve.ts';

const methodsAt = routedPaths(integrationPrefix, allRoutes);

const maxAgeSeconds = 3_600;
const allowedHeaders = ['X-API-Key', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'];
/** For a path without endpoints, so that the script gets to read the 404. */
const anyMethod = ['GET', 'POST', 'PATCH', 'DELETE'];

export function preflight(): LambdaHandler {
  return serve('preflight', openDoor(), async ({ rawPath }) => {
    const methods = methodsAt(rawPath);
    return {
      statusCode: 204,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': (methods.length > 0 ? methods : anyMethod).join(', '),
        'Access-Control-Allow-Headers': allowedHeaders.join(', '),
        'Access-Control-Max-Age': String(maxAgeSeconds),
        Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      },
    };
  });
}

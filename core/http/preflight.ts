/**
 * The preflight of CORS (docs/rules.md#origins). It is answered without a key, since browsers send none, and to any
 * origin: what an origin may read is decided by the actual response. Credentials are never allowed.
 */
import type { Endpoint } from '../../contract/define.ts';
import { integrationPrefix } from '../../contract/prefixes.ts';
import type { LambdaHandler } from './context.ts';
import { routedPaths } from './not-found.ts';
import { publicAccess, serve } from './serve.ts';

const maxAgeSeconds = 3_600;
const allowedHeaders = [
  ...['X-API-Key', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
  // Of agents' tools.
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  // Pages with tracing send these with every request.
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
];
/** For a path without endpoints, so that the script gets to read the 404. */
const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** For the integration API, given its rows. */
export function preflight(rows: readonly Endpoint[]): LambdaHandler {
  const methodsAt = routedPaths(integrationPrefix, rows);
  return serve('preflight', publicAccess(), async ({ rawPath }) => {
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

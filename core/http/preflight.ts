/**
 * The CORS preflight (docs/rules.md#origins). Browsers send it without a key, so it allows every origin; the actual
 * response decides which origin may read it. Credentials are never allowed.
 */
import type { Endpoint } from '../../contract/define.ts';
import { integrationPrefix } from '../../contract/prefixes.ts';
import type { LambdaHandler } from './context.ts';
import { routedPaths } from './not-found.ts';
import { publicAccess, serve } from './serve.ts';

const maxAgeSeconds = 3_600;
const allowedHeaders = [
  ...['X-API-Key', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
  // Sent by tools for agents.
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  // Sent with every request by pages that use tracing.
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
];
/** For a path without endpoints, so that a script can read the 404. */
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

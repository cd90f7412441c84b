/**
 * The CORS preflight (docs/rules.md#origins). Browsers send it without a key, so it allows every origin; the actual
 * response decides which origin may read it. It allows every path and method, so that a script can read a 404 or 405.
 * Credentials are never allowed.
 */
import type { LambdaHandler } from './context.ts';
import { publicAccess, serve } from './serve.ts';

const maxAgeSeconds = 3_600;
const allowedHeaders = [
  ...['X-API-Key', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
  // Sent by tools for agents.
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  // Sent with every request by pages that use tracing.
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
];
const allowedMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function preflight(): LambdaHandler {
  return serve('preflight', publicAccess(), async () => ({
    statusCode: 204,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': allowedMethods.join(', '),
      'Access-Control-Allow-Headers': allowedHeaders.join(', '),
      'Access-Control-Max-Age': String(maxAgeSeconds),
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  }));
}

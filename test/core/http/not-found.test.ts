/** What answers where no endpoint does: preflights, the redirect of the misprinted prefix, 404 and 405. */
import { afterEach, expect, test, vi } from 'vitest';
import { allRoutes } from '../../../contract/integration/api.ts';
import { integrationPrefix } from '../../../contract/prefixes.ts';
import { preflight } from '../../../core/http/preflight.ts';
import { call } from '../../support/http.ts';

afterEach(() => vi.restoreAllMocks());

const _misprinted = '/api/v1/integration';

test.each([
  ['/bookings', 'GET, POST'],
  ['/bookings/5/cancel', 'POST'],
  ['/nothing', 'GET, POST, PATCH, DELETE'],
])('A preflight of %s allows %s from every origin, without a key', async (path, methods) => {
  const { status, headers } = await call(preflight(allRoutes), {
    method: 'OPTIONS',
    path: `${integrationPrefix}${path}`,
  });
  expect(status).toBe(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods,
    'access-control-allow-headers':
      'X-API-Key, Authorization, Content-Type, Idempotency-Key, If-None-Match, MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate, baggage, sentry-trace',
    'access-control-max-age': '3600',
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  });
});

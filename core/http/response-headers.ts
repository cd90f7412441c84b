/** The headers every response owes (docs/rules.md#limits, #errors), whether it succeeds or fails. */
import { exposedHeaders, requestIdHeader } from '../../contract/headers.ts';
import type { Exchange, HttpResult, Middleware } from './exchange.ts';
import { originAllowed } from './origin.ts';

export function responseHeaders(): Middleware {
  return {
    after: ({ event, response }) => addHeaders(event.exchange, response),
    onError: ({ event, response }) => addHeaders(event.exchange, response),
  };
}

function addHeaders(exchange: Exchange, response: HttpResult | null | undefined): void {
  if (!response) return;
  response.headers = {
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    ...corsHeaders(exchange),
    ...response.headers,
    ...limitHeaders(exchange),
    [requestIdHeader]: exchange.requestId,
  };
}

function limitHeaders({ usage }: Exchange): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(usage.limits.perMinute),
    'X-RateLimit-Remaining': String(usage.remaining),
    'X-RateLimit-Reset': String(usage.resetsMs / 1_000),
    'X-RateLimit-Limit-Day': String(usage.limits.perDay),
    'X-RateLimit-Remaining-Day': String(usage.dayRemaining),
    'X-RateLimit-Reset-Day': String(usage.dayResetsMs / 1_000),
  };
}

/** Only an origin that the key lists may read the answer: without a list no browser may (docs/decisions/cors-without-a-list.md). */
function corsHeaders({ headers, origins }: Exchange): Record<string, string> {
  const { origin } = headers;
  if (origin === undefined || !originAllowed(origin, origins)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  };
}

/**
 * Requests without an endpoint (docs/rules.md#requests): a path below `redirectedPrefix` is redirected; others get
 * 404, or 405 with `Allow`, after the access policy of the API.
 */
import type { Endpoint } from '../../contract/define.ts';
import { accountPrefix, integrationPrefix, redirectedPrefix } from '../../contract/prefixes.ts';
import { fail } from '../errors.ts';
import { keyAccess } from './access/key.ts';
import { ownerAccess } from './access/owner.ts';
import type { AccessPolicy, LambdaHandler } from './context.ts';
import { publicAccess, serve } from './serve.ts';

/** For the integration API, given its rows. */
export function routeNotFound(rows: readonly Endpoint[]): LambdaHandler {
  const notFound = notFoundHandler('routeNotFound', keyAccess(), integrationPrefix, rows);
  const redirect = serve('redirectMisprintedPrefix', publicAccess(), async ({ rawPath, rawQueryString }) => ({
    statusCode: 308,
    headers: { Location: documentedLocation(rawPath, rawQueryString) ?? '' },
  }));
  return (event, context) =>
    documentedLocation(event.rawPath, event.rawQueryString) === undefined
      ? notFound(event, context)
      : redirect(event, context);
}

/** For the account API, given its rows. */
export function accountRouteNotFound(rows: readonly Endpoint[]): LambdaHandler {
  return notFoundHandler('accountRouteNotFound', ownerAccess(), accountPrefix, rows);
}

/** 405 with the methods that the path has, or 404. */
function notFoundHandler(operation: string, access: AccessPolicy, prefix: string, rows: readonly Endpoint[]) {
  const patterns = rows.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${prefix}${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`),
  }));
  return serve(operation, access, async ({ rawPath }) => {
    const routed = patterns.filter(({ pattern }) => pattern.test(rawPath));
    if (routed.length === 0) throw fail('route_not_found');
    const methods = new Set(routed.map(({ method }) => method));
    throw fail('method_not_allowed', { headers: { Allow: [...methods].join(', ') } });
  });
}

/**
 * Path and query below the documented prefix, or undefined if the path is not below `redirectedPrefix`. One published
 * sample has this wrong prefix. The redirect is a 308, which keeps method and body, and stays on the same host.
 */
export function documentedLocation(rawPath: string, rawQueryString: string): string | undefined {
  if (rawPath !== redirectedPrefix && !rawPath.startsWith(`${redirectedPrefix}/`)) return undefined;
  const rest = rawPath.slice(redirectedPrefix.length);
  // Clients resolve `.` and `..` before they follow a redirect, and would leave the prefix.
  if (/[/\\](?:\.|%2e){1,2}(?:$|[/\\])/i.test(rest)) return undefined;
  return integrationPrefix + escaped(rest) + (rawQueryString === '' ? '' : `?${escaped(rawQueryString)}`);
}

/** Percent-encodes characters that a URI may not contain, such as line breaks, and keeps what is already encoded. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/%(?![0-9A-Fa-f]{2})|[^%A-Za-z0-9\-._~!$&'()*+,;=:@/?]/gu, (character) => encodeURIComponent(character));
}

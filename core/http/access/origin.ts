/**
 * Whether an `Origin` is one of a key's allowed origins (docs/rules.md#origins). An entry is a host, or `*.` and a
 * host; scheme and port are optional and are compared only if present: `shop.example.com`, `*.example.com`,
 * `https://example.com:8443`. A value that is not an origin, such as `null`, is not allowed.
 */
import { domainToASCII } from 'node:url';
import { exposedHeaders } from '../../../contract/headers.ts';
import { ApiError } from '../../errors.ts';
import type { Middleware, RequestState } from '../context.ts';

const originFormat = /^([a-z][a-z0-9+.-]*):\/\/([a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i;
const entryFormat = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?([^\s/:@*]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i;
const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

interface Origin {
  readonly scheme: string;
  readonly host: string;
  readonly port: string | undefined;
}

/**
 * A key with allowed origins is accepted only from these; a request without `Origin` is refused. Only an origin in the
 * list may read the response, so without a list no browser can (docs/decisions/cors-without-a-list.md).
 */
export function acceptsOrigin(state: RequestState, origins: readonly string[]): boolean {
  const { origin } = state.headers;
  const isListed = origin !== undefined && originAllowed(origin, origins);
  if (isListed) state.corsHeaders = readableBy(origin);
  return isListed || origins.length === 0;
}

/**
 * A session with an origin is accepted only from this origin. A session without one can be used by any page that has
 * its token.
 */
export function acceptsPage(state: RequestState, bound: string | undefined): boolean {
  if (bound !== undefined) return acceptsOrigin(state, [withPort(bound)]);
  const { origin } = state.headers;
  if (origin !== undefined) state.corsHeaders = readableBy('*');
  return true;
}

/** An origin without a port means the default port: a page on another port has another origin. */
function withPort(origin: string): string {
  const { scheme, host, port } = parseOrigin(origin) ?? {};
  return `${scheme}://${host}:${port}`;
}

/** Every page may read why a key is refused, because the reason reveals nothing about the business. */
export function refusalsReadableByAll(): Middleware {
  return {
    onError: ({ event: { state }, error }) => {
      const isReadable = error instanceof ApiError && (error.status === 401 || error.code === 'origin_not_allowed');
      if (isReadable) state.corsHeaders = readableBy('*');
    },
  };
}

function readableBy(origin: string): Readonly<Record<string, string>> {
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders.join(', ') };
}

export function originAllowed(header: string, entries: readonly string[]): boolean {
  const origin = parseOrigin(header);
  return origin !== undefined && entries.some((entry) => matches(origin, entry));
}

function parseOrigin(header: string): Origin | undefined {
  const [, scheme, host, port] = originFormat.exec(header) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  const name = scheme.toLowerCase();
  return { scheme: name, host: host.toLowerCase(), port: port ?? defaultPorts[name] };
}

function matches(origin: Origin, entry: string): boolean {
  const [, scheme, wildcard, name, port] = entryFormat.exec(entry) ?? [];
  if (name === undefined) return false;
  if (scheme !== undefined && scheme.toLowerCase() !== origin.scheme) return false;
  if (port !== undefined && port !== origin.port) return false;
  // Browsers send international names in ASCII, but people enter them in Unicode.
  const host = domainToASCII(name);
  if (host === '') return false;
  return wildcard === undefined ? origin.host === host : origin.host.endsWith(`.${host}`);
}

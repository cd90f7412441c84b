/** A first request that checks whether a new key works. */
import type { Answer } from '../../api/call.ts';
import type { Scope } from './scope-sets.ts';

export type NewKey = Pick<Answer<'createApiKey'>, 'key' | 'scopes' | 'allowedOrigins'>;

/** Paths that each permission may read without parameters. */
const readable: Partial<Record<Scope, string>> = {
  'business:read': '/business',
  'services:read': '/services',
  'staff:read': '/staff',
  'bookings:read': '/bookings',
  'reviews:read': '/reviews',
  'webhooks:manage': '/webhooks',
};

/** Undefined if the key may read nothing without parameters. */
export function firstPath(scopes: readonly Scope[]): string | undefined {
  return Object.entries(readable).find(([scope]) => scopes.some((one) => one === scope))?.[1];
}

/** Returns a curl command for a POSIX shell. A key with allowed websites is accepted from those only. */
export function firstCurl(api: string, { key, scopes, allowedOrigins: [website] }: NewKey): string {
  const origin = website === undefined ? '' : ` -H 'Origin: ${originOf(website)}'`;
  return `curl '${api}${firstPath(scopes) ?? ''}' -H 'X-API-Key: ${key}'${origin}`;
}

/** Returns an origin that the entry allows: `https://www.example.com` for `*.example.com`. */
export function originOf(entry: string): string {
  const host = entry.replace('*.', 'www.');
  return host.includes('://') ? host : `https://${host}`;
}

export interface Sent {
  readonly status: number;
  readonly ms: number;
  readonly requestId: string | null;
}

/** The integration API below the console's own address, where the console may read all responses. */
const integrationPath = '/v1/integration';

/** Rejects if no response comes. */
export async function sendFirst(path: string, key: string): Promise<Sent> {
  const began = performance.now();
  const { status, headers } = await fetch(`${integrationPath}${path}`, {
    headers: { 'X-API-Key': key },
    credentials: 'omit',
    cache: 'no-store',
  });
  return { status, ms: Math.round(performance.now() - began), requestId: headers.get('X-Request-Id') };
}

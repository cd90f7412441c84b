/**
 * Caches errors as CloudFront does
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html): for ten seconds, or for
 * the time that the distribution sets for the status, whatever the cache policy is. With the policy CachingDisabled the
 * cache key is the path alone, so that all callers get the cached error of one.
 */
import * as z from 'zod/mini';
import type { GatewayAnswer, GatewayRequest } from './http-event.ts';
import { number } from './kind.ts';

/** Custom error pages are not supported: callers of an API would get them as responses. */
export const errorResponses = z._default(
  z.array(z.strictObject({ ErrorCode: number, ErrorCachingMinTTL: z.optional(number) })),
  [],
);

const secondsDefault = 10;

const always: ReadonlySet<number> = new Set([500, 502, 503, 504]);
const unlessForbidden: ReadonlySet<number> = new Set([404, 410, 414, 501]);

function isKept({ status, headers }: GatewayAnswer): boolean {
  const forbids = /no-store|no-cache|private/.test(headers['cache-control'] ?? '');
  return always.has(status) || (unlessForbidden.has(status) && !forbids);
}

/** Returns the cached response of the path, or else that of the origin. */
export type ErrorCache = (request: GatewayRequest, origin: () => Promise<GatewayAnswer>) => Promise<GatewayAnswer>;

export function errorCache(configured: z.infer<typeof errorResponses>): ErrorCache {
  const seconds = new Map(configured.map((one) => [one.ErrorCode, one.ErrorCachingMinTTL ?? secondsDefault]));
  const cached = new Map<string, { readonly answer: GatewayAnswer; readonly until: number }>();
  return async (request, origin) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return origin();
    const [path = '/'] = request.target.split('?');
    const found = cached.get(path);
    if (found && request.time < found.until) return found.answer;
    cached.delete(path);
    const answer = await origin();
    const stays = isKept(answer) ? (seconds.get(answer.status) ?? secondsDefault) : 0;
    if (stays > 0) cached.set(path, { answer, until: request.time + stays * 1_000 });
    return answer;
  };
}

/** Which URLs a webhook may point to (docs/rules.md#targets). */
import { isIP } from 'node:net';
import { limits } from '../../../contract/limits.ts';
import { env } from '../../env.ts';
import { fail, invalid } from '../../errors.ts';
import { SendFailure } from './failures.ts';
import { type Resolver, resolveTarget } from './resolve.ts';

/** Port 443 and ports above the well-known ones, so that nobody can attack port 22 or 25 through us. */
const lowestFreePort = 1_024;

/** The only spellings of this machine that a local run accepts. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Last labels of host names that never lead to the public internet: special-use names (RFC 6761, 6762, 7686, 8375, 9476
 * and `internal`), and names of private networks that will never be top-level domains.
 */
const innerSuffixes = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'svc',
  'private',
  'corp',
  'home',
  'lan',
  'mail',
  'test',
  'example',
  'invalid',
  'onion',
  'alt',
  'arpa',
]);

/** The rules on the text alone. Throws `SendFailure` with code `target_not_allowed`; its message is public. */
export function checkTargetUrl(text: string, allowLoopback: boolean = env.allowsLoopbackTargets()): URL {
  const url = parse(text);
  // The default port of http would be 80, which is refused like all well-known ports but 443.
  const port = Number(url.port || 443);
  if (isLoopbackTarget(url)) {
    if (!allowLoopback) refuse('must point to a public host');
    if (port < lowestFreePort) refuse(`must use a port of at least ${lowestFreePort} on this machine`);
    return url;
  }
  if (url.protocol !== 'https:') refuse('must be an https URL');
  if (port !== 443 && port < lowestFreePort) refuse(`must use port 443 or a port of at least ${lowestFreePort}`);
  checkHost(url.hostname);
  return url;
}

/** Whether the URL names this machine, in one of the spellings that a local run accepts. */
export function isLoopbackTarget(url: URL): boolean {
  return loopbackHosts.has(url.hostname);
}

/**
 * Checks the URL of a new or changed webhook, and the addresses of its host. A name that takes longer than a second is
 * accepted: slow name servers must not delay a function, and the addresses are checked again before each connection.
 * Throws `validation_failed` at `targetUrl`, or `temporarily_unavailable` when our resolver is down.
 */
export async function acceptTargetUrl(text: string, resolver?: Resolver): Promise<URL> {
  try {
    const url = checkTargetUrl(text);
    if (isLoopbackTarget(url)) return url;
    await resolveTarget(url.hostname, limits.targetUrlLookupMs, resolver).catch((error: unknown) => {
      if (!isSilence(error)) throw error;
    });
    return url;
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error;
    if (error.platformFault) throw fail('temporarily_unavailable', { retryAfter: 5, cause: error });
    const message =
      error.errorCode === 'target_not_allowed' ? error.message : 'must have a host name that can be resolved';
    throw invalid('targetUrl', message, error);
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof SendFailure && (error.cause as { readonly code?: unknown } | undefined)?.code === 'ETIMEOUT';
}

function parse(text: string): URL {
  // The URL parser drops tabs and line ends and turns backslashes round; what is stored must be what is meant.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) refuse('must not contain spaces, backslashes or control characters');
  if (!/^https?:\/\//i.test(text)) refuse('must be an https URL');
  // The URL parser drops user information that is empty.
  if (/^[^/]+:\/\/[^/?#]*@/.test(text)) refuse('must not contain a user name or password');
  const url = URL.parse(text);
  if (!url) return refuse('must be a valid URL');
  // The stored form is checked, because the parser encodes characters.
  if (url.href.length > limits.targetUrlLength) {
    refuse(`must be at most ${limits.targetUrlLength} characters long after percent-encoding`);
  }
  return url;
}

/** The parser has already turned every spelling of an IPv4 address (decimal, octal, hexadecimal, short) into four numbers. */
function checkHost(hostname: string): void {
  if (hostname.startsWith('[') || isIP(hostname) !== 0)
    refuse('must name its host by a domain name, not by an address');
  const labels = hostname.split('.');
  const last = labels.at(-1) ?? '';
  if (last === '') refuse('must not end its host name with a dot');
  if (hostname.length > 253 || !labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))) {
    refuse('must have a valid host name');
  }
  if (innerSuffixes.has(last) || labels.length < 2) refuse('must point to a public host');
  if (!/^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/.test(last)) refuse('must have a valid host name');
}

function refuse(reason: string): never {
  throw new SendFailure('target_not_allowed', reason);
}

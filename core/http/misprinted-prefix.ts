/**
 * One published sample shows the prefix `/api/v1/integration`. What is sent there is redirected with 308, which keeps
 * method and body (docs/rules.md#requests). The target is always below the documented prefix of the same host.
 */
import { integrationPrefix, misprintedPrefix } from '../../contract/prefixes.ts';

/** Path and query of the documented endpoint, or undefined when the path does not have the misprinted prefix. */
export function documentedLocation(rawPath: string, rawQueryString: string): string | undefined {
  if (rawPath !== misprintedPrefix && !rawPath.startsWith(`${misprintedPrefix}/`)) return undefined;
  const rest = rawPath.slice(misprintedPrefix.length);
  // Clients resolve these before they follow, and would leave the prefix.
  if (/[/\\](?:\.|%2e){1,2}(?:$|[/\\])/i.test(rest)) return undefined;
  return integrationPrefix + escaped(rest) + (rawQueryString === '' ? '' : `?${escaped(rawQueryString)}`);
}

/** Percent-encodes what a URI may not hold, line breaks above all, and leaves what is encoded as it is. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/%(?![0-9A-Fa-f]{2})|[^%A-Za-z0-9\-._~!$&'()*+,;=:@/?]/gu, (character) => encodeURIComponent(character));
}

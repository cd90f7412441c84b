/** Addresses and origins that a request names, as the URL parser writes them: what is stored is what a browser will read. */
import { limits } from './limits.ts';

/** What the parser drops or turns round, and what a reader does not see: spaces, controls, formats, bidirectional marks. */
const misleading = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;

/** An https address, or undefined for anything else. */
export function canonicalUrl(text: string): string | undefined {
  if (!/^https:\/\/[^/]/i.test(text) || misleading.test(text)) return undefined;
  const href = URL.parse(text)?.href;
  return href && href.length <= limits.targetUrlLength ? href : undefined;
}

const originFormat = /^(https?:\/\/)?(\*\.)?([^/:@*[\]?#%]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$/i;

/**
 * A host, or `*.` and a host; with a scheme and a port when those shall be compared too (docs/rules.md#origins). Undefined
 * for anything else: `null` is what browsers send for no origin at all.
 */
export function canonicalOrigin(entry: string): string | undefined {
  const [, scheme = '', wildcard = '', name = '', port = ''] = originFormat.exec(entry) ?? [];
  const host = misleading.test(entry) ? undefined : URL.parse(`https://${name}`)?.hostname;
  if (!host || host === 'null' || !/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(host)) return undefined;
  if (wildcard && host.startsWith('[')) return undefined;
  return scheme.toLowerCase() + wildcard + host + port;
}

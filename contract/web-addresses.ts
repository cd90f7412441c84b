/** Addresses and origins that a request names, as the URL parser writes them: what is stored is what a browser will read. */
import { limits } from './limits.ts';

/** What the parser drops or turns round, and what a reader does not see: spaces, controls, formats, bidirectional marks. */
const misleading = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;

/** An https address without user information, or undefined for anything else. */
export function canonicalUrl(text: string): string | undefined {
  const url = /^https:\/\/[^/]/i.test(text) && !misleading.test(text) ? URL.parse(text) : null;
  if (!url) return undefined;
  url.username = '';
  url.password = '';
  return url.href.length <= limits.targetUrlLength ? url.href : undefined;
}

const originFormat = /^(https?:\/\/)?(\*\.)?([^/:@*[\]?#%]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$/i;
/** As the parser writes hosts. */
const hostFormat = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
const emptyLabel = /^\.|\.\./;
const isAddress = /^\[|^[0-9.]+$/;

/**
 * A host, or `*.` and a host; with a scheme and a port when those shall be compared too (docs/rules.md#origins). Undefined
 * for anything else: `null` is what browsers send for no origin at all.
 */
export function canonicalOrigin(entry: string): string | undefined {
  const [, scheme = '', wildcard = '', name = '', port = ''] = originFormat.exec(entry) ?? [];
  const host = misleading.test(entry) ? undefined : URL.parse(`https://${name}${port}`)?.hostname;
  if (!host || host === 'null' || !hostFormat.test(host) || emptyLabel.test(host)) return undefined;
  if ((wildcard && isAddress.test(host)) || /^:0*$/.test(port)) return undefined;
  return scheme.toLowerCase() + wildcard + host + port.replace(/^:0+/, ':');
}

/** Addresses and origins in requests, in the form of the URL parser: the stored value is what a browser will use. */
import { limits } from './limits.ts';

/** Characters that the parser drops or converts, or that are invisible: spaces, controls, formats, direction marks. */
const misleading = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;

/** Returns an https address without user information, or undefined for anything else. */
export function canonicalUrl(text: string): string | undefined {
  const url = /^https:\/\/[^/]/i.test(text) && !misleading.test(text) ? URL.parse(text) : null;
  if (!url) return undefined;
  url.username = '';
  url.password = '';
  return url.href.length <= limits.targetUrlLength ? url.href : undefined;
}

const originFormat = /^(https?:\/\/)?(\*\.)?([^/:@*[\]?#%]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$/i;
/** The form in which the parser writes hosts. */
const hostFormat = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
const emptyLabel = /^\.|\.\./;
const isAddress = /^\[|^[0-9.]+$/;

/**
 * Returns a host, or `*.` and a host; with scheme and port if these are also compared (docs/rules.md#origins). Returns
 * undefined for anything else: browsers send `null` for no origin.
 */
export function canonicalOrigin(entry: string): string | undefined {
  const [, scheme = '', wildcard = '', name = '', port = ''] = originFormat.exec(entry) ?? [];
  const host = misleading.test(entry) ? undefined : URL.parse(`https://${name}${port}`)?.hostname;
  if (!host || host === 'null' || !hostFormat.test(host) || emptyLabel.test(host)) return undefined;
  if ((wildcard && isAddress.test(host)) || /^:0*$/.test(port)) return undefined;
  return scheme.toLowerCase() + wildcard + host + port.replace(/^:0+/, ':');
}

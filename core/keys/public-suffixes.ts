/** Domains below which anybody can register names, such as `*.co.uk` or `*.github.io` (docs/rules.md#origins). */
import { brotliDecompressSync } from 'node:zlib';
import { fail } from '../errors.ts';
import { publicSuffixes } from './generated/public-suffixes.ts';

/** By labels from the right. `*` means any label, and `!label` is an exception. */
interface Labels extends Map<string, Labels> {}

let suffixes: Labels | undefined;

/** Hosts with pages of many owners that the public suffix list does not contain. */
const unlisted =
  'cloudapp.azure.com glitch.me lhr.life loca.lt s3.wasabisys.com storage.googleapis.com weebly.com wordpress.com'.split(
    ' ',
  );

/**
 * 400 `validation_failed` for a wildcard of a public suffix (`*.s3.amazonaws.com`) or of a domain above one
 * (`*.amazonaws.com`), because its hosts have many owners. `origins` must be canonical.
 */
export function assertOwnDomains(origins: readonly string[] | undefined): void {
  const details = (origins ?? []).flatMap((origin, i) => {
    const [, domain] = /^(?:https?:\/\/)?\*\.([^:]+?)\.?(?::\d+)?$/.exec(origin) ?? [];
    if (domain === undefined || !belongsToMany(domain)) return [];
    return [{ path: `allowedOrigins.${i}`, message: 'must be a wildcard below a domain of your own' }];
  });
  if (details.length > 0) throw fail('validation_failed', { details });
}

export function belongsToMany(domain: string): boolean {
  const labels = domain.split('.').reverse();
  if (labels.length === 1 || unlisted.some((host) => `.${domain}`.endsWith(`.${host}`))) return true;
  suffixes ??= read(brotliDecompressSync(Buffer.from(publicSuffixes, 'base64')).toString());
  let preceding: Labels | undefined = suffixes;
  for (const label of labels) {
    preceding = preceding?.has(`!${label}`) ? undefined : (preceding?.get(label) ?? preceding?.get('*'));
  }
  return preceding !== undefined;
}

/** `uk(co gov)ck(* !www)`: labels, with the labels before them in parentheses. */
function read(text: string): Labels {
  const open: Labels[] = [new Map()];
  let last: Labels = new Map();
  for (const [token] of text.matchAll(/[()]|[^ ()]+/g)) {
    if (token === '(') open.push(last);
    else if (token === ')') open.pop();
    else {
      last = new Map();
      open.at(-1)?.set(token, last);
    }
  }
  return open[0] ?? new Map();
}

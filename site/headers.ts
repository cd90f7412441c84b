/** The headers of the site's answers, wherever it is served: by the local run or by a distribution. */
import { documents, references } from './pages.ts';

/** The pages load nothing from anywhere else, and nobody else frames them. */
const policy = (more: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...more,
  })
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');

const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
  'content-security-policy': policy(),
};

/** Scalar puts its styles into the page by script. */
const withStyles = { 'content-security-policy': policy({ 'style-src': "'self' 'unsafe-inline'" }) };
/** Documents are for everybody, tools in other people's pages included. */
const forEverybody = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
/** Their names tell their content. */
const forGood = { 'cache-control': 'public, max-age=31536000, immutable' };

/** `siteHeaders('/docs/')`: names in lower case. The type of the content is told by the file's name. */
export function siteHeaders(path: string): Readonly<Record<string, string>> {
  return {
    ...common,
    ...(path.startsWith('/assets/') && forGood),
    ...(path in documents && forEverybody),
    ...(references.some((reference) => reference.path === path) && withStyles),
  };
}

/** How addresses and origins of a request are stored (docs/rules.md#origins). */
import { expect, test } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { canonicalOrigin, canonicalUrl } from '../../contract/web-addresses.ts';

test.each([
  ['Shop.Example.com', 'shop.example.com'],
  ['HTTPS://Example.com:443', 'https://example.com:443'],
  ['*.Example.co.uk', '*.example.co.uk'],
  ['https://*.shop.github.io', 'https://*.shop.github.io'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['localhost:3000', 'localhost:3000'],
  ['http://[FE80::A]', 'http://[fe80::a]'],
  ['github.io', 'github.io'],
  ['https://a.lv:08443', 'https://a.lv:8443'],
])('The allowed origin %s of an API key is stored as %s', (entry, stored) => {
  expect(canonicalOrigin(entry)).toBe(stored);
  expect(canonicalOrigin(stored)).toBe(stored);
});

/** As JSON, in which invisible characters are escaped. */
const shown = (text: string) =>
  JSON.stringify(text).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

const wrongOrigins = [
  // Parts that an origin does not have.
  ...['a.lv/x', 'a.lv?x', 'a.lv#x', 'https://a.lv/', 'u@a.lv', 'https://u:p@a.lv', 'ftp://a.lv'],
  // Characters that a host does not have.
  ...['a b.lv', 'a\tb.lv', 'a\\b.lv', 'a"b.lv', 'ex%61mple.com', '\u0000', 'a\u0000.lv', 'a\u202e.lv', 'a\u00ad.lv'],
  ...['a\ud800.lv', 'a..lv', '.lv'],
  // No host, no port, and wildcards for addresses.
  ...['', '*', '*.', 'null', 'https://NULL', 'https://', 'a.lv:0', 'a.lv:65536', '*.[::1]', '*.127.0.0.1', '*.0x7f.1'],
];
test.each(wrongOrigins.map((entry) => [shown(entry), entry]))(
  'An API key cannot have the allowed origin %s',
  (_, entry) => {
    expect(canonicalOrigin(entry)).toBeUndefined();
  },
);

test.each([
  ['https://Example.com', 'https://example.com/'],
  ['https://jane:secret@a.lv/photo.jpg', 'https://a.lv/photo.jpg'],
  ['https://jane@a.lv', 'https://a.lv/'],
  ['https://a.lv/"onload=x', 'https://a.lv/%22onload=x'],
  ['HTTPS://a.lv:443/é', 'https://a.lv/%C3%A9'],
])('The API stores the https URL %s as %s', (given, stored) => {
  expect(canonicalUrl(given)).toBe(stored);
  expect(canonicalUrl(stored)).toBe(stored);
});

const wrongUrls = [
  ...['', 'a.lv', 'http://a.lv/', 'https:///a.lv', 'https://', 'https://a b/', 'https://a.lv\\x'],
  ...['https://a.lv/\u0000x', 'https://a.lv/\u202ex', 'https://a.lv/\ud800'],
];
test.each([
  ...wrongUrls.map((given) => [shown(given), given]),
  ['with a path that is too long once it is encoded', `https://a.lv/${'é'.repeat(limits.targetUrlLength / 4)}`],
])('The API refuses the address %s in a field that needs an https URL', (_, given = '') => {
  expect(canonicalUrl(given)).toBeUndefined();
});

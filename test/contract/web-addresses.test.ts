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

test.each([
  ['that is empty', ''],
  ['that is only a wildcard', '*'],
  ['that is only a wildcard and a dot', '*.'],
  ['that is null', 'null'],
  ['with null as its host', 'https://NULL'],
  ['with a space', 'a b.lv'],
  ['with a tab', 'a\tb.lv'],
  ['that is a NUL character', '\u0000'],
  ['with a NUL character', 'a\u0000.lv'],
  ['with a character that reverses the direction of text', 'a\u202e.lv'],
  ['with an invisible hyphen', 'a\u00ad.lv'],
  ['with invalid Unicode', 'a\ud800.lv'],
  ['with a path', 'a.lv/x'],
  ['with a query', 'a.lv?x'],
  ['with a fragment', 'a.lv#x'],
  ['with a backslash', 'a\\b.lv'],
  ['with a user name', 'u@a.lv'],
  ['with a quotation mark', 'a"b.lv'],
  ['with a percent escape', 'ex%61mple.com'],
  ['with the scheme ftp', 'ftp://a.lv'],
  ['with a wildcard before an IPv6 address', '*.[::1]'],
  ['with a wildcard before an IPv4 address', '*.127.0.0.1'],
  ['with a wildcard before a hexadecimal IPv4 address', '*.0x7f.1'],
  ['with two dots in a row', 'a..lv'],
  ['with a dot at its beginning', '.lv'],
  ['with port 0', 'a.lv:0'],
  ['with port 65536', 'a.lv:65536'],
  ['with a final slash', 'https://a.lv/'],
  ['with a user name and a password', 'https://u:p@a.lv'],
  ['without a host', 'https://'],
])('An API key cannot have an allowed origin %s', (_, entry) => {
  expect(canonicalOrigin(entry)).toBeUndefined();
});

test.each([
  ['https://Example.com', 'https://example.com/'],
  ['https://jane:secret@a.lv/photo.jpg', 'https://a.lv/photo.jpg'],
  ['https://jane@a.lv', 'https://a.lv/'],
  ['https://a.lv/"onload=x', 'https://a.lv/%22onload=x'],
  ['HTTPS://a.lv:443/é', 'https://a.lv/%C3%A9'],
])('The https address %s is stored as %s', (given, stored) => {
  expect(canonicalUrl(given)).toBe(stored);
  expect(canonicalUrl(stored)).toBe(stored);
});

test.each([
  ['An empty address', ''],
  ['An address without a scheme', 'a.lv'],
  ['An http address', 'http://a.lv/'],
  ['An address with three slashes', 'https:///a.lv'],
  ['An address without a host', 'https://'],
  ['An address with a space', 'https://a b/'],
  ['An address with a NUL character', 'https://a.lv/\u0000x'],
  ['An address with a character that reverses the direction of text', 'https://a.lv/\u202ex'],
  ['An address with invalid Unicode', 'https://a.lv/\ud800'],
  ['An address with a backslash', 'https://a.lv\\x'],
  ['An address that is too long once it is encoded', `https://a.lv/${'é'.repeat(limits.targetUrlLength / 4)}`],
])('%s is refused where an https address is needed', (_, given) => {
  expect(canonicalUrl(given)).toBeUndefined();
});

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
])('The allowed origin %s is stored as %s', (entry, stored) => {
  expect(canonicalOrigin(entry)).toBe(stored);
  expect(canonicalOrigin(stored)).toBe(stored);
});

test.each([
  ...['', '*', '*.', 'null', 'https://NULL', 'a b.lv', 'a\tb.lv', '\u0000', 'a\u0000.lv', 'a\u202e.lv', 'a\u00ad.lv'],
  ...[
    'a\ud800.lv',
    'a.lv/x',
    'a.lv?x',
    'a.lv#x',
    'a\\b.lv',
    'u@a.lv',
    'a"b.lv',
    'ex%61mple.com',
    'ftp://a.lv',
    '*.[::1]',
    '*.127.0.0.1',
    '*.0x7f.1',
    'a..lv',
    '.lv',
    'a.lv:0',
    'a.lv:65536',
    'https://a.lv/',
    'https://u:p@a.lv',
    'https://',
  ],
])('The text %j is refused as an allowed origin of an API key', (entry) => {
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
  ...[
    '',
    'a.lv',
    'http://a.lv/',
    'https:///a.lv',
    'https://',
    'https://a b/',
    'https://a.lv/\u0000x',
    'https://a.lv/\u202ex',
  ],
  ...['https://a.lv/\ud800', 'https://a.lv\\x', `https://a.lv/${'é'.repeat(limits.targetUrlLength / 4)}`],
])('The text %j is refused as an https address', (given) => {
  expect(canonicalUrl(given)).toBeUndefined();
});

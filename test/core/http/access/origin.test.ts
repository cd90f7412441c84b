import { expect, test } from 'vitest';
import { originAllowed } from '../../../../core/http/access/origin.ts';

test.each([
  ['https://example.com', 'example.com'],
  ['https://example.com:8443', 'example.com'],
  ['https://EXAMPLE.com', 'Example.COM'],
  ['https://shop.example.com', '*.example.com'],
  ['https://example.com', 'https://example.com:443'],
  ['https://example.com:443', 'https://example.com'],
  ['http://example.com', 'example.com:80'],
  ['https://shop.example.com:8443', 'https://*.example.com:8443'],
  ['https://xn--mnchen-3ya.de', 'münchen.de'],
  ['http://localhost:3000', 'localhost:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://example.com', 'example.com', 'other.org'],
])('A web page from %s may use an API key with the allowed origin %s', (origin, ...entries) => {
  expect(originAllowed(origin, entries)).toBe(true);
});

test.each([
  ['https://example.com', '*.example.com'],
  ['https://shop.example.com', 'example.com'],
  ['https://notexample.com', '*.example.com'],
  ['https://example.com.evil.org', 'example.com'],
  ['https://shop.example.com.evil.org', '*.example.com'],
  ['http://example.com', 'https://example.com'],
  ['https://example.com', 'https://example.com:8443'],
  ['https://example.com:8443', 'example.com:443'],
  ['null', 'null'],
  ['null', '*'],
  ['example.com', 'example.com'],
  ['https://example.com/', 'example.com'],
  ['https://user@example.com', 'example.com'],
  ['https://evil.org?.example.com', '*.example.com'],
  ['https://evil.org\\.example.com', '*.example.com'],
  ['https://.example.com', '*.example.com'],
  ['https://example.com, https://evil.org', 'example.com'],
  ['https://evil.org https://example.com', 'example.com'],
  ['https://example.com\r\nX: y', 'example.com'],
  ['https://examplexcom', 'example.com'],
  ['https://example.com', 'user@example.com'],
  ['https://example.com', 'https://other.org/example.com'],
  ['https://a.', '*.ex%ample.com'],
  ['https://undefined', 'not a host'],
])('A web page from %j may not use an API key with the allowed origin %j', (origin, ...entries) => {
  expect(originAllowed(origin, entries)).toBe(false);
});

test('An empty list of allowed origins allows no web page', () => {
  expect(originAllowed('https://example.com', [])).toBe(false);
});

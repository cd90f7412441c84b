import { expect, test } from 'vitest';
import { documentedLocation } from '../../../core/http/not-found.ts';

test.each([
  ['/api/v1/integration', '', '/v1/integration'],
  ['/api/v1/integration/webhooks', '', '/v1/integration/webhooks'],
  ['/api/v1/integration/slots', 'from=2026-12-01&to=a%20b+c', '/v1/integration/slots?from=2026-12-01&to=a%20b+c'],
  ['/api/v1/integration//evil.example', '', '/v1/integration//evil.example'],
  ['/api/v1/integration/a\r\nSet-Cookie: b', 'c\n=d', '/v1/integration/a%0D%0ASet-Cookie:%20b?c%0A=d'],
  ['/api/v1/integration/.hidden/a..b', '', '/v1/integration/.hidden/a..b'],
  ['/api/v1/integration/%a', '', '/v1/integration/%25a'],
  ['/api/v1/integration/%', '%zz', '/v1/integration/%25?%25zz'],
  ['/api/v1/integration/\ud800é\\', '', '/v1/integration/%EF%BF%BD%C3%A9%5C'],
])('A request to the path %j is redirected to the documented path below /v1/integration', (path, query, location) => {
  expect(documentedLocation(path, query)).toBe(location);
});

test.each([
  ...['/api/v1/integrations', '/api/v1/integration.evil.example', '/v1/integration/webhooks', '/api/v1'],
  ...['../../admin', './admin', '%2E%2e/x', '..\\x', 'a/..'].map((path) => `/api/v1/integration/${path}`),
])('A request to the path %j is not redirected to a path below /v1/integration', (path) => {
  expect(documentedLocation(path, '')).toBeUndefined();
});

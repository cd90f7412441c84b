import { expect, test } from 'vitest';
import { assertOneNamePerPosition, parseRouteKey, selectRoute, sharedSegments } from '../src/http-routes.ts';

const routes = ['GET /pets/dog/1', 'GET /pets/dog/{id}', 'GET /pets/{proxy+}', 'ANY /{proxy+}', '$default'].map(
  (key) => ({ key, ...parseRouteKey(key) }),
);

test.each<[string, string, string, Record<string, string>]>([
  ['GET', '/pets/dog/1', 'GET /pets/dog/1', {}],
  ['GET', '/pets/dog/2', 'GET /pets/dog/{id}', { id: '2' }],
  ['GET', '/pets/cat/1', 'GET /pets/{proxy+}', { proxy: 'cat/1' }],
  ['POST', '/pets/dog/1', 'ANY /{proxy+}', { proxy: 'pets/dog/1' }],
  ['GET', '/pets/dog/', 'GET /pets/{proxy+}', { proxy: 'dog/' }],
])('The local gateway sends the request %s %s to the route %s', (method, path, key, parameters) => {
  const match = selectRoute(routes, method, path);
  expect({ key: match?.route.key, parameters: match?.parameters }).toEqual({ key, parameters });
});

test.each([
  ['GET /a', '/b'],
  ['GET /a', '/a/b'],
  ['GET /a/b', '/a'],
  ['GET /a/{id}', '/a'],
  ['GET /a/{id}', '/a/'],
  ['GET /a/{id}', '/a/b/c'],
  ['GET /a/{proxy+}', '/a'],
  ['GET /a/b-{id}', '/a/b-c'],
  ['GET /a/{id}-b', '/a/c-b'],
  ['GET /a/b-{rest+}', '/a/b-c'],
  ['GET /a/{rest+}-b', '/a/c'],
])('In the local gateway, the route %s does not match the path %s', (key, path) => {
  expect(selectRoute([parseRouteKey(key)], 'GET', path)).toBeUndefined();
});

test.each(
  (
    [
      [['GET /{first}/b', 'GET /a/{second}'], 'GET /a/{second}'],
      [['GET /a/{second}', 'GET /{first}/b'], 'GET /a/{second}'],
      [['$default', 'ANY /{proxy+}'], 'ANY /{proxy+}'],
      [['ANY /{proxy+}', '$default'], 'ANY /{proxy+}'],
      [['GET /a/{proxy+}', 'ANY /a/b'], 'ANY /a/b'],
      [['GET /{proxy+}', 'ANY /a/{proxy+}'], 'ANY /a/{proxy+}'],
      [['ANY /a/b', 'GET /a/b'], 'GET /a/b'],
      [['PUT /a/b', 'ANY /a/b'], 'ANY /a/b'],
      [['PUT /a/b', '$default'], '$default'],
    ] as const
  ).map(([keys, best]) => [keys.join(' and '), best, keys] as const),
)('Of the routes %s, the local gateway chooses %s for a GET request to /a/b', (_, best, keys) => {
  const all = keys.map((key) => ({ key, ...parseRouteKey(key) }));
  expect(selectRoute(all, 'GET', '/a/b')?.route.key).toBe(best);
});

test('If several APIs share a local port, a request goes to the API whose routes share most segments with the request path', () => {
  const integration = [parseRouteKey('GET /v1/integration/slots'), parseRouteKey('$default')];
  const account = [parseRouteKey('GET /v1/account/slots')];
  expect(sharedSegments(integration, '/v1/account/nothing')).toBe(1);
  expect(sharedSegments(account, '/v1/account/nothing')).toBe(2);
  expect(sharedSegments(account, '/v1/account/slots')).toBe(3);
  expect(sharedSegments(account, '/v1/account/slots/1')).toBe(3);
});

test('The local gateway refuses routes such as /a/{id} and /a/{name}/b, which name one path variable differently', () => {
  const keyed = (...keys: string[]) => keys.map((routeKey) => ({ routeKey, ...parseRouteKey(routeKey) }));
  expect(() => assertOneNamePerPosition(keyed('GET /a/{id}', 'GET /a/{id}/b/{other}', 'GET /b/{name}'))).not.toThrow();
  expect(() => assertOneNamePerPosition(keyed('GET /a/b-{id}', 'GET /a/b-{name}', 'GET /a/{all+}'))).not.toThrow();
  expect(() => assertOneNamePerPosition(keyed('GET /a/{id}/b', 'GET /a/{id}/{name}', 'GET /a/{id}/{other}'))).toThrow();
  expect(() => assertOneNamePerPosition(keyed('GET /a/{id}', 'POST /a/{name}/b'))).toThrow(
    'A gateway refuses the route POST /a/{name}/b: {name} is at the position of {id} in GET /a/{id}.',
  );
});

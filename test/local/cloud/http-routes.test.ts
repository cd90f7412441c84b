import { describe, expect, test } from 'vitest';
import {
  parseRouteKey,
  refuseTwoNamesOfAPlace,
  selectRoute,
  sharedSegments,
} from '../../../local/cloud/http-routes.ts';

const routes = ['GET /pets/dog/1', 'GET /pets/dog/{id}', 'GET /pets/{proxy+}', 'ANY /{proxy+}', '$default'].map(
  (key) => ({
    key,
    ...parseRouteKey(key),
  }),
);

describe("the gateway's precedence", () => {
  test.each<[string, string, string, Record<string, string>]>([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1', {}],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}', { id: '2' }],
    ['GET', '/pets/cat/1', 'GET /pets/{proxy+}', { proxy: 'cat/1' }],
    ['POST', '/pets/dog/1', 'ANY /{proxy+}', { proxy: 'pets/dog/1' }],
    ['GET', '/pets/dog/', 'GET /pets/{proxy+}', { proxy: 'dog/' }],
  ])('%s %s → %s', (method, path, key, parameters) => {
    const match = selectRoute(routes, method, path);
    expect({ key: match?.route.key, parameters: match?.parameters }).toEqual({ key, parameters });
  });

  test('the own route of a method comes before ANY', () => {
    const both = ['ANY /a', 'GET /a'].map((key) => ({ key, ...parseRouteKey(key) }));
    expect(selectRoute(both, 'GET', '/a')?.route.key).toBe('GET /a');
    expect(selectRoute(both, 'PUT', '/a')?.route.key).toBe('ANY /a');
  });

  test('$default answers what nothing else does', () => {
    const few = ['GET /a', '$default'].map((key) => ({ key, ...parseRouteKey(key) }));
    expect(selectRoute(few, 'POST', '/a')?.route.key).toBe('$default');
  });

  test('without $default there is no route', () => {
    expect(selectRoute([parseRouteKey('GET /a')], 'GET', '/b')).toBeUndefined();
  });
});

test('of several APIs the one whose routes share the beginning of the path answers', () => {
  const integration = [parseRouteKey('GET /v1/integration/slots'), parseRouteKey('$default')];
  const account = [parseRouteKey('GET /v1/account/slots')];
  expect(sharedSegments(integration, '/v1/account/nothing')).toBe(1);
  expect(sharedSegments(account, '/v1/account/nothing')).toBe(2);
});

test('two names for the variable of one place are refused, and one name at two places is not', () => {
  const keyed = (...keys: string[]) => keys.map((routeKey) => ({ routeKey, ...parseRouteKey(routeKey) }));
  expect(() => refuseTwoNamesOfAPlace(keyed('GET /a/{id}', 'GET /a/{id}/b/{other}', 'GET /b/{name}'))).not.toThrow();
  expect(() => refuseTwoNamesOfAPlace(keyed('GET /a/{id}', 'POST /a/{name}/b'))).toThrow(
    'A gateway refuses the route POST /a/{name}/b: {name} has the place that is {id} in GET /a/{id}.',
  );
});

import { expect, test } from 'vitest';
import { httpApiBody, routesOf } from '../src/http-api-body.ts';

const anyMethod = 'x-amazon-apigateway-any-method';
const integration = { type: 'aws_proxy', httpMethod: 'POST', uri: 'arn:one', payloadFormatVersion: '2.0' };
const operation = { responses: {}, 'x-amazon-apigateway-integration': integration };
const parameter = { name: 'id', in: 'path', required: true };
const scheme = {
  type: 'oauth2',
  'x-amazon-apigateway-authorizer': {
    type: 'jwt',
    identitySource: '$request.header.Authorization',
    jwtConfiguration: { issuer: 'https://issuer.example', audience: ['app'] },
  },
};

interface Given {
  readonly paths: Readonly<Record<string, object>>;
  readonly schemes?: Readonly<Record<string, object>>;
}

const read = ({ paths, schemes = { Token: scheme } }: Given) =>
  routesOf(
    httpApiBody.parse({
      openapi: '3.0.1',
      info: { title: 'app', version: '1.0' },
      components: { securitySchemes: schemes },
      paths,
    }),
  );

test('The local gateway reads routes, their time-outs and their security schemes from the OpenAPI body of an HTTP API', () => {
  const body = {
    paths: {
      '/items/{id}': { parameters: [parameter], get: { ...operation, security: [{ Token: [] }] }, delete: operation },
      '/files/{rest+}': { parameters: [{ ...parameter, name: 'rest+' }], [anyMethod]: operation },
      '/$default': { [anyMethod]: { ...operation, isDefaultRoute: true } },
    },
  };
  expect(read(body).map(({ routeKey, scheme }) => [routeKey, scheme])).toEqual([
    ['GET /items/{id}', 'Token'],
    ['DELETE /items/{id}', undefined],
    ['ANY /files/{rest+}', undefined],
    ['$default', undefined],
  ]);
  expect(read(body)[0]?.integration).toMatchObject({ uri: 'arn:one', timeoutInMillis: 30_000 });
});

const get = (change: object, path = '/a'): Given => ({ paths: { [path]: { get: { ...operation, ...change } } } });
const integrated = (change: object) => get({ 'x-amazon-apigateway-integration': { ...integration, ...change } });
const cases: [string, Given, string][] = [
  ['a variable that is not declared', get({}, '/a/{id}'), 'declares the parameters []'],
  ['a parameter that is not in the path', { paths: { '/a': { parameters: [parameter], get: operation } } }, 'has []'],
  ['a method that does not exist', { paths: { '/a': { fetch: operation } } }, 'does not support the method fetch'],
  ['a default route at another path than /$default', get({ isDefaultRoute: true }), '/$default'],
  ['the path /$default without isDefaultRoute', { paths: { '/$default': { [anyMethod]: operation } } }, 'isDefault'],
  ['an unknown security scheme', get({ security: [{ Key: [] }] }), 'security scheme Key'],
  ['scopes of a security scheme', get({ security: [{ Token: ['read'] }] }), 'security'],
  ['an authorizer of the type apiKey', { paths: {}, schemes: { Token: { ...scheme, type: 'apiKey' } } }, 'Token'],
  ['an operation without an integration', { paths: { '/a': { get: { responses: {} } } } }, 'integration'],
  ['an unsupported payload format', integrated({ payloadFormatVersion: '1.0' }), 'payloadFormatVersion'],
  ['a time-out above 30 seconds', integrated({ timeoutInMillis: 30_001 }), 'timeoutInMillis'],
  ['an unknown property', integrated({ colour: 'red' }), 'colour'],
];

test.each(cases)('The local gateway refuses an HTTP API whose OpenAPI body has %s', (_, body, message) => {
  expect(() => read(body)).toThrow(message);
});

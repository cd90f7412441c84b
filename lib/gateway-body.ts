/**
 * The routes of an HTTP API as one OpenAPI document, which the gateway imports. It has the form in which the gateway
 * exports an API. This saves two resources per endpoint, a route and an integration, and a change is one deployment of
 * the stage. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html. Pure.
 */
import { defaultRouteKey } from './route-keys.ts';

export interface GatewayRoute {
  /** `GET /v1/account/me`, `OPTIONS /v1/integration/{proxy+}`, or `$default`. */
  readonly routeKey: string;
  /** The URI with which the gateway invokes the function or its alias, in the form of Lambda's API. */
  readonly invocationUri: string;
  /** The role with which the gateway invokes it. */
  readonly roleArn: string;
}

/** The issuer whose tokens every route requires. */
export interface TokenAuthorizer {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
}

export interface GatewayBodyProps {
  readonly name: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Whether the default endpoint is closed. */
  readonly isFronted: boolean;
  readonly authorizer: TokenAuthorizer | undefined;
  readonly routes: readonly GatewayRoute[];
}

export function gatewayBody({ name, description, tags, isFronted, authorizer, routes }: GatewayBodyProps): object {
  const security = authorizer && { security: [{ [authorizer.name]: [] }] };
  const operations = routes.map((route) => ({
    ...pathAndMethod(route.routeKey),
    operation: operationOf(route, security),
  }));
  return {
    openapi: '3.0.1',
    'x-amazon-apigateway-importexport-version': '1.0',
    info: { title: name, description, version: '1.0' },
    tags: Object.entries(tags).map(([tag, value]) => ({ name: tag, 'x-amazon-apigateway-tag-value': value })),
    // This address is OpenAPI's default, which must be present to carry the extension.
    servers: [{ url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: isFronted } }],
    ...(authorizer && { components: { securitySchemes: { [authorizer.name]: schemeOf(authorizer) } } }),
    paths: Object.fromEntries(
      [...Map.groupBy(operations, ({ path }) => path)].map(([path, found]) => [
        path,
        { ...Object.fromEntries(found.map(({ method, operation }) => [method, operation])), ...parametersOf(path) },
      ]),
    ),
  };
}

function pathAndMethod(routeKey: string): { path: string; method: string } {
  if (routeKey === defaultRouteKey) return { path: `/${defaultRouteKey}`, method: 'x-amazon-apigateway-any-method' };
  const [method = '', path = ''] = routeKey.split(' ');
  if (!/^(GET|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method)) throw new Error(`${routeKey} has no method.`);
  return { path, method: method.toLowerCase() };
}

function operationOf({ routeKey, invocationUri, roleArn }: GatewayRoute, security: object | undefined): object {
  return {
    ...(routeKey === defaultRouteKey && { isDefaultRoute: true }),
    responses: { default: { description: 'What the function answers' } },
    ...security,
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: invocationUri,
      credentials: roleArn,
      payloadFormatVersion: '2.0',
      connectionType: 'INTERNET',
      timeoutInMillis: 30_000,
    },
  };
}

/** `/webhooks/{id}` and `/{proxy+}` must declare `id` and `proxy+` as path parameters. */
function parametersOf(path: string): object {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) };
}

function schemeOf({ issuer, audience }: TokenAuthorizer): object {
  return {
    type: 'oauth2',
    flows: {},
    'x-amazon-apigateway-authorizer': {
      type: 'jwt',
      identitySource: '$request.header.Authorization',
      jwtConfiguration: { issuer, audience: [audience] },
    },
  };
}

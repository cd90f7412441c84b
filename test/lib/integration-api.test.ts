import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes, bracedPath, fileName, integrationPrefix } from '../../contract/api.ts';
import { type Assembly, inside, type Json, type Resource, synthesised } from '../support/synthesised.ts';

let assembly: Assembly;
beforeAll(async () => {
  assembly = await synthesised();
});

const routeKey = ({ method, path }: { method: string; path: string }) =>
  `${method} ${integrationPrefix}${bracedPath(path)}`;
const ours = (resource: Resource) => resource.stack === 'IntegrationApi';
const routes = (key: string) =>
  assembly.ofType('AWS::ApiGatewayV2::Route').filter((route) => ours(route) && route.properties.RouteKey === key);

/** The functions that a route reaches, through its integration. */
function reached(route: Resource): string[] {
  const integration = assembly.named(route, 'Target').replace('integrations/', '');
  return assembly
    .ofType('AWS::ApiGatewayV2::Integration')
    .filter(({ stack, id }) => `${stack}.${id}` === integration)
    .map((found) => assembly.named(found, 'IntegrationUri'));
}

function permissionsOf(functionArn: string): readonly Resource[] {
  return assembly
    .ofType('AWS::Lambda::Permission')
    .filter((permission) => assembly.named(permission, 'FunctionName') === functionArn);
}

describe.each([
  ...allRoutes.map((row) => ({ key: routeKey(row), name: fileName(row.operation) })),
  { key: '$default', name: 'route-not-found' },
  { key: `OPTIONS ${integrationPrefix}/{proxy+}`, name: 'preflight' },
])('$key', ({ key, name }) => {
  test('has exactly one route, which reaches its function and no other', () => {
    const [route, ...more] = routes(key);
    expect(more).toEqual([]);
    const target = assembly.byName(`booking-dev-${name}`);
    expect(route && reached(route)).toEqual([`IntegrationApi.${target?.id}.Arn`]);
  });

  test('is the one thing that may invoke its function, and only by way of this API and path', () => {
    const permissions = permissionsOf(`IntegrationApi.${assembly.byName(`booking-dev-${name}`)?.id}.Arn`);
    expect(permissions.map(({ properties }) => properties.Principal)).toEqual(['apigateway.amazonaws.com']);
    const api = assembly.ofType('AWS::ApiGatewayV2::Api').find(ours);
    const path = key === '$default' ? '' : key.slice(key.indexOf(' ') + 1);
    expect(permissions[0] && assembly.named(permissions[0], 'SourceArn')).toMatch(
      new RegExp(`IntegrationApi\\.${api?.id}/\\*/\\*${path.replace(/[{}+]/g, '\\$&')}$`),
    );
  });
});

test('every route is of a row, the preflight or the fallback', () => {
  const found = assembly
    .ofType('AWS::ApiGatewayV2::Route')
    .filter(ours)
    .map(({ properties }) => properties.RouteKey);
  expect([...found].sort()).toEqual(
    [...allRoutes.map(routeKey), '$default', `OPTIONS ${integrationPrefix}/{proxy+}`].sort(),
  );
});

test('each row has the time it asks for', () => {
  for (const { operation, timeoutSeconds } of allRoutes) {
    const found = assembly.byName(`booking-dev-${fileName(operation)}`);
    expect(found?.properties.Timeout).toBe(timeoutSeconds ?? 10);
  }
});

describe('the stage', () => {
  const stage = () => assembly.ofType('AWS::ApiGatewayV2::Stage').find(ours);

  test('throttles', () => {
    expect(stage()?.properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: expect.any(Number),
      ThrottlingBurstLimit: expect.any(Number),
    });
  });

  test('logs every access, and nothing that could hold a key, an id, an address or a value of a query', () => {
    const { Format, DestinationArn } = inside<{ Format: string; DestinationArn: Json }>(stage(), 'AccessLogSettings');
    expect(DestinationArn).toBeDefined();
    const variables = [...Format.matchAll(/\$context\.([A-Za-z.]+)/g)].map(([, name]) => name);
    expect(variables).toContain('routeKey');
    expect(variables).toContain('requestId');
    for (const leaking of ['path', 'protocol', 'authorizer', 'identity', 'domainName']) {
      expect(variables.filter((name) => name === leaking || name?.startsWith(`${leaking}.`))).toEqual([]);
    }
  });
});

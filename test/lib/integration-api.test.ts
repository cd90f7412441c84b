import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { allRoutes, bracedPath, fileName, integrationPrefix } from '../../contract/integration/api.ts';
import { type Api, apis } from '../../lib/apis.ts';
import { stageNames } from '../../lib/stage.ts';
import { type Assembly, inside, type Json, type Resource, synthesised } from '../support/synthesised.ts';

const assembly = await synthesised();

const routeKey = ({ method, path }: { method: string; path: string }) =>
  `${method} ${integrationPrefix}${bracedPath(path)}`;
const ours = (resource: Resource) => resource.stack === 'IntegrationApi';
const routes = assembly.routes.filter(({ stack }) => stack === 'IntegrationApi');

/** `role of stack` for each role that may invoke the function. */
function invokers(functionArn: string): string[] {
  return assembly
    .ofType('AWS::IAM::Role')
    .filter(({ stack, id }) =>
      assembly
        .statementsOf<{ Action: Json; Resource: Json }>((role) => role.stack === stack && role.id === id)
        .some(
          ({ Action, Resource }) =>
            Action === 'lambda:InvokeFunction' && assembly.text(stack, Resource).split(',').includes(functionArn),
        ),
    )
    .map(({ stack, id }) => `${stack}.${id}`);
}

const endpoints = [
  ...allRoutes.map((row) => ({ key: routeKey(row), name: fileName(row.operation) })),
  { key: '$default', name: 'route-not-found' },
  { key: `OPTIONS ${integrationPrefix}/{proxy+}`, name: 'preflight' },
];

test.each(endpoints)('Only API Gateway may invoke the function of the route $key', ({ key, name }) => {
  const functionId = assembly.byName(`booking-dev-${name}`)?.id;
  const allowed = invokers(`IntegrationApi.${functionId}.Arn`);
  expect(allowed.map((role) => `${role}.Arn`)).toEqual(
    routes.flatMap((route) => (route.key === key ? [route.role] : [])),
  );
  const role = assembly.ofType('AWS::IAM::Role').find(({ stack, id }) => `${stack}.${id}` === allowed[0]);
  expect(inside<{ Principal: Json }[]>(role, 'AssumeRolePolicyDocument', 'Statement')).toEqual([
    expect.objectContaining({ Principal: { Service: 'apigateway.amazonaws.com' } }),
  ]);
  const permitted = assembly.ofType('AWS::Lambda::Permission').map((found) => assembly.named(found, 'FunctionName'));
  expect(permitted).not.toContain(`IntegrationApi.${functionId}.Arn`);
});

test('The integration API has a route and a function for each endpoint, for preflight requests and for unknown paths', () => {
  const targetOf = (name: string) => `IntegrationApi.${assembly.byName(`booking-dev-${name}`)?.id}.Arn`;
  const found = routes.map(({ key, target }) => `${key} ${target}`);
  expect(found.sort()).toEqual(endpoints.map(({ key, name }) => `${key} ${targetOf(name)}`).sort());
});

test('API Gateway gets a valid OpenAPI document for each API', async () => {
  const bodies = assembly.ofType('AWS::ApiGatewayV2::Api').map((api) => inside<object>(api, 'Body'));
  expect(bodies).toHaveLength(2);
  for (const body of bodies) {
    await expect(SwaggerParser.validate(structuredClone(body) as never)).resolves.toBeDefined();
  }
});

test('Each endpoint has the time-out that contract/ sets for this endpoint', () => {
  for (const { operation, timeoutSeconds } of allRoutes) {
    const found = assembly.byName(`booking-dev-${fileName(operation)}`);
    expect(found?.properties.Timeout).toBe(timeoutSeconds ?? 10);
  }
});

/** Fields that could contain a key, an id, an address or a query value. */
const leaking = ['path', 'protocol', 'authorizer', 'identity', 'domainName'];
const variablesOf = (format: string) => [...format.matchAll(/\$context\.([A-Za-z.]+)/g)].map(([, name = '']) => name);
const leaksOf = (format: string) => variablesOf(format).filter((name) => leaking.includes(name.split('.')[0] ?? ''));

test.each(stageNames)(
  'On the stage %s, the gateway logs every request without personal data or secrets',
  async (name) => {
    const stages = (await synthesised(name)).ofType('AWS::ApiGatewayV2::Stage');
    expect(stages).toHaveLength(2);
    for (const one of stages) {
      const { Format, DestinationArn } = inside<{ Format: string; DestinationArn: Json }>(one, 'AccessLogSettings');
      expect(DestinationArn).toBeDefined();
      expect(variablesOf(Format)).toEqual(expect.arrayContaining(['routeKey', 'requestId']));
      expect(leaksOf(Format)).toEqual([]);
    }
  },
);

test("Negative control: the check of the gateway's access log reports an IP address, and a path with its query", () => {
  for (const variable of ['identity.sourceIp', 'path', 'authorizer.claims.email']) {
    expect(leaksOf(`{"a":"$context.routeKey","b":"$context.${variable}"}`)).toEqual([variable]);
  }
});

// These have more time than a chain of calls takes, because they wait for a receiver or send many messages.
const holds = ({ timeoutSeconds = 10 }: { readonly timeoutSeconds?: number }) => timeoutSeconds > 10;
const throttled = allRoutes.filter((row) => (holds(row) && !row.waits) || row.waitsForNames);

test.each(stageNames)(
  'On the stage %s, each route that waits for webhook receivers or DNS has a lower rate limit than other routes',
  async (name) => {
    const [stage] = (await synthesised(name)).ofType('AWS::ApiGatewayV2::Stage').filter(ours);
    const rate = Number(inside(stage, 'DefaultRouteSettings', 'ThrottlingRateLimit'));
    expect(inside(stage, 'DefaultRouteSettings', 'ThrottlingBurstLimit')).toBeGreaterThan(0);
    const settings = inside<Record<string, { ThrottlingRateLimit: number }>>(stage, 'RouteSettings');
    expect(throttled.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['pingWebhook', 'createWebhook', 'updateWebhook']),
    );
    expect(Object.keys(settings).sort()).toEqual(throttled.map(routeKey).sort());
    for (const { ThrottlingRateLimit } of Object.values(settings)) expect(ThrottlingRateLimit).toBeLessThan(rate / 10);
  },
);

test('In the stage prod, exactly the API functions with a time-out of more than ten seconds have reserved concurrency', async () => {
  const reserved = (of: Assembly) =>
    of
      .ofType('AWS::Lambda::Function')
      .filter(({ properties }) => properties.ReservedConcurrentExecutions !== undefined)
      .map(({ properties }) => String(properties.FunctionName).replace('booking-prod-', ''));
  const heldOfAll = Object.values<Api>(apis).flatMap(({ namePrefix, rows }) =>
    rows.filter(holds).map(({ operation }) => `${namePrefix}${fileName(operation)}`),
  );
  expect(reserved(await synthesised('prod')).sort()).toEqual(heldOfAll.sort());
  expect(reserved(assembly)).toEqual([]);
});

test('With the setting `apiDomain`, the integration API and the account API have different host names', async () => {
  const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/1';
  const set = await synthesised('dev', { apiDomain: 'api.example.com', certificateArn });
  const hosts = set
    .ofType('AWS::ApiGatewayV2::DomainName')
    .map(({ stack, properties }) => [stack, properties.DomainName]);
  expect(Object.fromEntries(hosts)).toEqual({
    IntegrationApi: 'api.example.com',
    AccountApi: 'account-api.example.com',
  });
  expect(set.ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(2);
});

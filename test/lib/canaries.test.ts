import { expect, test } from 'vitest';
import { metricsOf } from '../support/alarm-evaluation.ts';
import { matchesLine } from '../support/filter-pattern.ts';
import { inside, type Json, type Resource, synthesised } from '../support/synthesised.ts';

const prod = await synthesised('prod');

const byCanary = ['create-booking', 'list-slots', 'deliver-webhook-deliveries', 'deliver-webhook-retries'];
const aliasOf = (name: string) => {
  const found = prod.byName(`booking-prod-${name}`);
  return prod
    .ofType('AWS::Lambda::Alias')
    .find((alias) => prod.named(alias, 'FunctionName') === `${found?.stack}.${found?.id}`);
};

test('Exactly the functions that book, list slots or deliver webhook messages are deployed as canaries', () => {
  expect(prod.ofType('AWS::Lambda::Alias')).toHaveLength(byCanary.length);
  for (const name of byCanary) expect(aliasOf(name), name).toBeDefined();
});

test('A function that is deployed as a canary is called only through its alias', () => {
  const calls = [
    ...prod.ofType('AWS::ApiGatewayV2::Api').map(({ stack, properties }) => [stack, properties.Body]),
    ...prod.ofType('AWS::Lambda::EventSourceMapping').map(({ stack, properties }) => [stack, properties.FunctionName]),
    ...prod.ofType('AWS::Lambda::Permission').map(({ stack, properties }) => [stack, properties.FunctionName]),
    ...['IntegrationApi', 'AccountApi'].map((api) => [
      api,
      ...prod
        .statementsOf<{ Action: Json; Resource: Json }>(({ stack }) => stack === api)
        .filter(({ Action }) => Action === 'lambda:InvokeFunction')
        .map(({ Resource }) => Resource),
    ]),
  ].map((call) => JSON.stringify(call));
  const naming = (resource: Resource | undefined) =>
    calls.filter((call) => call.startsWith(`["${resource?.stack}"`) && call.includes(`"${resource?.id}"`));
  for (const name of byCanary) {
    expect(naming(aliasOf(name)).length, name).toBeGreaterThan(0);
    expect(naming(prod.byName(`booking-prod-${name}`)), name).toEqual([]);
  }
});

test('A new function version gets 10 % of the calls for five minutes, and is rolled back if an alarm is raised', () => {
  const groups = prod.ofType('AWS::CodeDeploy::DeploymentGroup');
  expect(groups).toHaveLength(byCanary.length);
  for (const group of groups) {
    expect(group.properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
    expect(inside(group, 'AutoRollbackConfiguration', 'Events')).toContain('DEPLOYMENT_STOP_ON_ALARM');
    const [alarm] = inside<{ Name: Json }[]>(group, 'AlarmConfiguration', 'Alarms');
    const named = prod
      .ofType('AWS::CloudWatch::Alarm')
      .find(({ stack, id }) => `${stack}.${id}` === prod.refers(group, alarm?.Name));
    expect(named?.stack).toBe(group.stack);
    expect(named?.properties.AlarmDescription).toContain('docs/runbooks/rollback.md');
  }
});

const canaryAlarms = prod
  .ofType('AWS::CloudWatch::Alarm')
  .filter(({ properties }) => String(properties.AlarmDescription).includes('rollback'));
const versionOf = (name: string, of = prod) => {
  const found = of.byName(`booking-prod-${name}`);
  const version = of
    .ofType('AWS::Lambda::Version')
    .find((one) => of.named(one, 'FunctionName') === `${found?.stack}.${found?.id}`);
  return `${version?.stack}.${version?.id}.Version`;
};

test('The alarm of a canary deployment counts errors of the new version only', () => {
  const crashes = canaryAlarms.flatMap((alarm) =>
    metricsOf(alarm)
      .filter(({ MetricName }) => MetricName === 'Errors')
      .map(({ Dimensions = [] }) =>
        Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, prod.refers(alarm, Value)])),
      ),
  );
  expect(crashes).toHaveLength(byCanary.length);
  expect(crashes).toEqual(
    expect.arrayContaining(
      byCanary.map((name) => ({
        FunctionName: `booking-prod-${name}`,
        Resource: `booking-prod-${name}:live`,
        ExecutedVersion: versionOf(name),
      })),
    ),
  );
  const others = canaryAlarms.flatMap(metricsOf).filter(({ MetricName }) => MetricName !== 'Errors');
  expect(others.map(({ MetricName }) => MetricName)).toEqual(['CanaryErrors']);
});

test('The alarm of a canary deployment counts HTTP 500 responses of the new version only', () => {
  const [filter] = prod
    .ofType('AWS::Logs::MetricFilter')
    .filter((one) => JSON.stringify(one.properties.MetricTransformations).includes('CanaryErrors'));
  const pattern = filter ? prod.named(filter, 'FilterPattern') : '';
  const line = { code: 'internal_error', operation: 'POST /bookings', version: versionOf('create-booking') };
  expect(matchesLine(pattern, line)).toBe(true);
  expect(matchesLine(pattern, { ...line, operation: 'GET /slots', version: versionOf('list-slots') })).toBe(true);
  for (const other of [
    { version: versionOf('list-slots') },
    { operation: 'POST /webhooks/:id/ping' },
    { code: 'temporarily_unavailable' },
  ]) {
    expect(matchesLine(pattern, { ...line, ...other }), JSON.stringify(other)).toBe(false);
  }
});

test.each(['dev', 'pr-42'])('A deployment to the stage %s goes live for all requests at once', async (stage) => {
  const assembly = await synthesised(stage);
  const types = new Set(assembly.resources.map(({ type }) => type));
  expect([...types].filter((type) => /CodeDeploy|Lambda::(Alias|Version)$/.test(type))).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metrics } from '../../contract/system/metrics.ts';
import { indexes } from '../../contract/system/needs.ts';
import { schedules } from '../../contract/system/schedules.ts';
import { type Api, apis } from '../../lib/apis.ts';
import { routeKeyOf } from '../../lib/route-keys.ts';
import { stageNames } from '../../lib/stage.ts';
import { metricsOf, nameOf } from '../support/alarm-evaluation.ts';
import { matchesLine } from '../support/filter-pattern.ts';
import { monthlyPrice } from '../support/monthly-price.ts';
import {
  type Assembly,
  inside,
  type Json,
  type Properties,
  type Resource,
  synthesised,
  synthesisedAs,
} from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

const assembly = await synthesised();

const alarms = assembly.ofType('AWS::CloudWatch::Alarm');
/** `outbox-old`, the page that its description names. */
const pageOf = (alarm: Resource) =>
  /What to do: docs\/runbooks\/([a-z-]+)\.md$/.exec(String(alarm.properties.AlarmDescription))?.[1] ?? '';
const alarmOf = (name: string) => alarms.find((alarm) => pageOf(alarm) === name);
/** `MetricName of dimensions` for each metric of an alarm. */
const watched = (name: string) =>
  [alarmOf(name)].flatMap((alarm) => (alarm ? metricsOf(alarm).map((metric) => nameOf(assembly, metric)) : []));
const queueNames = assembly.ofType('AWS::SQS::Queue').map(({ properties }) => String(properties.QueueName));
const [deadNames, workingNames] = [true, false].map((dead) =>
  queueNames.filter((name) => name.endsWith('-dead') === dead),
) as [string[], string[]];

function expectWatched(alarm: string, metrics: readonly string[]): void {
  expect(watched(alarm).sort()).toEqual(metrics.toSorted());
}

test('Every alarm notifies one of three SNS topics when it is raised, and notifies the same topic when it ends', () => {
  const topics = assembly.ofType('AWS::SNS::Topic').map(({ stack, id }) => `${stack}.${id}`);
  expect(topics).toHaveLength(3);
  for (const alarm of alarms) {
    expect(topics).toContain(assembly.named(alarm, 'AlarmActions'));
    expect(assembly.named(alarm, 'OKActions')).toBe(assembly.named(alarm, 'AlarmActions'));
  }
  expect(new Set(alarms.map((alarm) => assembly.named(alarm, 'AlarmActions'))).size).toBe(3);
});

test('Every alarm reads at most ten metrics, as CloudWatch requires', () => {
  for (const alarm of alarms) expect(metricsOf(alarm).length, alarm.id).toBeLessThanOrEqual(10);
});

test('An alarm over several metrics still works if some metrics have no data, for example because a queue is idle', () => {
  const ofSeveral = alarms.filter((alarm) => new Set(metricsOf(alarm).map(({ MetricName }) => MetricName)).size > 1);
  for (const alarm of [...ofSeveral, ...alarms.filter((alarm) => metricsOf(alarm).length > 2)]) {
    for (const { Expression } of inside<Properties[]>(alarm, 'Metrics')) {
      if (Expression !== undefined) expect(String(Expression), alarm.id).toMatch(/(SUM|MAX)\(\[|FILL\(/);
    }
  }
});

test('An alarm is raised if the scheduled function `sweep` or `sweep-deliveries` has had no successful run for 50 minutes', () => {
  const sweepers = ['booking-dev-sweep', 'booking-dev-sweep-deliveries'];
  expect(watched('sweepers-stopped')).toEqual(
    sweepers.flatMap((name) => [`Invocations of ${name}`, `Errors of ${name}`]),
  );
  const minutes = Number(alarmOf('sweepers-stopped')?.properties.EvaluationPeriods) * 5;
  const { everyMinutes, timeoutSeconds } = schedules.sweepDeliveries;
  expect(minutes).toBe(50);
  expect(minutes).toBeGreaterThan(2 * everyMinutes + timeoutSeconds / 60);
});

test('Every dead-letter queue has an alarm that its first message raises', () => {
  expectWatched(
    'dead-letters',
    deadNames.map((name) => `ApproximateNumberOfMessagesVisible of ${name}`),
  );
  expect(alarmOf('dead-letters')?.properties.Threshold).toBe(1);
});

test('Every queue has an alarm for old messages', () => {
  expectWatched(
    'queue-old',
    workingNames.map((name) => `ApproximateAgeOfOldestMessage of ${name}`),
  );
});

test('Every function behind a queue, stream or schedule has an alarm for crashes, and each API for 5xx responses', () => {
  const apis = assembly.ofType('AWS::ApiGatewayV2::Api');
  const behind = assembly.functions.filter((one) => apis.every(({ stack }) => stack !== one.stack));
  const crashes = [...watched('function-errors'), ...watched('sweepers-stopped')].filter((one) =>
    one.startsWith('Errors'),
  );
  expect(crashes.sort()).toEqual(behind.map(({ properties }) => `Errors of ${properties.FunctionName}`).sort());
  for (const name of ['server-errors', 'error-budget']) {
    expectWatched(name, ['ServerErrors', ...apis.map(({ stack, id }) => `Count of ${stack}.${id}`)]);
  }
});

test('Every table except the table of secrets has an alarm for throttled requests, including reads from an index', () => {
  const tables = assembly
    .ofType('AWS::DynamoDB::GlobalTable')
    .map(({ stack, id }) => `${stack}.${id}`)
    .filter((name) => !name.includes('Secrets'));
  expect(tables).toHaveLength(3);
  const [keys, ...others] = tables;
  const records = tables.find((name) => name.includes('Records'));
  expectWatched('tables-throttled', [
    `WriteThrottleEvents of ${keys}`,
    ...others.flatMap((name) => [`ReadThrottleEvents of ${name}`, `WriteThrottleEvents of ${name}`]),
    ...Object.keys(indexes).map((index) => `ReadThrottleEvents of ${index},${records}`),
    // The other index has the same writes over more keys.
    `WriteThrottleEvents of byStart,${records}`,
  ]);
});

test('The system emits every custom metric that an alarm reads, and the dashboard shows every emitted metric', () => {
  const ours = alarms.flatMap(metricsOf).filter(({ Namespace }) => !Namespace.startsWith('AWS/'));
  expect(ours.length).toBeGreaterThan(3);
  for (const { Namespace, MetricName, Dimensions } of ours) {
    expect(Namespace).toBe('booking-dev');
    expect([...Object.keys(metrics), 'ServerErrors', 'SlowAnswers']).toContain(MetricName);
    expect(Dimensions).toBeUndefined();
  }
  const [dashboard] = assembly.ofType('AWS::CloudWatch::Dashboard');
  const body = assembly.text('Observability', dashboard?.properties.DashboardBody);
  for (const name of Object.keys(metrics)) expect(body).toContain(`"booking-dev","${name}"`);
});

test.each(stageNames)(
  'In the stage %s, alarms cost at most 5.50 dollars a month, and custom metrics cost at most 4.50 dollars',
  async (name) => {
    const { alarmsDollars, customMetricsDollars } = monthlyPrice((await synthesised(name)).resources);
    expect(alarmsDollars).toBeLessThanOrEqual(5.5);
    expect(customMetricsDollars).toBeLessThanOrEqual(4.5);
  },
);

/** By stack, the pattern of the access log entries that a metric counts. */
const patternsOf = (of: Assembly, metric = 'ServerErrors') =>
  of
    .ofType('AWS::Logs::MetricFilter')
    .filter((filter) => inside<{ MetricName: string }[]>(filter, 'MetricTransformations')[0]?.MetricName === metric)
    .map(({ stack, properties }) => [stack, String(properties.FilterPattern)] as const);
const patterns = patternsOf(assembly);
const counted = (line: Readonly<Record<string, string>>) =>
  patterns.filter(([, pattern]) => matchesLine(pattern, { integrationStatus: '200', ...line })).length;

test('The alarm for server errors counts 5xx responses of each API, unless the request was too large for Lambda', () => {
  expect(patterns.map(([stack]) => stack)).toEqual(['IntegrationApi', 'AccountApi']);
  expect(counted({ status: '500', route: 'GET /v1/integration/services' })).toBe(2);
  expect(counted({ status: '503', route: '$default', integrationStatus: '429' })).toBe(2);
  for (const status of ['200', '404', '429']) expect(counted({ status, route: '$default' })).toBe(0);
  expect(counted({ status: '500', route: 'POST /v1/integration/bookings', integrationStatus: '413' })).toBe(0);
});

test('The alarm for server errors ignores throttling of routes whose functions have reserved concurrency', async () => {
  const prod = new Map(patternsOf(await synthesised('prod')));
  for (const api of Object.values<Api>(apis)) {
    const pattern = prod.get(api.id) ?? '';
    for (const row of api.rows) {
      const line = { status: '503', integrationStatus: '429', route: routeKeyOf(api.prefix, row) };
      expect(matchesLine(pattern, line), line.route).toBe((row.timeoutSeconds ?? 10) <= 10);
    }
  }
});

test('The alarm for slow responses counts responses after 1.5 seconds or more, except when a webhook is pinged, polled or recovered', () => {
  const [[stack, pattern] = ['', ''], ...others] = patternsOf(assembly, 'SlowAnswers');
  expect([stack, ...others]).toEqual(['IntegrationApi']);
  const isSlow = (latencyMs: number, route: string) => matchesLine(pattern, { latencyMs: String(latencyMs), route });
  for (const ms of [0, 20, 150, 999, 1_000, 1_499]) expect(isSlow(ms, '$default'), String(ms)).toBe(false);
  for (const ms of [1_500, 1_999, 2_000, 9_999, 10_012, 29_000]) expect(isSlow(ms, '$default'), String(ms)).toBe(true);
  const waiting = apis.integration.rows.filter((row) => !isSlow(10_000, routeKeyOf(apis.integration.prefix, row)));
  expect(waiting.map(({ operation }) => operation).sort()).toEqual(['pingWebhook', 'readFeed', 'recoverWebhook']);
});

test('The alarm `outbox-old` and its runbook state how long an event has waited when the alarm is raised', () => {
  const { Threshold, EvaluationPeriods, AlarmDescription } = alarmOf('outbox-old')?.properties ?? {};
  const minutes = Number(Threshold) / 60 + 5 * (Number(EvaluationPeriods) - 1);
  expect(AlarmDescription).toContain(`in the outbox for ${minutes} minutes`);
  expect(page('outbox-old.md')).toContain(`in the outbox for ${minutes} to ${minutes + 5} minutes`);
  expect(page('README.md')).toContain(`in the outbox for ${minutes} minutes | critical |`);
});

const set = await synthesisedAs(variants['all settings']);

test('The email address that an operator configures for alarms receives alarms of every severity', () => {
  const subscriptions = set.ofType('AWS::SNS::Subscription');
  expect(subscriptions.map(({ properties }) => [properties.Protocol, properties.Endpoint])).toEqual(
    Array.from({ length: 3 }, () => ['email', 'operator@booking.example']),
  );
  expect(assembly.ofType('AWS::SNS::Subscription')).toEqual([]);
});

test('The AWS budget of a stage has the amount that the operator sets, including cents', () => {
  const [budget] = set.ofType('AWS::Budgets::Budget');
  expect(inside(budget, 'Budget', 'BudgetLimit')).toEqual({ Amount: 250.5, Unit: 'USD' });
});

const folder = new URL('../../docs/runbooks/', import.meta.url);
const page = (name: string) => readFileSync(new URL(name, folder), 'utf8');

test('The runbook index docs/runbooks/README.md lists every runbook once', () => {
  const listed = [...page('README.md').matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, name]) => name);
  expect(listed.sort()).toEqual(
    readdirSync(folder)
      .filter((name) => name !== 'README.md')
      .sort(),
  );
});

test('Every alarm has its own runbook, with sections on its meaning, on diagnosing and fixing the problem, and on its end', () => {
  expect(alarms.length).toBeGreaterThan(10);
  expect(new Set(alarms.map(pageOf)).size).toBe(alarms.length);
  for (const name of [...alarms.map(pageOf), 'budget']) {
    for (const part of ['What the alarm means', 'Diagnose', 'Fix', 'When the problem is over']) {
      expect(page(`${name}.md`), name).toContain(`\n## ${part}\n`);
    }
  }
});

test('The runbook dead-letters.md states for every dead-letter queue whether SQS can redrive its messages', () => {
  const queues = set.ofType('AWS::SQS::Queue');
  const sources = queues
    .filter(({ properties }) => properties.RedrivePolicy !== undefined)
    .map((queue) => set.refers(queue, inside(queue, 'RedrivePolicy', 'deadLetterTargetArn')));
  const redrivable = queues
    .filter(({ properties }) => String(properties.QueueName).endsWith('-dead'))
    .map(({ stack, id, properties }) => [properties.QueueName, sources.includes(`${stack}.${id}.Arn`)] as const);
  const rows = [...page('dead-letters.md').matchAll(/^\| `([a-z-]+-dead)` *\|[^|]*\| (redrive|purge) +\|/gm)];
  const documented = rows.map(([, name, verb]) => [`booking-prod-${name}`, verb === 'redrive'] as const);
  expect(new Map<Json | undefined, boolean>(documented)).toEqual(new Map(redrivable));
  expect(new Set(documented.map(([, back]) => back)).size).toBe(2);
});

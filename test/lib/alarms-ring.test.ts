/**
 * Every alarm of the templates is raised by its cause, and none on a normal day. Our own metrics come from the
 * functions, which really run in a pipeline; those of AWS are declared here for each cause.
 */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { dynamo } from '../../core/clients.ts';
import { metricsOf, nameOf, periodSeconds, type Recorded, rings } from '../support/alarm-evaluation.ts';
import { tableName } from '../support/dynamo.ts';
import { collectMetrics } from '../support/emitted-metrics.ts';
import { matchesLine } from '../support/filter-pattern.ts';
import type { Functions } from '../support/functions.ts';
import { type Answer, ok, type Post, platformFault, refused } from '../support/pipeline.ts';
import { newTenant, outbox } from '../support/pipeline-state.ts';
import { type Resource, synthesised } from '../support/synthesised.ts';
import { usePipeline } from '../support/use-pipeline.ts';

const begin = usePipeline();
const assembly = await synthesised();
const alarms = new Map(
  assembly
    .ofType('AWS::CloudWatch::Alarm')
    .map((alarm) => [/runbooks\/([a-z-]+)\.md$/.exec(String(alarm.properties.AlarmDescription))?.[1] ?? '', alarm]),
);

/** The access log entries of the integration API that count as slow. */
const slowPattern = String(
  assembly
    .ofType('AWS::Logs::MetricFilter')
    .find(({ properties }) => JSON.stringify(properties.MetricTransformations).includes('SlowAnswers'))?.properties
    .FilterPattern,
);

/** The events, receivers and faults that the functions meet during the test. */
interface Conditions {
  /** The number of periods of five minutes. */
  readonly periods: number;
  readonly webhooks: number;
  readonly eventsEachPeriod: number;
  readonly answer?: (post: Post) => Answer;
  readonly functions?: Partial<Functions>;
  /** Nothing reads the stream: its mapping is disabled, or the relay crashes. */
  readonly withoutRelay?: true;
  /** The sweepers that complete their runs. */
  readonly sweeps?: readonly ('sweep' | 'sweepDeliveries')[];
}

/** Runs the functions for all periods. Returns the emitted metrics, by metric and period. */
async function record(conditions: Conditions): Promise<Recorded> {
  const { periods, answer, functions, sweeps = ['sweep', 'sweepDeliveries'] } = conditions;
  const pipeline = begin({
    sweeper: false,
    ...(answer && { answer }),
    ...(functions && { functions: () => functions }),
  });
  const emitted = collectMetrics(() => pipeline.inside);
  const { tenantId } = await newTenant(conditions.webhooks);
  const startedAt = pipeline.now;
  const periodMs = periodSeconds * 1_000;
  for (let period = 0; period < periods; period++) {
    await pipeline.raiseMany(tenantId, conditions.eventsEachPeriod);
    if (conditions.withoutRelay) pipeline.loseStream();
    const last = startedAt + (period + 1) * periodMs - 1;
    await pipeline.run(last);
    pipeline.advance(last - pipeline.now);
    if (sweeps.includes('sweep')) await pipeline.sweep();
    if (sweeps.includes('sweepDeliveries') && period % 3 === 0) await pipeline.sweepDeliveries();
    pipeline.advance(1);
  }
  await emptyOutbox();
  return (metric, period) =>
    emitted
      .filter(({ name, at }) => name === metric && Math.floor((at - startedAt) / periodMs) === period)
      .flatMap(({ values }) => values);
}

const recorded = new Map<Conditions, Recorded>();

/** Causes that differ only in metrics of AWS share conditions, which run once. */
async function recordedOnce(conditions: Conditions): Promise<Recorded> {
  const own = recorded.get(conditions) ?? (await record(conditions));
  recorded.set(conditions, own);
  return own;
}

/** Removes the events under other conditions, which would be the oldest of the next. */
async function emptyOutbox(): Promise<void> {
  for (const { pk, sk } of await outbox()) {
    await dynamo().send(new DeleteCommand({ TableName: tableName('records'), Key: { pk, sk } }));
  }
}

/** The values in each period. A metric is named by its beginning; `'silent'` and missing metrics have no data. */
type AwsMetrics = Readonly<
  Record<string, number | 'silent' | readonly number[] | ((period: number) => number | 'silent')>
>;

const quietAws: AwsMetrics = {
  'Invocations of booking-dev-sweep': 1,
  'Invocations of booking-dev-sweep-deliveries': (period) => (period % 3 === 0 ? 1 : 'silent'),
  'ApproximateAgeOfOldestMessage of': 0,
  'ApproximateNumberOfMessagesVisible of': 0,
  'Count of': 12,
  ClaimedAccountConcurrency: 3,
};

const busyAws: AwsMetrics = {
  ...quietAws,
  'ApproximateAgeOfOldestMessage of booking-dev-events': 20,
  'ApproximateAgeOfOldestMessage of booking-dev-deliveries': 45,
  'ApproximateAgeOfOldestMessage of booking-dev-retries': 990,
  'ApproximateAgeOfOldestMessage of booking-dev-erasures': 180,
  'Count of': 60_000,
  ServerErrors: 40,
  SlowAnswers: 600,
  'Errors of booking-dev-deliver-webhook-deliveries': (period) => (period % 4 === 0 ? 3 : 'silent'),
  Throttles: 4,
  ClaimedAccountConcurrency: 600,
  'WriteThrottleEvents of': 8,
};

function withAws(own: Recorded, aws: AwsMetrics): Recorded {
  const names = Object.keys(aws).sort((a, b) => b.length - a.length);
  return (metric, period) => {
    const value = aws[names.find((name) => metric.startsWith(name)) ?? ''] ?? 'silent';
    const now = typeof value === 'function' ? value(period) : value;
    return now === 'silent' ? own(metric, period) : [now].flat();
  };
}

const ringing = (recorded: Recorded, periods: number) =>
  [...alarms].flatMap(([name, alarm]) => (rings(assembly, alarm, recorded, periods) ? name : [])).sort();

/** One event per period, to one webhook. Its receiver refuses everything, which is not a platform fault. */
const quiet: Conditions = { periods: 12, webhooks: 1, eventsEachPeriod: 1, answer: () => refused };
/** 120 deliveries per period, for as long as the slowest alarm looks back. */
const crowd = { periods: 4, webhooks: 10, eventsEachPeriod: 12 };
/** Some of these deliveries fail, one in fifty by a platform fault. */
let calls = 0;
const busy: Conditions = {
  ...crowd,
  answer: () => {
    calls += 1;
    if (calls % 50 === 0) return platformFault;
    return calls % 7 === 0 ? refused : ok;
  },
};
/** Messages in the queue of events are dropped. */
const unplanned: Conditions = { ...quiet, functions: { plan: async () => ({ batchItemFailures: [] }) } };
const unread: Conditions = { ...quiet, withoutRelay: true };

const waiting = 'GET /v1/integration/webhooks/{id}/feed';

/** How many responses, each with its route and milliseconds, the log of the integration API counts as slow. */
function slowOf(responses: readonly (readonly [string, number])[], pattern = slowPattern): number {
  return responses.filter(([route, ms]) => matchesLine(pattern, { route, latencyMs: String(ms) })).length;
}

interface Cause {
  readonly cause: string;
  /** All alarms that are then raised, and no others. */
  readonly rings: readonly string[];
  readonly conditions?: Conditions;
  readonly aws?: AwsMetrics;
}

const causes: readonly Cause[] = [
  { cause: 'the rule of the event bus is disabled', rings: ['outbox-old', 'relay-stopped'], conditions: unplanned },
  {
    cause: 'the queue of events no longer invokes its function',
    rings: ['outbox-old', 'queue-old', 'relay-stopped'],
    conditions: unplanned,
    aws: { 'ApproximateAgeOfOldestMessage of booking-dev-events': (period) => period * periodSeconds },
  },
  {
    cause: 'the queue of deliveries no longer invokes its function',
    rings: ['queue-old'],
    aws: { 'ApproximateAgeOfOldestMessage of booking-dev-deliveries': (period) => period * periodSeconds },
  },
  {
    cause: 'messages of retries wait longer than the maximum delay',
    rings: ['queue-old'],
    aws: { 'ApproximateAgeOfOldestMessage of booking-dev-retries': 1_300 },
  },
  {
    cause: 'events wait ten minutes before their deliveries are created',
    rings: ['queue-old'],
    aws: { 'ApproximateAgeOfOldestMessage of booking-dev-events': 600 },
  },
  {
    cause: 'clients wait ten minutes for the erasure of their data',
    rings: ['queue-old'],
    aws: { 'ApproximateAgeOfOldestMessage of booking-dev-erasures': 600 },
  },
  { cause: 'the table stream no longer invokes its function', rings: ['relay-stopped'], conditions: unread },
  {
    cause: 'the function that reads the table stream crashes',
    rings: ['function-errors', 'relay-stopped'],
    conditions: unread,
    aws: { 'Errors of booking-dev-relay-events': 20 },
  },
  {
    cause: 'the scheduled searches for lost events and deliveries are disabled',
    rings: ['outbox-old', 'sweepers-stopped'],
    conditions: { ...quiet, sweeps: [] },
    aws: { 'Invocations of booking-dev-sweep': 'silent', 'Invocations of booking-dev-sweep-deliveries': 'silent' },
  },
  {
    cause: 'only the scheduled search for lost deliveries does not run',
    rings: ['sweepers-stopped'],
    conditions: { ...quiet, sweeps: ['sweep'] },
    aws: { 'Invocations of booking-dev-sweep-deliveries': 'silent' },
  },
  {
    cause: 'the scheduled search for lost events crashes in each run',
    rings: ['outbox-old', 'sweepers-stopped'],
    conditions: { ...quiet, sweeps: ['sweepDeliveries'] },
    aws: { 'Errors of booking-dev-sweep': 1, 'Errors of booking-dev-sweep-deliveries': 'silent' },
  },
  {
    cause: 'the scheduled search for lost deliveries crashes in each run',
    rings: ['sweepers-stopped'],
    conditions: { ...quiet, sweeps: ['sweep'] },
    aws: { 'Errors of booking-dev-sweep-deliveries': (period) => (period % 3 === 0 ? 1 : 'silent') },
  },
  {
    cause: 'the queue of events refuses messages',
    rings: ['dead-letters', 'outbox-old', 'relay-stopped', 'rule-failed'],
    conditions: unplanned,
    aws: {
      'FailedInvocations of booking-dev,booking-dev-events': 2,
      'ApproximateNumberOfMessagesVisible of booking-dev-event-rule-dead': 2,
    },
  },
  {
    cause: 'a function fails on one message every time',
    rings: ['dead-letters'],
    aws: { 'ApproximateNumberOfMessagesVisible of booking-dev-deliveries-dead': 1 },
  },
  {
    cause: 'the function that delivers messages has no network',
    rings: ['own-faults'],
    conditions: { ...crowd, answer: () => platformFault },
  },
  {
    cause: 'very many receivers are down',
    // First attempts for a failing webhook wait behind its retries.
    rings: ['attempt-budget', 'receivers-failing'],
    conditions: { ...crowd, answer: () => refused },
  },
  {
    cause: 'half of the attempts fail at their receivers, and one in four is a last attempt',
    rings: ['receivers-failing'],
    aws: {
      AttemptsSucceeded: Array(100).fill(1),
      AttemptsRetrying: Array(50).fill(1),
      AttemptsFailed: Array(50).fill(1),
    },
  },
  {
    cause: 'an API answers 5xx',
    rings: ['error-budget', 'server-errors'],
    aws: { 'Count of IntegrationApi': 400, ServerErrors: 12 },
  },
  {
    cause: 'the account API answers 5xx to all of very few requests',
    rings: ['error-budget', 'server-errors'],
    aws: { 'Count of AccountApi': 6, ServerErrors: 6 },
  },
  {
    cause: 'an API answers 5xx to one in 120 requests, for hours',
    rings: ['error-budget'],
    aws: { 'Count of': 600, ServerErrors: 10 },
  },
  {
    cause: 'first attempts of deliveries begin after half a minute',
    rings: ['attempt-budget', 'late-attempts'],
    aws: { EventToFirstAttempt: Array(5).fill(30_000) },
  },
  {
    cause: 'every second delivery begins late, for hours',
    rings: ['attempt-budget'],
    aws: { EventToFirstAttempt: [100, 30_000, 100, 30_000] },
  },
  {
    cause: 'the scheduled search for lost deliveries is two hours behind',
    rings: ['sweep-behind'],
    aws: { SweepLag: 7_200 },
  },
  {
    cause: 'the API responds slowly',
    rings: ['slow-answers'],
    aws: {
      'Count of IntegrationApi': 100,
      SlowAnswers: slowOf(Array(10).fill(['GET /v1/integration/bookings', 2_200])),
    },
  },
  {
    cause: 'a function runs out of memory',
    rings: ['function-errors'],
    aws: { 'Errors of booking-dev-plan-deliveries-events': 4 },
  },
  {
    cause: 'another system uses up the concurrency of the account',
    rings: ['concurrency-near-limit', 'functions-throttled'],
    aws: { Throttles: 300, ClaimedAccountConcurrency: 1_000 },
  },
  {
    cause: 'most of the concurrency of the account is in use',
    rings: ['concurrency-near-limit'],
    aws: { ClaimedAccountConcurrency: 850 },
  },
  {
    cause: 'a table throttles writes of one key',
    rings: ['tables-throttled'],
    aws: { 'WriteThrottleEvents of Data.StoresRecords': 500 },
  },
  {
    cause: 'the index from which bookings are listed throttles reads',
    rings: ['tables-throttled'],
    aws: { 'ReadThrottleEvents of byStart,Data.StoresRecords': 500 },
  },
];

test('No alarm is raised on a simulated day with little traffic', async () => {
  expect(ringing(withAws(await recordedOnce(quiet), quietAws), quiet.periods)).toEqual([]);
});

test('No alarm is raised on a simulated day with much traffic', async () => {
  const own = await recordedOnce(busy);
  for (const metric of ['AttemptsSucceeded', 'AttemptsRetrying', 'OwnFaults']) {
    const values = Array.from({ length: crowd.periods }, (_, period) => own(metric, period)).flat();
    expect(values.length, metric).toBeGreaterThan(0);
  }
  expect(ringing(withAws(own, busyAws), busy.periods)).toEqual([]);
});

/** In each period, one reader waits thirty times for a message, and there are few other requests. */
const oneReader = Array(30).fill([waiting, 10_012]);
const withOneReader = (pattern: string): AwsMetrics => ({
  ...quietAws,
  'Count of IntegrationApi': 42,
  SlowAnswers: slowOf(oneReader, pattern),
});

test("No alarm is raised when an integrator's program waits for webhook messages for hours", async () => {
  const own = withAws(await recordedOnce(quiet), withOneReader(slowPattern));
  expect(ringing(own, quiet.periods)).toEqual([]);
});

test('Negative control: if waiting for webhook messages counts as slow, one waiting program raises an alarm', async () => {
  const careless = slowPattern.replace(` && ($.route != "${waiting}")`, '');
  const own = withAws(await recordedOnce(quiet), withOneReader(careless));
  expect(ringing(own, quiet.periods)).toEqual(['slow-answers']);
});

/**
 * Whether the alarm on sweepers is raised in two hours in which each run of `sweep-deliveries` takes ten minutes, and
 * one fails. CloudWatch gets the metrics of a run when it ends, with the time at which it began.
 */
function ringsForSlowRuns(EvaluationPeriods?: number): boolean {
  const alarm = alarms.get('sweepers-stopped') as Resource;
  const properties = { ...alarm.properties, ...(EvaluationPeriods && { EvaluationPeriods }) };
  return Array.from({ length: 15 }, (_, i) => 10 + i).some((now) => {
    const runs = (period: number) => (period % 3 === 0 && period + 4 <= now ? 1 : 'silent');
    const seen = withAws(() => [], {
      ...quietAws,
      'Invocations of booking-dev-sweep-deliveries': runs,
      'Errors of booking-dev-sweep-deliveries': (period) => (period === 9 ? runs(period) : 'silent'),
    });
    return rings(assembly, { ...alarm, properties }, seen, now);
  });
}

test('No alarm is raised when one of several slow runs of the function `sweep-deliveries` fails', () => {
  expect(ringsForSlowRuns()).toBe(false);
});

test('Negative control: an alarm that looks back only half an hour is raised by one failed run of `sweep-deliveries`', () => {
  expect(ringsForSlowRuns(6)).toBe(true);
});

const throttled: AwsMetrics = { ...quietAws, Throttles: 300, ClaimedAccountConcurrency: 120 };

test('Throttled requests of one customer raise no critical alarm while the AWS account has concurrency left', async () => {
  expect(ringing(withAws(await recordedOnce(quiet), throttled), quiet.periods)).toEqual([]);
});

test("Negative control: an alarm that ignores the account's concurrency is raised when one customer is throttled", async () => {
  const alarm = alarms.get('functions-throttled') as Resource;
  const Metrics = (alarm.properties.Metrics as { Expression?: string }[]).map((one) =>
    one.Expression === undefined ? one : { ...one, Expression: 'IF(m1 >= 0, m0, 0)' },
  );
  const careless = { ...alarm, properties: { ...alarm.properties, Metrics: Metrics as never } };
  const own = withAws(await recordedOnce(quiet), throttled);
  expect(rings(assembly, careless, own, quiet.periods)).toBe(true);
});

test.each(causes.map((cause) => [cause.cause, cause.rings.join(', '), cause] as const))(
  'If %s, the raised alarms are: %s',
  async (...[, , { rings: expected, conditions = quiet, aws = {} }]) => {
    const own = await recordedOnce(conditions);
    expect(ringing(withAws(own, { ...quietAws, ...aws }), conditions.periods)).toEqual(expected);
  },
);

test('Exactly the alarms `outbox-old` and `sweepers-stopped` are raised when all metrics are missing', () => {
  const silent: Recorded = () => [];
  expect(ringing(silent, quiet.periods)).toEqual(['outbox-old', 'sweepers-stopped']);
  const outboxOld = alarms.get('outbox-old') as Resource;
  const deaf = { ...outboxOld, properties: { ...outboxOld.properties, TreatMissingData: 'notBreaching' } };
  expect(rings(assembly, deaf, silent, quiet.periods)).toBe(false);
});

test('Each alarm is raised by at least one simulated cause, and each simulated metric is read by an alarm', () => {
  expect([...new Set(causes.flatMap((one) => one.rings))].sort()).toEqual([...alarms.keys()].sort());
  const read = [...alarms.values()].flatMap(metricsOf).map((metric) => nameOf(assembly, metric));
  for (const name of [quietAws, busyAws, ...causes.map(({ aws = {} }) => aws)].flatMap(Object.keys)) {
    expect(
      read.filter((one) => one.startsWith(name)),
      name,
    ).not.toEqual([]);
  }
});

/**
 * The alarms of a stage, one row each: what is wrong, how severe it is, and how it is measured. The page of a row is
 * `docs/runbooks/<name>.md`. CloudWatch charges for each metric of an alarm, so a row reads only those that it needs.
 */
import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { indexes } from '../contract/system/needs.ts';
import { schedules } from '../contract/system/schedules.ts';
import type { Watched } from './constructs/operations-dashboard.ts';
import {
  apiMetric,
  concurrencyMetric,
  fiveMinutes,
  formula,
  lambdaMetric,
  ownMetric,
  queueMetric,
  replicaMetric,
  ruleMetric,
  sum,
  sumOf,
  tableMetric,
} from './metrics.ts';

/** `critical` pages an operator, `warning` waits for the working day, `notice` is for planning. */
export const severities = ['critical', 'warning', 'notice'] as const;
export type Severity = (typeof severities)[number];

export interface AlarmRow {
  /** The name of the page in `docs/runbooks/`. */
  readonly name: string;
  readonly severity: Severity;
  /** A sentence for the operator that states what is wrong. */
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm is raised at this value and above. */
  readonly atLeast: number;
  /** The number of consecutive periods of the metric, five minutes each unless the metric sets another. Default: 1. */
  readonly periods?: number;
  /** Whether missing data raise the alarm, because something must have run. */
  readonly mustReport?: true;
}

const periodMinutes = fiveMinutes.toMinutes();

/** The objectives over 30 days: 99.9 % of requests get no 5xx, and 95 % of first attempts begin within five seconds. */
const objectives = { failingPercent: 0.1, latePercent: 5, lateMs: 5_000 } as const;

/**
 * Burn rates with their alarms: the first uses two days of the 30 in an hour, the second one and a half days in six
 * hours.
 */
const burning = [
  { hours: 1, times: 14.4, errorAlarm: { name: 'server-errors', severity: 'critical' }, lateAlarm: 'late-attempts' },
  { hours: 6, times: 6, errorAlarm: { name: 'error-budget', severity: 'warning' }, lateAlarm: 'attempt-budget' },
] as const;

/** A few failures among few requests raise no alarm. */
const leastFailures = 5;
const leastAttempts = 20;

/** Returns two alarms per objective. One customer's traffic can delay that customer's deliveries; this pages nobody. */
function budgetAlarms(prefix: string, apis: Watched['apis']): readonly AlarmRow[] {
  const counts = apis.map(({ apiId }) => apiMetric('Count', apiId));
  const failing = ([errors, ...requests]: readonly string[]) =>
    `IF(${errors} >= ${leastFailures}, 100 * ${errors} / ${sum(requests)}, 0)`;
  const late = ([inTime, attempts]: readonly string[]) => `IF(${attempts} >= ${leastAttempts}, 100 - ${inTime}, 0)`;
  const attempts = [`PR(:${objectives.lateMs})`, Stats.SAMPLE_COUNT].map((statistic) =>
    ownMetric(prefix, 'EventToFirstAttempt', statistic),
  );
  return burning.flatMap(({ hours, times, errorAlarm, lateAlarm }): AlarmRow[] => [
    {
      ...errorAlarm,
      description: `So many responses in ${hours} h were 5xx that the month's budget of ${objectives.failingPercent} % is being used up ${times} times too fast.`,
      metric: formula(
        [ownMetric(prefix, 'ServerErrors'), ...counts],
        failing,
        'Responses with 5xx, %',
        'm',
        Duration.hours(hours),
      ),
      atLeast: Math.round(100 * times * objectives.failingPercent) / 100,
    },
    {
      name: lateAlarm,
      severity: 'warning',
      description: `So many first attempts in ${hours} h began late that the month's budget of ${objectives.latePercent} % is being used up ${times} times too fast.`,
      metric: formula(attempts, late, 'Late first attempts, %', 'm', Duration.hours(hours)),
      atLeast: times * objectives.latePercent,
    },
  ]);
}

/** Alarms for tables with replicas. One table is enough, because all replicate to the same region in the same way. */
function replicaAlarms({ tables, replicaRegion }: Watched): readonly AlarmRow[] {
  const records = tables.find(({ store }) => store === 'records');
  if (replicaRegion === undefined || records === undefined) return [];
  return [
    {
      name: 'replicas-behind',
      severity: 'warning',
      description:
        'The second region is a minute or more behind the first. If the first were lost now, all changes since then would be lost.',
      metric: replicaMetric(records.name, replicaRegion),
      atLeast: 60_000,
      periods: 3,
    },
  ];
}

/** The longest time from the start of a scheduled run to the end of the run after the next. */
const longestSweepMinutes = Math.max(
  ...Object.values(schedules).map(({ everyMinutes, timeoutSeconds }) => 2 * everyMinutes + timeoutSeconds / 60),
);

export function alarmRows(prefix: string, watched: Watched): readonly AlarmRow[] {
  const { apis, functions, sweepers, queues, deadLetterQueues, tables, bus, rule, concurrency } = watched;
  return [
    {
      name: 'sweepers-stopped',
      severity: 'critical',
      description:
        'For 50 minutes one of the scheduled functions sweep and sweep-deliveries has had no successful run. Lost events or messages are not sent again until the next run.',
      metric: formula(
        sweepers.flatMap((name) => [lambdaMetric('Invocations', name), lambdaMetric('Errors', name)]),
        (names) =>
          `IF(${sweepers.map((_, i) => `FILL(${names[2 * i]}, 0) - FILL(${names[2 * i + 1]}, 0) < 1`).join(' OR ')}, 1, 0)`,
        'sweep or sweep-deliveries had no successful run',
      ),
      atLeast: 1,
      // CloudWatch gets the metrics of a run minutes after its end, with the time of its begin.
      periods: 2 + Math.ceil(longestSweepMinutes / periodMinutes),
      mustReport: true,
    },
    {
      name: 'outbox-old',
      severity: 'critical',
      description:
        'An event has waited in the outbox for 25 minutes, or the scheduled function sweep does not report how long events wait. Webhooks get no events.',
      metric: ownMetric(prefix, 'OldestOutboxEvent', Stats.MAXIMUM),
      atLeast: 900,
      periods: 3,
      mustReport: true,
    },
    {
      name: 'relay-stopped',
      severity: 'warning',
      description:
        'The function relay-events does not publish events. The scheduled function sweep does, so events reach their webhooks minutes late.',
      metric: ownMetric(prefix, 'OutboxEventsOverdue'),
      atLeast: 1,
      periods: 3,
    },
    {
      name: 'sweep-behind',
      severity: 'warning',
      description:
        'The scheduled function sweep-deliveries does not keep up. A delivery whose queue message was lost is sent hours late, and statistics are out of date.',
      metric: ownMetric(prefix, 'SweepLag', Stats.MAXIMUM),
      atLeast: 3_600,
    },
    {
      name: 'rule-failed',
      severity: 'critical',
      description: 'The EventBridge rule could not send events to the queue from which deliveries are planned.',
      metric: ruleMetric('FailedInvocations', bus, rule),
      atLeast: 1,
    },
    {
      name: 'queue-old',
      severity: 'critical',
      description: 'Messages wait in a queue minutes longer than their delay. Deliveries are late, or none are made.',
      metric: formula(
        queues.map(({ name }) => queueMetric('ApproximateAgeOfOldestMessage', name)),
        // A delayed message is in the queue for its full delay.
        (names) => `MAX([${names.map((name, i) => `${name} - ${queues[i]?.longestDelaySeconds}`).join(', ')}])`,
        'Seconds too long in a queue',
      ),
      atLeast: 300,
      periods: 3,
    },
    {
      name: 'dead-letters',
      severity: 'warning',
      description: 'A dead-letter queue contains messages that no function could process.',
      metric: sumOf(
        deadLetterQueues.map((name) => queueMetric('ApproximateNumberOfMessagesVisible', name)),
        'Dead letters',
      ),
      atLeast: 1,
    },
    {
      name: 'own-faults',
      severity: 'critical',
      description:
        'Deliveries fail because of a fault of this service: the KMS key, a table or the network is not available.',
      metric: ownMetric(prefix, 'OwnFaults'),
      atLeast: 50,
      periods: 2,
    },
    {
      name: 'receivers-failing',
      severity: 'notice',
      description: 'Half or more of at least a hundred delivery attempts failed because of their receivers.',
      metric: formula(
        (['AttemptsSucceeded', 'AttemptsRetrying', 'AttemptsFailed'] as const).map((name) => ownMetric(prefix, name)),
        (names) => `IF(${sum(names)} >= 100, 100 * ${sum(names.slice(1))} / ${sum(names)}, 0)`,
        'Failing attempts, %',
      ),
      atLeast: 50,
      periods: 3,
    },
    ...budgetAlarms(prefix, apis),
    {
      name: 'slow-answers',
      severity: 'warning',
      description: 'One in ten responses of the integration API takes 1.5 seconds or longer.',
      metric: formula(
        [ownMetric(prefix, 'SlowAnswers'), apiMetric('Count', apis[0]?.apiId ?? '')],
        ([slow, requests]) => `100 * FILL(${slow}, 0) / ${requests}`,
        'Slow responses, %',
      ),
      atLeast: 10,
      periods: 3,
    },
    {
      name: 'function-errors',
      severity: 'warning',
      description: 'Functions of the delivery pipeline crash, or run out of time or memory.',
      metric: sumOf(
        // Crashes of scheduled functions, which run rarely, raise the alarm sweepers-stopped.
        functions.filter((name) => !sweepers.includes(name)).map((name) => lambdaMetric('Errors', name)),
        'Crashes',
      ),
      atLeast: 3,
      periods: 2,
    },
    {
      name: 'functions-throttled',
      severity: 'critical',
      description:
        'Functions are throttled: the concurrency of the AWS account is used up, by this stage or by other functions.',
      // A function with reserved concurrency is throttled at its own limit, which its callers can cause.
      metric: formula(
        [lambdaMetric('Throttles'), concurrencyMetric()],
        ([throttles, running]) => `IF(FILL(${running}, 0) >= ${0.9 * concurrency}, FILL(${throttles}, 0), 0)`,
        'Throttles of a full account',
      ),
      atLeast: 10,
      periods: 2,
    },
    {
      name: 'concurrency-near-limit',
      severity: 'notice',
      description: 'The functions of the AWS account use four fifths of its concurrency.',
      metric: concurrencyMetric(),
      atLeast: 0.8 * concurrency,
      periods: 3,
    },
    {
      name: 'tables-throttled',
      severity: 'warning',
      description: 'A table throttles reads or writes: they come too fast, or too many are for one key.',
      metric: sumOf(
        tables
          // Secrets that cannot be read raise the alarm own-faults.
          .filter(({ store }) => store !== 'secrets')
          .flatMap(({ store, name }) => [
            // A request writes the item of its key, and reads none.
            ...(store === 'keys' ? [] : [tableMetric('ReadThrottleEvents', name, `${store}, reads`)]),
            tableMetric('WriteThrottleEvents', name, `${store}, writes`),
            ...Object.entries(indexes)
              .filter(([, { store: of }]) => of === store)
              .flatMap(([index]) => [
                // The metric of the table does not contain the reads of its indexes.
                tableMetric('ReadThrottleEvents', name, `${index}, reads`, index),
                // An index that cannot keep up throttles the writes of its table. `byClient` gets the writes of
                // `byStart` spread over more keys, so it keeps up whenever `byStart` does.
                ...(index === 'byClient' ? [] : [tableMetric('WriteThrottleEvents', name, `${index}, writes`, index)]),
              ]),
          ]),
        'Throttled reads and writes',
      ),
      atLeast: 100,
      periods: 2,
    },
    ...replicaAlarms(watched),
  ];
}

/** The operator's dashboard of the stage: questions from top to bottom, each with its graphs. */
import { Aws } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  type Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { indexes, type Store } from '../../contract/system/needs.ts';
import {
  apiMetric,
  concurrencyMetric,
  edgeMetric,
  formula,
  lambdaMetric,
  ownMetric,
  queueMetric,
  sum,
  tableMetric,
} from '../metrics.ts';
import { prices } from '../prices.ts';
import type { Stage } from '../stage.ts';

/** All resources that are watched, by physical name. */
export interface Watched {
  /** The gateways by title, the integration API first. */
  readonly apis: readonly { readonly title: string; readonly apiId: string }[];
  /** The functions behind the APIs, whose crashes are 5xx responses of the gateway. */
  readonly functions: readonly string[];
  /** The names of the functions that run on a schedule. */
  readonly sweepers: readonly string[];
  readonly queues: readonly { readonly name: string; readonly longestDelaySeconds: number }[];
  readonly deadLetterQueues: readonly string[];
  readonly tables: readonly { readonly store: Store; readonly name: string }[];
  /** The region of the replicas of the tables, if there are any. */
  readonly replicaRegion: string | undefined;
  readonly bus: string;
  readonly rule: string;
  /** The account's limit of concurrent executions. */
  readonly concurrency: number;
}

interface OperationsDashboardProps {
  readonly stage: Stage;
  readonly watched: Watched;
  readonly alarms: readonly Alarm[];
}

interface Question {
  readonly asks: string;
  readonly graphs: readonly { readonly title: string; readonly metrics: readonly IMetric[] }[];
}

export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, { stage, watched, alarms }: OperationsDashboardProps) {
    super(scope, id);
    new Dashboard(this, 'Dashboard', {
      // Dashboards are global in an account, and a stage may be deployed in two regions.
      dashboardName: `${stage.prefix}-${Aws.REGION}`,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 })],
        ...questions(stage.prefix, watched).flatMap(({ asks, graphs }): IWidget[][] => [
          [new TextWidget({ markdown: `## ${asks}`, width: 24, height: 1 })],
          graphs.map(
            ({ title, metrics }) =>
              new GraphWidget({
                title,
                left: [...metrics],
                leftYAxis: { min: 0 },
                width: 24 / graphs.length,
                height: 6,
              }),
          ),
        ]),
      ],
    });
  }
}

function questions(prefix: string, watched: Watched): readonly Question[] {
  const { apis, functions, queues, deadLetterQueues, tables } = watched;
  /** Removes the stage's prefix from labels, because legends are narrow. */
  const called = (name: string, metric: Metric) => metric.with({ label: name.slice(prefix.length + 1) });
  const own = (name: Parameters<typeof ownMetric>[1], statistic?: string) => ownMetric(prefix, name, statistic);
  return [
    ...apis.map(({ title, apiId }) => ({
      asks: `Do requests to ${title} succeed?`,
      graphs: [
        { title: 'Requests', metrics: [apiMetric('Count', apiId)] },
        { title: 'Responses with 4xx and 5xx', metrics: [apiMetric('4xx', apiId), apiMetric('5xx', apiId)] },
        {
          title: 'Response time, ms',
          metrics: [Stats.p(50), Stats.p(90), Stats.p(99)].map((statistic) => apiMetric('Latency', apiId, statistic)),
        },
      ],
    })),
    {
      asks: 'Does the console work?',
      graphs: [
        { title: 'Requests of the console', metrics: [edgeMetric('Requests')] },
        { title: 'Responses with 4xx and 5xx, %', metrics: [edgeMetric('4xxErrorRate'), edgeMetric('5xxErrorRate')] },
      ],
    },
    {
      asks: 'Do deliveries succeed?',
      graphs: [
        {
          title: 'Attempts by outcome',
          metrics: [own('AttemptsSucceeded'), own('AttemptsRetrying'), own('AttemptsFailed')],
        },
        {
          title: 'From the change to the first attempt, ms',
          metrics: [Stats.p(50), Stats.p(95), Stats.MAXIMUM].map((statistic) => own('EventToFirstAttempt', statistic)),
        },
        {
          title: 'Webhooks failing, disabled, recovered',
          metrics: [own('WebhooksFailing'), own('WebhooksDisabled'), own('WebhooksRecovered')],
        },
        {
          title: 'Platform faults, and what was sent again',
          metrics: [own('OwnFaults'), own('OutboxEventsOverdue'), own('DeliveriesOverdue')],
        },
      ],
    },
    {
      asks: 'Do events or messages wait?',
      graphs: [
        {
          title: 'Oldest event in the outbox, and lag of sweep-deliveries, s',
          metrics: [own('OldestOutboxEvent', Stats.MAXIMUM), own('SweepLag', Stats.MAXIMUM)],
        },
        {
          title: 'Age of the oldest message, s',
          metrics: queues.map(({ name }) => called(name, queueMetric('ApproximateAgeOfOldestMessage', name))),
        },
        {
          title: 'Waiting messages',
          metrics: queues.map(({ name }) => called(name, queueMetric('ApproximateNumberOfMessagesVisible', name))),
        },
        {
          title: 'Dead letters',
          metrics: deadLetterQueues.map((name) =>
            called(name, queueMetric('ApproximateNumberOfMessagesVisible', name)),
          ),
        },
      ],
    },
    {
      asks: 'Is a limit reached?',
      graphs: [
        { title: 'Concurrent functions, and throttles', metrics: [concurrencyMetric(), lambdaMetric('Throttles')] },
        { title: 'Crashes', metrics: functions.map((name) => called(name, lambdaMetric('Errors', name))) },
        {
          title: 'Throttled reads and writes',
          metrics: tables.flatMap(({ store, name }) => [
            tableMetric('ReadThrottleEvents', name, `${store}, reads`),
            tableMetric('WriteThrottleEvents', name, `${store}, writes`),
            ...Object.entries(indexes)
              .filter(([, { store: of }]) => of === store)
              .flatMap(([index]) => [
                tableMetric('ReadThrottleEvents', name, `${index}, reads`, index),
                tableMetric('WriteThrottleEvents', name, `${index}, writes`, index),
              ]),
          ]),
        },
      ],
    },
    {
      asks: 'What does it cost?',
      graphs: [
        { title: 'Dollars in five minutes, estimated, without logs and traces', metrics: dollars(watched) },
        {
          title: 'Capacity units by table',
          metrics: tables.flatMap(({ store, name }) => [
            tableMetric('ConsumedReadCapacityUnits', name, `${store}, reads`),
            tableMetric('ConsumedWriteCapacityUnits', name, `${store}, writes`),
          ]),
        },
      ],
    },
  ];
}

/** Estimates the cost: each service by its main price, and all functions with the largest memory size. */
function dollars({ apis, queues, tables }: Watched): IMetric[] {
  const units = (name: 'ConsumedReadCapacityUnits' | 'ConsumedWriteCapacityUnits') =>
    tables.map(({ store, name: table }) => tableMetric(name, table, store));
  const each = (price: number) => (names: readonly string[]) => `${sum(names)} * ${price} / 1000000`;
  return [
    formula(units('ConsumedWriteCapacityUnits'), each(prices.writeUnit), 'Writes', 'w'),
    formula(units('ConsumedReadCapacityUnits'), each(prices.readUnit), 'Reads', 'r'),
    formula(
      apis.map(({ apiId }) => apiMetric('Count', apiId)),
      each(prices.httpRequest),
      'Requests',
      'a',
    ),
    formula(
      queues.map(({ name }) => queueMetric('NumberOfMessagesSent', name, Stats.SUM)),
      // Each message is sent, received and deleted.
      each(3 * prices.queueRequest),
      'Queues',
      'q',
    ),
    formula(
      [lambdaMetric('Duration'), lambdaMetric('Invocations')],
      ([duration, invocations]) =>
        `(${duration} / 1000 * 0.5 * ${prices.gigabyteSecond} + ${invocations} * ${prices.invocation}) / 1000000`,
      'Functions of the account',
      'f',
    ),
  ];
}

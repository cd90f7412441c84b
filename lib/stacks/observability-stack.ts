/** Alarms and a dashboard for everything that the other stacks made from the tables. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { limits } from '../../contract/limits.ts';
import { type Queue as QueueRow, queues } from '../../contract/queues.ts';
import { type AlarmRow, Alarms } from '../constructs/alarms.ts';
import { OperationsDashboard, type Watched } from '../constructs/operations-dashboard.ts';
import { feedsItself } from '../constructs/queue-consumer.ts';
import { apiMetrics, functionMetrics, queueMetrics } from '../metrics.ts';
import { pascalCase } from '../names.ts';
import type { Stage } from '../stage.ts';

export interface ObservabilityStackProps extends StackProps {
  readonly stage: Stage;
  readonly watched: Watched;
}

export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { stage, watched, ...props }: ObservabilityStackProps) {
    super(scope, id, props);
    const alarms = new Alarms(this, 'Alarms');
    const idOf = (name: string) => pascalCase(name.slice(stage.prefix.length + 1));
    for (const row of alarmsFor(stage, watched, idOf)) alarms.add(row);
    new OperationsDashboard(this, 'Operations', { stage, watched });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
  }
}

function alarmsFor(stage: Stage, watched: Watched, idOf: (name: string) => string): AlarmRow[] {
  return [
    ...watched.deadLetterQueues.map(({ name, meaning }) => ({
      id: `${idOf(name)}Depth`,
      description: `${name} holds ${meaning}`,
      metric: queueMetrics.visible(name),
      atLeast: 1,
    })),
    ...watched.functions.flatMap((name) => [
      {
        id: `${idOf(name)}Errors`,
        description: `${name} crashed, ran out of time or memory. Its log has the cause.`,
        metric: functionMetrics.errors(name),
        atLeast: 1,
      },
      {
        id: `${idOf(name)}Throttles`,
        description: `${name} was throttled: the account's concurrency is used up.`,
        metric: functionMetrics.throttles(name),
        atLeast: 1,
      },
    ]),
    ...watched.streamFunctions.map((name) => ({
      id: `${idOf(name)}IteratorAge`,
      description: `${name} is behind by a minute or more: events reach their webhooks late.`,
      metric: functionMetrics.iteratorAgeMs(name),
      atLeast: 60_000,
      periods: 3,
    })),
    ...Object.entries<QueueRow>(queues).map(([name, row]) => ({
      id: `${pascalCase(name)}Age`,
      description: `Messages wait in ${stage.prefix}-${name} for minutes longer than they were delayed.`,
      metric: queueMetrics.ageOfOldestSeconds(`${stage.prefix}-${name}`),
      // A message on its way to a later attempt may lawfully rest for one hop.
      atLeast: 300 + (feedsItself(name, row) ? limits.queueDelaySecondsMax : 0),
      periods: 3,
    })),
    ...watched.apis.map(({ title, apiId }) => ({
      id: `${pascalCase(title)}ServerErrors`,
      description: `${title} answers 5xx.`,
      metric: apiMetrics.serverErrors(apiId),
      atLeast: 5,
    })),
  ];
}

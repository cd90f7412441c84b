/** One page for whoever operates the stage: requests, the pipeline's queues, what died, what failed. */
import { Aws } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { apiMetrics, functionMetrics, queueMetrics } from '../metrics.ts';
import type { Stage } from '../stage.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';

/** Everything that is watched, by physical name. */
export interface Watched {
  /** The gateways by title. */
  readonly apis: readonly { readonly title: string; readonly apiId: string }[];
  readonly functions: readonly string[];
  readonly streamFunctions: readonly string[];
  readonly queues: readonly string[];
  readonly deadLetterQueues: readonly Pick<DeadLetterQueue, 'name' | 'meaning'>[];
}

export interface OperationsDashboardProps {
  readonly stage: Stage;
  readonly watched: Watched;
}

export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, { stage, watched }: OperationsDashboardProps) {
    super(scope, id);
    new Dashboard(this, 'Dashboard', {
      // Dashboards are named for the account, and a stage may stand in two of its regions.
      dashboardName: `${stage.prefix}-${Aws.REGION}`,
      widgets: [
        ...watched.apis.map(({ title, apiId }) => [
          graph(`${title}: requests`, [
            apiMetrics.requests(apiId),
            apiMetrics.clientErrors(apiId),
            apiMetrics.serverErrors(apiId),
          ]),
          graph(`${title}: latency p99, ms`, [apiMetrics.latency(apiId)]),
        ]),
        [
          graph('Waiting messages', watched.queues.map(queueMetrics.visible)),
          graph('Age of the oldest message, s', watched.queues.map(queueMetrics.ageOfOldestSeconds)),
        ],
        [
          graph(
            'Dead letters',
            watched.deadLetterQueues.map(({ name }) => queueMetrics.visible(name)),
          ),
          graph('Age of the outbox stream, ms', watched.streamFunctions.map(functionMetrics.iteratorAgeMs)),
        ],
        [
          graph('Function errors', watched.functions.map(functionMetrics.errors)),
          graph('Function duration p99, ms', watched.functions.map(functionMetrics.duration)),
        ],
      ],
    });
  }
}

function graph(title: string, left: IMetric[]): IWidget {
  return new GraphWidget({ title, left, width: 12, height: 6 });
}

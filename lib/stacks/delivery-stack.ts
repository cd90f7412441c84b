/**
 * The pipeline from an event in the outbox to a signed request (docs/rules.md#pipeline), derived from its three tables.
 */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { noticesQueue, type QueueName, type Queue as QueueRow, queues } from '../../contract/system/queues.ts';
import { type Schedule, schedules } from '../../contract/system/schedules.ts';
import { type Stream, streams } from '../../contract/system/streams.ts';
import type { Bundles } from '../bundle.ts';
import { Canaries } from '../constructs/canaries.ts';
import { Egress } from '../constructs/egress.ts';
import { EventRoute } from '../constructs/event-route.ts';
import type { Resources } from '../constructs/needs.ts';
import { Notices } from '../constructs/notices.ts';
import type { Watched } from '../constructs/operations-dashboard.ts';
import { QueueConsumer } from '../constructs/queue-consumer.ts';
import { ScheduledFunction } from '../constructs/scheduled-function.ts';
import type { Stores } from '../constructs/stores.ts';
import { StreamConsumer } from '../constructs/stream-consumer.ts';
import { WorkQueue } from '../constructs/work-queue.ts';
import { pascalCase } from '../names.ts';
import type { Stage } from '../stage.ts';

interface DeliveryStackProps extends StackProps {
  readonly stage: Stage;
  readonly bundles: Bundles;
  readonly stores: Stores;
  /** Whether receivers are called from fixed addresses. */
  readonly fixedEgress: boolean;
  /** The sender address of notices. Without it no emails are sent. */
  readonly mailFrom: string | undefined;
  /** The origin of the pages of the edge, if they have a domain. */
  readonly pagesOrigin: string | undefined;
}

export class DeliveryStack extends Stack {
  /** The resources that functions of this and of other stacks may get access to. */
  readonly resources: Resources;
  /** The watched resources of this stack. */
  readonly watched: Pick<Watched, 'functions' | 'sweepers' | 'queues' | 'deadLetterQueues' | 'bus' | 'rule'>;

  constructor(scope: Construct, id: string, allProps: DeliveryStackProps) {
    const { stage, bundles, stores, fixedEgress, mailFrom, pagesOrigin, ...props } = allProps;
    super(scope, id, props);
    const queueRows = Object.entries<QueueRow>(queues) as [QueueName, QueueRow][];
    const work = Object.fromEntries(
      queueRows.map(([name, row]) => [name, new WorkQueue(this, `${pascalCase(name)}Queue`, { stage, name, row })]),
    ) as Record<QueueName, WorkQueue>;
    const route = new EventRoute(this, 'EventRoute', { stage, target: work.events });

    this.resources = {
      tables: stores.tables,
      secretsKey: stores.secretsKey,
      queues: Object.fromEntries(queueRows.map(([name]) => [name, work[name].queue])) as Record<QueueName, Queue>,
      bus: route.bus,
      egress: fixedEgress ? new Egress(this, 'Egress', { stage }) : undefined,
      pagesOrigin,
    };
    const common = { stage, bundles, resources: this.resources };

    const consumers = queueRows.map(
      ([name, row]) =>
        new QueueConsumer(this, `${pascalCase(name)}Consumer`, { ...common, name, row, source: work[name] }),
    );
    const relays = Object.entries<Stream>(streams).map(
      ([operation, row]) => new StreamConsumer(this, pascalCase(operation), { ...common, operation, row }),
    );
    const timers = Object.entries<Schedule>(schedules).map(
      ([operation, row]) => new ScheduledFunction(this, pascalCase(operation), { ...common, operation, row }),
    );

    const notices =
      mailFrom === undefined
        ? undefined
        : new Notices(this, 'Notices', { ...common, bus: route.bus as IEventBus, from: mailFrom });

    new Canaries(this, 'Canaries', {
      stage,
      functions: consumers.map((consumer) => ({ function: consumer.function, operation: consumer.function.name })),
    });
    const functions = [...consumers, ...relays, ...timers, ...(notices ? [notices.consumer] : [])].map(
      (row) => row.function,
    );
    this.#followRequest(
      stage,
      functions.map(({ logGroup }) => logGroup),
    );
    this.watched = {
      functions: functions.map(({ name }) => name),
      sweepers: timers.map((timer) => timer.function.name),
      queues: [
        ...queueRows.map(([name, { longestDelaySeconds }]) => ({ name: work[name].name, longestDelaySeconds })),
        ...(notices ? [{ name: notices.queue.name, longestDelaySeconds: noticesQueue.longestDelaySeconds }] : []),
      ],
      deadLetterQueues: [
        ...[...Object.values(work), route, ...(notices ? [notices.queue] : [])].map(({ dead }) => dead.name),
        ...(notices ? [notices.ruleDead.name] : []),
      ],
      bus: stage.prefix,
      rule: route.ruleName,
    };
  }

  /** The saved query of docs/runbooks/follow-a-request.md, into which the operator inserts the id. */
  #followRequest(stage: Stage, logGroups: ILogGroup[]): void {
    new QueryDefinition(this, 'FollowRequest', {
      queryDefinitionName: `${stage.prefix}/Follow a request`,
      queryString: new QueryString({
        fields: ['@timestamp', '@message'],
        filterStatements: ["@message like 'REQUEST_ID'"],
        sort: '@timestamp asc',
        limit: 100,
      }),
      logGroups,
    });
  }
}

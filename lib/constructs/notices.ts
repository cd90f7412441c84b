/**
 * Emails about operational events (docs/rules.md#notices). The bus sends the events to a queue, and a function sends
 * emails about them with Amazon SES. The feedback of Amazon SES goes to the same queue. The construct exists only with
 * a sender address.
 */

import { EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { ConfigurationSet, ConfigurationSetTlsPolicy, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { noticeKinds } from '../../contract/notice-kinds.ts';
import { eventSource } from '../../contract/system/event-bus.ts';
import { noticesQueue } from '../../contract/system/queues.ts';
import { acknowledge } from '../acknowledgements.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { QueueConsumer } from './queue-consumer.ts';
import type { FunctionContext } from './row-function.ts';
import { WorkQueue } from './work-queue.ts';

interface NoticesProps extends FunctionContext {
  readonly bus: IEventBus;
  /** The sender address of the emails. */
  readonly from: string;
}

export class Notices extends Construct {
  readonly queue: WorkQueue;
  readonly ruleDead: DeadLetterQueue;
  readonly consumer: QueueConsumer;

  constructor(scope: Construct, id: string, { stage, bundles, resources, bus, from }: NoticesProps) {
    super(scope, id);
    const configurationSet = `${stage.prefix}-notices`;
    const set = new ConfigurationSet(this, 'Mails', {
      configurationSetName: configurationSet,
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
      // Suppressed addresses are recorded in our tables, where an owner sees and can change them.
      disableSuppressionList: true,
      reputationMetrics: true,
    });
    const defaultBus = EventBus.fromEventBusName(this, 'DefaultBus', 'default');
    set.addEventDestination('Returned', {
      destination: EventDestination.eventBus(defaultBus),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });

    this.queue = new WorkQueue(this, 'Queue', { stage, name: 'notices', row: noticesQueue });
    this.ruleDead = new DeadLetterQueue(this, 'RuleDead', { stage, of: 'notice-rules' });
    acknowledge(this.ruleDead.queue, 'isDeadLetterQueue');
    const targets = [new SqsQueue(this.queue.queue, { deadLetterQueue: this.ruleDead.queue })];
    new Rule(this, 'Operational', {
      description: 'Operational events go to the queue of notices',
      eventBus: bus,
      eventPattern: { source: [eventSource], detailType: [...noticeKinds] },
      targets,
    });
    // Amazon SES publishes only to the default bus.
    new Rule(this, 'Returned', {
      description: 'Bounces of and complaints about emails of notices go to their queue',
      eventBus: defaultBus,
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Email Bounced', 'Email Complaint Received'],
        detail: { mail: { tags: { 'ses:configuration-set': [configurationSet] } } },
      },
      targets,
    });

    this.consumer = new QueueConsumer(this, 'Consumer', {
      stage,
      bundles,
      resources: {
        ...resources,
        queues: { ...resources.queues, notices: this.queue.queue },
        mail: { from, configurationSet },
      },
      name: 'notices',
      row: noticesQueue,
      source: this.queue,
    });
  }
}

/**
 * Emails of what operational events tell (docs/rules.md#notices): from the bus into a queue, from there by a function to
 * Amazon SES, and what comes back from there into the same queue. It stands only where emails have a sender.
 */
import { EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { ConfigurationSet, ConfigurationSetTlsPolicy, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { eventSource } from '../../contract/system/event-bus.ts';
import { operationalEvents } from '../../contract/system/operational-events.ts';
import { noticesQueue } from '../../contract/system/queues.ts';
import { acknowledge } from '../acknowledgements.ts';
import type { Bundles } from '../bundle.ts';
import type { Stage } from '../stage.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Resources } from './needs.ts';
import { QueueConsumer } from './queue-consumer.ts';
import { WorkQueue } from './work-queue.ts';

interface NoticesProps {
  readonly stage: Stage;
  readonly bundles: Bundles;
  readonly resources: Resources;
  readonly bus: IEventBus;
  /** The address that emails are from. */
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
      // Who gets no more is on record here, where an owner sees it and can change it.
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
      eventPattern: { source: [eventSource], detailType: Object.keys(operationalEvents) },
      targets,
    });
    // Amazon SES knows this bus alone.
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

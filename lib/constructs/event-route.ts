/** The event bus, and the rule that sends every domain event to the queue of events. */
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { eventSource } from '../../contract/system/event-bus.ts';
import { acknowledge } from '../acknowledgements.ts';
import type { Stage } from '../stage.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { WorkQueue } from './work-queue.ts';

interface EventRouteProps {
  readonly stage: Stage;
  readonly target: WorkQueue;
}

export class EventRoute extends Construct {
  readonly bus: EventBus;
  readonly dead: DeadLetterQueue;
  readonly ruleName: string;

  constructor(scope: Construct, id: string, { stage, target }: EventRouteProps) {
    super(scope, id);
    this.ruleName = `${stage.prefix}-events`;
    this.bus = new EventBus(this, 'Bus', { eventBusName: stage.prefix });
    this.dead = new DeadLetterQueue(this, 'Dead', { stage, of: 'event-rule' });
    acknowledge(this.dead.queue, 'isDeadLetterQueue');
    new Rule(this, 'Rule', {
      ruleName: this.ruleName,
      description: 'Every event of the domain goes to the queue that plans deliveries',
      eventBus: this.bus,
      eventPattern: { source: [eventSource] },
      targets: [new SqsQueue(target.queue, { deadLetterQueue: this.dead.queue })],
    });
  }
}

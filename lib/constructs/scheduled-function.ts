/** The function of a schedule row and the rule that runs it. */
import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { fileName } from '../../contract/integration/api.ts';
import type { Schedule as ScheduleRow } from '../../contract/system/schedules.ts';
import { settingsOf } from '../context.ts';
import { handlerOf } from '../handlers.ts';
import { type FunctionContext, RowFunction } from './row-function.ts';

interface ScheduledFunctionProps extends FunctionContext {
  readonly operation: string;
  readonly row: ScheduleRow;
}

export class ScheduledFunction extends Construct {
  readonly function: RowFunction;

  constructor(scope: Construct, id: string, { operation, row, ...common }: ScheduledFunctionProps) {
    super(scope, id);
    this.function = new RowFunction(this, 'Run', {
      ...common,
      name: fileName(operation),
      handler: handlerOf.schedule(operation),
      row,
    });
    const interval = Duration.minutes(row.everyMinutes);
    // Lambda would retry a failed run twice, and a throttled run for six hours, concurrently with later runs, which do
    // the same work.
    this.function.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: interval });
    new Rule(this, 'Rule', {
      description: row.summary,
      enabled: !settingsOf(this.node).isPassive,
      schedule: Schedule.rate(interval),
      // A run that is late by an interval is replaced by the next run.
      targets: [new LambdaFunction(this.function.lambda, { retryAttempts: 2, maxEventAge: interval })],
    });
  }
}

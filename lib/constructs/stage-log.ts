/** A log group with the retention of its stage. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

interface StageLogProps {
  readonly stage: Stage;
  /** Without a name a log that outlives its stack does not conflict with a new stack. */
  readonly name?: string;
}

export class StageLog extends LogGroup {
  constructor(scope: Construct, id: string, { stage, name }: StageLogProps) {
    super(scope, id, {
      ...(name !== undefined && { logGroupName: name }),
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepsLogs ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
  }
}

/**
 * New versions of functions reach a tenth of the calls first. CodeDeploy gives them the rest five minutes later, or takes
 * them back when the alarm sounds meanwhile.
 */
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import type { RowFunction } from './row-function.ts';

export interface CanariesProps {
  readonly functions: readonly RowFunction[];
  /** Rises when a new version is bad. Read by the minute, so that it sounds within the five. */
  readonly failures: IMetric;
  readonly atLeast: number;
}

export class Canaries extends Construct {
  constructor(scope: Construct, id: string, { functions, failures, atLeast }: CanariesProps) {
    super(scope, id);
    const alarm = new Alarm(this, 'Failures', {
      alarmDescription: 'A new version fails: CodeDeploy takes it back. What to do: docs/runbooks/rollback.md',
      metric: failures,
      threshold: atLeast,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const application = new LambdaApplication(this, 'Application');
    for (const { node, alias } of functions) {
      if (!alias) continue;
      const group = new LambdaDeploymentGroup(this, node.path.split('/').slice(1).join(''), {
        application,
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [alarm],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
      acknowledge(group, 'managedByCodeDeploy');
    }
  }
}

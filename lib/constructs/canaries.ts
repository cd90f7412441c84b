/**
 * Canary deployments: new versions of functions get a tenth of the calls first. CodeDeploy shifts all other calls five
 * minutes later, or rolls back if the alarm is raised before. Only failures of the new versions count: failures of
 * other routes or of the previous version roll nothing back.
 */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import { ownMetric, sumOf, versionErrors } from '../metrics.ts';
import type { Stage } from '../stage.ts';
import { CountedLines } from './counted-lines.ts';
import type { RowFunction } from './row-function.ts';

interface CanariesProps {
  readonly stage: Stage;
  /** The functions to deploy. Those without an alias are skipped. */
  readonly functions: readonly CanaryFunction[];
  /** The log of 500 responses: functions of an API catch errors that would be a crash elsewhere. */
  readonly answers?: ILogGroup;
}

interface CanaryFunction {
  readonly function: RowFunction;
  /** The operation as the log lines name it. */
  readonly operation: string;
}

export class Canaries extends Construct {
  constructor(scope: Construct, id: string, { stage, functions, answers }: CanariesProps) {
    super(scope, id);
    const moving = functions.flatMap(({ operation, function: { name, node, alias, version } }) =>
      alias && version !== undefined ? [{ operation, name, path: node.path, alias, version }] : [],
    );
    if (moving.length === 0) return;
    const bugs =
      answers &&
      new CountedLines(this, 'Bugs', {
        stage,
        logGroup: answers,
        name: 'CanaryErrors',
        pattern: `{ ($.code = "internal_error") && (${moving
          .map(({ operation, version }) => `(($.operation = "${operation}") && ($.version = "${version}"))`)
          .join(' || ')}) }`,
      });
    const failures = [
      ...moving.map(({ name, alias, version }) => versionErrors(name, alias.aliasName, version)),
      ...(bugs ? [ownMetric(stage.prefix, 'CanaryErrors')] : []),
    ];
    const alarm = new Alarm(this, 'Failures', {
      alarmDescription: 'A new version fails: CodeDeploy takes it back. What to do: docs/runbooks/rollback.md',
      metric: sumOf(failures, 'Crashes and bugs').with({ period: Duration.minutes(1) }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    // The metric filter must exist before the new version gets its first call.
    if (bugs) alarm.node.addDependency(bugs);
    const application = new LambdaApplication(this, 'Application');
    for (const { path, alias } of moving) {
      const group = new LambdaDeploymentGroup(this, path.split('/').slice(1).join(''), {
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

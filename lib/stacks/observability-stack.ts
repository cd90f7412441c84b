/** Alarms and a dashboard for all resources that the other stacks create from the tables. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { alarmRows } from '../alarm-rows.ts';
import { Alarms } from '../constructs/alarms.ts';
import { OperationsDashboard, type Watched } from '../constructs/operations-dashboard.ts';
import type { Stage } from '../stage.ts';

interface ObservabilityStackProps extends StackProps {
  readonly stage: Stage;
  readonly watched: Watched;
  /** The address that receives every alarm. */
  readonly alarmEmail: string | undefined;
  /** The monthly budget in US dollars for resources with the stage's tag. */
  readonly monthlyBudget: number | undefined;
  /** Whether the tables are copied to another account. */
  readonly isCopied: boolean;
}

export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    const { stage, watched, alarmEmail, monthlyBudget, isCopied, ...stackProps } = props;
    super(scope, id, stackProps);
    const alarms = new Alarms(this, 'Alarms', { rows: alarmRows(stage.prefix, watched), email: alarmEmail });
    new OperationsDashboard(this, 'Operations', { stage, watched, alarms: alarms.all });
    if (monthlyBudget !== undefined) this.#budget(stage, monthlyBudget, alarms.topics.notice.topicArn);
    if (isCopied) this.#failedCopies(stage, alarms.topics.warning);
  }

  /** Reports every backup and every copy that ends without success. The metrics of AWS Backup do not name the stage. */
  #failedCopies({ prefix }: Stage, topic: Topic): void {
    const vault = [{ wildcard: `*:backup-vault:${prefix}-*` }];
    const rule = new Rule(this, 'FailedCopies', {
      description: 'Backups and copies in another account that failed',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change', 'Copy Job State Change'],
        detail: {
          state: ['FAILED', 'ABORTED', 'EXPIRED'],
          $or: [{ backupVaultArn: vault }, { sourceBackupVaultArn: vault }],
        },
      },
    });
    const job = EventField.fromPath('$.detail');
    const message = RuleTargetInput.fromText(
      `A nightly copy of a table failed. What to do: docs/runbooks/restore.md, "Restore from another account". ${job}`,
    );
    // Without a role, the topic would also accept messages from rules of other AWS accounts.
    rule.addTarget(new SnsTopic(topic, { message, authorizeUsingRole: true }));
  }

  /** Sends a notice when a month's forecast exceeds the budget, and when 80 % of it are spent. */
  #budget(stage: Stage, dollars: number, topicArn: string): void {
    const notify = (notificationType: string, threshold: number) => ({
      notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold, thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: topicArn }],
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
        costFilters: { TagKeyValue: [`user:stage$${stage.name}`] },
      },
      notificationsWithSubscribers: [notify('FORECASTED', 100), notify('ACTUAL', 80)],
    });
  }
}

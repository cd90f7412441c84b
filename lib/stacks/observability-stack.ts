/** Alarms and a dashboard for all resources that the other stacks create from the tables. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
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
}

export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    const { stage, watched, alarmEmail, monthlyBudget, ...stackProps } = props;
    super(scope, id, stackProps);
    const alarms = new Alarms(this, 'Alarms', { rows: alarmRows(stage.prefix, watched), email: alarmEmail });
    new OperationsDashboard(this, 'Operations', { stage, watched, alarms: alarms.all });
    if (monthlyBudget !== undefined) this.#budget(stage, monthlyBudget, alarms.topics.notice.topicArn);
  }

  /** Sends notifications when half a month's forecast, and when the money spent, reaches the limit. */
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

/** Alarms that all go to one topic, and that treat silence as health: an idle system sends no metrics. */
import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

export interface AlarmRow {
  readonly id: string;
  /** What it means and what to look at, for whoever is woken by it. */
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm sounds at this value and above. */
  readonly atLeast: number;
  /** Periods in a row. */
  readonly periods?: number;
}

export class Alarms extends Construct {
  readonly topic: Topic;
  readonly #actions: SnsAction;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A policy of its own replaces the topic's default one, which let the account's alarms publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    this.#actions = new SnsAction(this.topic);
  }

  add({ id, description, metric, atLeast, periods = 1 }: AlarmRow): void {
    new Alarm(this, id, {
      alarmDescription: description,
      metric,
      threshold: atLeast,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    }).addAlarmAction(this.#actions);
  }
}

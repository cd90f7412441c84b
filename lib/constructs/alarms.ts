/** An alarm for each row, and one topic for each severity. */
import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmRow, type Severity, severities } from '../alarm-rows.ts';
import { pascalCase } from '../names.ts';

interface AlarmsProps {
  readonly rows: readonly AlarmRow[];
  /** This address gets alarms of every severity. To receive only one severity, subscribe to its topic. */
  readonly email: string | undefined;
}

export class Alarms extends Construct {
  readonly topics: Readonly<Record<Severity, Topic>>;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { rows, email }: AlarmsProps) {
    super(scope, id);
    this.topics = Object.fromEntries(severities.map((name) => [name, this.#topic(name, email)])) as Record<
      Severity,
      Topic
    >;
    this.all = rows.map((row) => {
      const alarm = new Alarm(this, pascalCase(row.name), {
        alarmDescription: `${row.description} What to do: docs/runbooks/${row.name}.md`,
        metric: row.metric,
        threshold: row.atLeast,
        evaluationPeriods: row.periods ?? 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: row.mustReport ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
      const action = new SnsAction(this.topics[row.severity]);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    });
  }

  #topic(severity: Severity, email: string | undefined): Topic {
    const topic = new Topic(this, pascalCase(severity), { enforceSSL: true });
    // A topic policy of our own replaces the default one, which allowed the account's alarms to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: ['cloudwatch', 'budgets'].map((service) => new ServicePrincipal(`${service}.amazonaws.com`)),
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (email) topic.addSubscription(new EmailSubscription(email));
    new CfnOutput(Stack.of(this), `${pascalCase(severity)}TopicArn`, { value: topic.topicArn });
    return topic;
  }
}

/** Every resource type that the local run supports. Any other type stops the start. */
import { bucketKinds } from './buckets.ts';
import { distributionKinds } from './distributions.ts';
import { tableKinds } from './dynamodb.ts';
import { eventBusKinds } from './event-bus.ts';
import { eventSourceKinds } from './event-source-mapping.ts';
import { functionKinds } from './functions.ts';
import { httpApiKinds } from './http-api.ts';
import { ignoredKind, type Kind } from './kind.ts';
import { mailKinds } from './mails.ts';
import { policyKinds } from './policies.ts';
import { scheduleKinds } from './schedules.ts';
import { queueKinds } from './sqs.ts';
import { userPoolKinds } from './user-pools.ts';

/** Types for monitoring, logging and naming, which have no effect in a local run. */
const ignoredKinds: readonly Kind[] = [
  ignoredKind('AWS::CDK::Metadata'),
  ignoredKind('AWS::CloudWatch::Alarm', 'AlarmName'),
  ignoredKind('AWS::CloudWatch::CompositeAlarm', 'AlarmName'),
  ignoredKind('AWS::CloudWatch::Dashboard', 'DashboardName'),
  ignoredKind('AWS::KMS::Alias', 'AliasName'),
  // Asynchronous invocations are not retried here.
  ignoredKind('AWS::Lambda::EventInvokeConfig'),
  ignoredKind('AWS::Logs::MetricFilter'),
  ignoredKind('AWS::CloudFormation::WaitConditionHandle'),
  ignoredKind('AWS::Logs::QueryDefinition'),
  ignoredKind('AWS::Logs::ResourcePolicy'),
  ignoredKind('AWS::SNS::Topic', 'TopicName'),
  ignoredKind('AWS::Cognito::ManagedLoginBranding'),
  ignoredKind('AWS::SNS::TopicPolicy'),
];

export const resourceKinds: readonly Kind[] = [
  ...bucketKinds,
  ...distributionKinds,
  ...eventBusKinds,
  ...eventSourceKinds,
  ...functionKinds,
  ...httpApiKinds,
  ...ignoredKinds,
  ...mailKinds,
  ...policyKinds,
  ...queueKinds,
  ...scheduleKinds,
  ...tableKinds,
  ...userPoolKinds,
];

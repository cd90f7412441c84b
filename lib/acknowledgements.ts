/**
 * Every finding of cdk-nag that is accepted, with its reason. A finding that is not listed here fails the synth. An
 * acknowledgement belongs to one resource, so that the same finding on another resource is still reported.
 */
import { Stack, Token, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

const reasons = {
  unscopedAction: {
    rules: ['AwsSolutions-IAM5[Resource::*]'],
    reason:
      'IAM can grant PutTraceSegments and PutTelemetryRecords of X-Ray, ListStreams of DynamoDB, and the network interfaces of a function in a VPC only for all resources (*).',
  },
  managedByCodeDeploy: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    ],
    reason:
      'The CDK adds this AWS managed policy to every role for CodeDeploy. The policy allows CodeDeploy to move aliases and to read alarms.',
  },
  managedByBackup: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    ],
    reason: 'AWS maintains this policy for AWS Backup, and adds an action when AWS Backup needs it.',
  },
  isDeadLetterQueue: {
    rules: ['AwsSolutions-SQS3'],
    reason:
      'This queue is the dead-letter queue of an EventBridge rule; cdk-nag recognises only dead-letter queues of other queues.',
  },
  attemptsAreLogged: {
    rules: ['AwsSolutions-VPC7'],
    reason:
      'This VPC carries only requests to receivers, and each of them already has a delivery record and a log line.',
  },
  pagesAreLoggedNowhere: {
    rules: ['AwsSolutions-S1', 'AwsSolutions-CFR3'],
    reason:
      'Pages and scripts are the same for every visitor, and the account API logs what an owner does. A log of the IP addresses of visitors would be personal data without a use.',
  },
  requestsAreLoggedBehind: {
    rules: ['AwsSolutions-CFR3'],
    reason:
      'The gateway behind this distribution logs every request without the IP address of its caller. A log of CloudFront would add this address.',
  },
  operatorsChoice: {
    rules: ['AwsSolutions-CFR1', 'AwsSolutions-CFR2'],
    reason:
      'Owners may be in any country, and an operator who wants to pay for a web ACL can attach one with a setting.',
  },
  changedWithBothEnds: {
    rules: ['AwsSolutions-SMG4'],
    reason:
      'CloudFront and the functions read the secret when they are deployed. After an automatic rotation, the functions would refuse the requests of CloudFront.',
  },
  nobodySignsInHere: {
    rules: ['AwsSolutions-COG8'],
    reason:
      'Only developers sign in to a development stage, and protection against stolen passwords costs money for each user.',
  },
  certificateOfCloudFront: {
    rules: ['AwsSolutions-CFR4'],
    reason:
      "Without the operator's own domain, the distribution uses the default certificate of CloudFront, which allows no choice of the minimum TLS version.",
  },
  hostIsMovedHere: {
    rules: ['Annotation::@aws-cdk/aws-cloudfront:emptyDomainNames'],
    reason:
      'The host name belongs to the distribution of the first region, and is moved to this distribution when the first region is lost.',
  },
  nothingIsListed: {
    rules: ['Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk'],
    reason:
      'The path / has a page of its own, and no query string reaches the bucket, so nobody can list its files, which are all public.',
  },
  publisherOfTheCdk: {
    rules: [
      'AwsSolutions-L1',
      ...[
        'Action::s3:Abort*',
        'Action::s3:DeleteObject*',
        'Action::s3:GetBucket*',
        'Action::s3:GetObject*',
        'Action::s3:List*',
        'Resource::*',
        'Resource::<Pages127DFD1A.Arn>/*',
        'Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*',
      ].map((what) => `AwsSolutions-IAM5[${what}]`),
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    ],
    reason:
      'The CDK defines this function, its runtime and its permissions: to read the deployed files, to write the bucket, and to invalidate caches. The function runs only during deployments.',
  },
} as const;

export function acknowledge(construct: IConstruct, name: keyof typeof reasons): void {
  const { rules, reason } = reasons[name];
  const { region, partition } = Stack.of(construct);
  // If a setting names the region, some findings name it too.
  const named = (rule: string) => rule.replace('<AWS::Region>', region).replace('<AWS::Partition>', partition);
  const found = Token.isUnresolved(region) ? rules : rules.flatMap((rule) => [...new Set([rule, named(rule)])]);
  Validations.of(construct).acknowledge(...found.map((id) => ({ id, reason })));
}

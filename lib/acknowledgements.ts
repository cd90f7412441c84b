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
      'PutTraceSegments and PutTelemetryRecords of X-Ray, ListStreams of DynamoDB, and the network interfaces of a function in a network of its own know no resource: IAM grants them on * or not at all.',
  },
  managedByCodeDeploy: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    ],
    reason:
      'The construct of the CDK gives CodeDeploy the policy that AWS keeps for it, which lets it move aliases and read alarms, and adds it to any role that is given.',
  },
  managedByBackup: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    ],
    reason: 'AWS keeps the policy for its backup service, and changes it when the service needs another action.',
  },
  isDeadLetterQueue: {
    rules: ['AwsSolutions-SQS3'],
    reason: 'It is itself the dead-letter queue of a rule, which cdk-nag does not look at.',
  },
  attemptsAreLogged: {
    rules: ['AwsSolutions-VPC7'],
    reason:
      'Nothing goes through this network but requests to receivers, and each of them is a record and in a line of the log already.',
  },
  pagesAreLoggedNowhere: {
    rules: ['AwsSolutions-S1', 'AwsSolutions-CFR3'],
    reason:
      'The pages and scripts are the same for everybody; what an owner does is a line in the log of the account API, and a log of addresses that asked for a page would be personal data without a use.',
  },
  requestsAreLoggedBehind: {
    rules: ['AwsSolutions-CFR3'],
    reason:
      'The gateway behind it logs every request that passes, without the address of its caller, which a log of the edge would add.',
  },
  operatorsChoice: {
    rules: ['AwsSolutions-CFR1', 'AwsSolutions-CFR2'],
    reason: 'Owners may be anywhere, and a web ACL is attached with a setting where an operator wants to pay for one.',
  },
  changedWithBothEnds: {
    rules: ['AwsSolutions-SMG4'],
    reason:
      'Both ends read the secret when they are deployed: a rotation by itself would cut the edge off from the functions.',
  },
  nobodySignsInHere: {
    rules: ['AwsSolutions-COG8'],
    reason:
      'Those who sign in on a stage for development are its developers, and protection against stolen passwords is paid by head.',
  },
  certificateOfCloudFront: {
    rules: ['AwsSolutions-CFR4'],
    reason:
      "Without a domain of the operator's own the distribution has CloudFront's certificate, whose least version of TLS cannot be chosen.",
  },
  hostIsMovedHere: {
    rules: ['Annotation::@aws-cdk/aws-cloudfront:emptyDomainNames'],
    reason: 'The host is at the distribution of the first region, and is moved to this one when the region is lost.',
  },
  nothingIsListed: {
    rules: ['Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk'],
    reason:
      'The root has its page, and no query reaches the bucket, so that nobody gets the list of its files, all of which are public.',
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
      'The function that unpacks the pages is part of the CDK, which chooses its runtime and what it may do: read what is deployed, write the bucket, empty the caches. It runs during deployments alone.',
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

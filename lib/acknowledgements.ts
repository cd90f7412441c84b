/**
 * Every finding of cdk-nag that is accepted, with its reason. What is not listed here fails the synth. An
 * acknowledgement is laid on the one resource it speaks of, so that the same finding elsewhere is still found.
 */
import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

const reasons = {
  unscopedAction: {
    rules: ['AwsSolutions-IAM5[Resource::*]'],
    reason:
      'PutTraceSegments and PutTelemetryRecords of X-Ray, ListStreams of DynamoDB, and the network interfaces of a function in a network of its own know no resource: IAM grants them on * or not at all.',
  },
  keyCheckedInFunction: {
    rules: ['AwsSolutions-APIG4'],
    reason:
      'The function checks the API key and counts the limits in one conditional write, which an authorizer would double.',
  },
  managedByCodeDeploy: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    ],
    reason:
      'The construct of the CDK gives CodeDeploy the policy that AWS keeps for it, which lets it move aliases and read alarms, and adds it to any role that is given.',
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
} as const;

export function acknowledge(construct: IConstruct, name: keyof typeof reasons): void {
  const { rules, reason } = reasons[name];
  Validations.of(construct).acknowledge(...rules.map((id) => ({ id, reason })));
}

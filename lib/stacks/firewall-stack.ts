/**
 * A web ACL for the distributions, which must be in us-east-1. It blocks addresses with too many requests, and
 * addresses that AWS lists as attackers. The other stacks get its ARN as `-c webAclArn`.
 */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

/** The limit of an address; a server that calls with 30 keys at their limits stays below it. */
const requestsOfAnAddress = 10_000;
const windowSeconds = 300;

export class FirewallStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...stackProps }: StackProps & { readonly stage: Stage }) {
    super(scope, id, { ...stackProps, env: { region: 'us-east-1' } });
    const seen = (metricName: string) => ({
      metricName: `${stage.prefix}-${metricName}`,
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
    });
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: seen('firewall'),
      rules: [
        {
          name: 'rate-of-an-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              limit: requestsOfAnAddress,
              evaluationWindowSec: windowSeconds,
            },
          },
          visibilityConfig: seen('rate'),
        },
        {
          name: 'reputation',
          priority: 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
          },
          visibilityConfig: seen('reputation'),
        },
      ],
    });
    new CfnOutput(this, 'WebAclArn', { description: 'For -c webAclArn', value: acl.attrArn });
  }
}

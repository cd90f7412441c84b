/** The key of the secrets in the region of the replicas: a replica is encrypted with a key of its own region. */
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { secretsKeyAlias } from '../constructs/stores.ts';
import type { Stage } from '../stage.ts';

export class ReplicaKeyStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: StackProps & { readonly stage: Stage }) {
    super(scope, id, props);
    const key = new Key(this, 'SecretsKey', {
      description: 'Encrypts the replica of the signing secrets of webhooks',
      alias: secretsKeyAlias(stage),
      enableKeyRotation: true,
      removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    new CfnOutput(this, 'SecretsKeyArn', { description: 'For -c secretsKey', value: key.keyArn });
  }
}

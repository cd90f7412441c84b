/** All stateful resources: the four tables and the key of the secrets. */
import { CfnOutput, CfnWaitConditionHandle, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { stores } from '../../contract/system/needs.ts';
import { Stores, type StoresProps } from '../constructs/stores.ts';
import { tableOutput } from '../names.ts';

type DataStackProps = StackProps & StoresProps;

export class DataStack extends Stack {
  readonly stores: Stores;

  constructor(scope: Construct, id: string, { stage, existing, warm, replicaRegion, ...props }: DataStackProps) {
    super(scope, id, props);
    this.stores = new Stores(this, 'Stores', { stage, existing, warm, replicaRegion });
    // CloudFormation needs one resource in a stack, and this stack names the tables. The handle does and costs nothing.
    if (existing.secretsKeyArn && stores.every((store) => existing.tables[store]))
      new CfnWaitConditionHandle(this, 'Given');
    for (const store of stores) {
      new CfnOutput(this, tableOutput(store), { value: this.stores.tables[store].tableName });
    }
  }
}

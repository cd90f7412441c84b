/** The tables. They outlive their stack: deletion protection and `Retain` in every stage, and point-in-time recovery. */
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { indexes, type Store, stores } from '../../contract/needs.ts';
import { pascalCase } from '../names.ts';
import { type TableRow, tables } from '../tables.ts';

export class Stores extends Construct {
  readonly tables: Readonly<Record<Store, TableV2>>;
  readonly secretsKey: Key;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.secretsKey = new Key(this, 'SecretsKey', {
      description: 'Encrypts the signing secrets of webhooks',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const built = stores.map((store) => [store, this.#table(store, tables[store])] as const);
    this.tables = Object.fromEntries(built) as Record<Store, TableV2>;
  }

  #table(store: Store, row: TableRow): TableV2 {
    const table = new TableV2(this, pascalCase(store), {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      ...(row.sortKey && { sortKey: { name: 'sk', type: AttributeType.STRING } }),
      ...(row.timeToLive && { timeToLiveAttribute: row.timeToLive }),
      globalSecondaryIndexes: Object.entries(indexes)
        .filter(([, index]) => index.store === store)
        .map(([indexName, index]) => ({
          indexName,
          partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
          sortKey: { name: index.sortKey, type: AttributeType.STRING },
        })),
      // Both images are what a replica in another region asks for, and another kind later would be another stream.
      ...(row.stream && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    if (row.ownKey) encryptWith(this.secretsKey, table);
    return table;
  }
}

/** The construct takes a key of one's own only for a stack with a fixed region, and ours deploys to any. */
function encryptWith(key: Key, table: TableV2): void {
  const replica = 'Replicas.0.SSESpecification';
  (table.node.defaultChild as CfnGlobalTable).addPropertyOverride(replica, { KMSMasterKeyId: key.keyArn });
}

/**
 * The tables. If the stage keeps its data, they outlive their stack: deletion protection and `Retain`. All have
 * point-in-time recovery.
 */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  type ITableV2,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { indexes, type Store, stores } from '../../contract/system/needs.ts';
import type { ExistingStores, ExistingTable } from '../existing-tables.ts';
import { pascalCase } from '../names.ts';
import type { Stage } from '../stage.ts';
import { type TableRow, tables } from '../tables.ts';

/** Units per second that a table can serve immediately; a new table serves 4 000 writes and 12 000 reads. */
export interface WarmThroughput {
  readonly writes: number;
  readonly reads: number;
}

export interface StoresProps {
  readonly stage: Stage;
  readonly existing: ExistingStores;
  readonly warm: WarmThroughput | undefined;
  /** The region of the replicas. The stack then has a fixed region. */
  readonly replicaRegion: string | undefined;
}

/** The alias of the secrets' key in each region. */
export function secretsKeyAlias({ prefix }: Stage): string {
  return `${prefix}-secrets`;
}

export class Stores extends Construct {
  readonly tables: Readonly<Record<Store, ITableV2>>;
  readonly secretsKey: IKey;
  readonly #props: StoresProps;
  readonly #removalPolicy: RemovalPolicy;

  constructor(scope: Construct, id: string, props: StoresProps) {
    super(scope, id);
    const { stage, existing } = props;
    this.#props = props;
    this.#removalPolicy = stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.secretsKey = existing.secretsKeyArn
      ? Key.fromKeyArn(this, 'GivenSecretsKey', existing.secretsKeyArn)
      : new Key(this, 'SecretsKey', {
          description: 'Encrypts the signing secrets of webhooks',
          alias: secretsKeyAlias(stage),
          enableKeyRotation: true,
          // This cannot be changed later, costs nothing, and allows a second region to decrypt data of this one.
          multiRegion: true,
          removalPolicy: this.#removalPolicy,
        });
    const built = stores.map((store) => {
      const table = existing.tables[store];
      return [store, table ? this.#existingTable(store, table) : this.#table(store, tables[store])] as const;
    });
    this.tables = Object.fromEntries(built) as Record<Store, ITableV2>;
  }

  #existingTable(store: Store, { name, streamLabel }: ExistingTable): ITableV2 {
    const tableArn = Stack.of(this).formatArn({ service: 'dynamodb', resource: 'table', resourceName: name });
    return TableV2.fromTableAttributes(this, `Given${pascalCase(store)}`, {
      tableArn,
      ...(streamLabel && { tableStreamArn: `${tableArn}/stream/${streamLabel}` }),
    });
  }

  #table(store: Store, row: TableRow): TableV2 {
    const { stage, replicaRegion } = this.#props;
    const warm = this.#props.warm && {
      writeUnitsPerSecond: this.#props.warm.writes,
      readUnitsPerSecond: this.#props.warm.reads,
    };
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
          ...(warm && { warmThroughput: warm }),
        })),
      // A replica in another region needs both images, and a later change of the view type would create another stream.
      ...(row.stream && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      ...(warm && { warmThroughput: warm }),
      ...(replicaRegion !== undefined && { replicas: [{ region: replicaRegion }] }),
      deletionProtection: stage.keepsData,
      removalPolicy: this.#removalPolicy,
    });
    if (row.ownKey) this.#encrypt(table);
    return table;
  }

  /**
   * The construct accepts a customer managed key only in a stack with a fixed region, but this stack deploys to any.
   */
  #encrypt(table: TableV2): void {
    const { stage, replicaRegion: region } = this.#props;
    // The construct lists the replicas of other regions first.
    const replicaKey =
      region &&
      Stack.of(this).formatArn({ service: 'kms', region, resource: 'alias', resourceName: secretsKeyAlias(stage) });
    const keys = [...(replicaKey ? [replicaKey] : []), this.secretsKey.keyArn];
    for (const [i, KMSMasterKeyId] of keys.entries()) {
      (table.node.defaultChild as CfnGlobalTable).addPropertyOverride(`Replicas.${i}.SSESpecification`, {
        KMSMasterKeyId,
      });
    }
  }
}

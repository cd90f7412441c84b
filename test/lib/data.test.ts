import { describe, expect, test } from 'vitest';
import { indexes, stores } from '../../contract/system/needs.ts';
import { streams } from '../../contract/system/streams.ts';
import { stageNames } from '../../lib/stage.ts';
import { type Properties, synthesised } from '../support/synthesised.ts';

describe.each(stageNames)('on the stage %s', async (stage) => {
  const assembly = await synthesised(stage);
  const tables = assembly.ofType('AWS::DynamoDB::GlobalTable');
  const tableOf = (store: string) => tables.find(({ id }) => id.toLowerCase().startsWith(`stores${store}`));
  const replicasOf = (store: string) => (tableOf(store)?.properties.Replicas ?? []) as unknown as Properties[];

  test('A stage has exactly the tables keys, records, deliveries and secrets', () => {
    const names = tables.map(({ id }) => /^Stores([A-Z][a-z]+)/.exec(id)?.[1]);
    expect(names.sort()).toEqual(['Deliveries', 'Keys', 'Records', 'Secrets']);
  });

  test('Every table is kept when its stack is deleted, cannot be deleted by accident, and can be restored to any second', () => {
    for (const store of stores) {
      expect(tableOf(store)?.deletionPolicy, store).toBe('Retain');
      // cdk-nag does not check the second on a global table.
      expect(replicasOf(store), store).toMatchObject([
        { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      ]);
    }
  });

  test('Every DynamoDB table is encrypted and billed per request', () => {
    for (const store of stores) {
      expect(tableOf(store)?.properties, store).toMatchObject({
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        BillingMode: 'PAY_PER_REQUEST',
      });
    }
  });

  test('Every DynamoDB table has the partition key, sort key and indexes that the code uses', () => {
    const keySchema = (partitionKey: string, sortKey?: string) => [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      ...(sortKey ? [{ AttributeName: sortKey, KeyType: 'RANGE' }] : []),
    ];
    for (const store of stores) {
      const { KeySchema, GlobalSecondaryIndexes = [] } = tableOf(store)?.properties ?? {};
      expect(KeySchema, store).toEqual(store === 'keys' ? keySchema('pk') : keySchema('pk', 'sk'));
      const expected = Object.entries(indexes).filter(([, index]) => index.store === store);
      expect(GlobalSecondaryIndexes, store).toEqual(
        expected.map(([IndexName, { partitionKey, sortKey }]) => ({
          IndexName,
          KeySchema: keySchema(partitionKey, sortKey),
          Projection: { ProjectionType: 'ALL' },
        })),
      );
    }
  });

  test('Items in the tables `records` and `deliveries` expire at the time in their field `expiresAtSeconds`', () => {
    const expiry = { AttributeName: 'expiresAtSeconds', Enabled: true };
    expect(tableOf('records')?.properties.TimeToLiveSpecification).toEqual(expiry);
    expect(tableOf('deliveries')?.properties.TimeToLiveSpecification).toEqual(expiry);
    expect(tableOf('secrets')?.properties.TimeToLiveSpecification).toBeUndefined();
  });

  test('Exactly the tables whose changes trigger a function have a DynamoDB stream', () => {
    const streaming = stores.filter((store) => tableOf(store)?.properties.StreamSpecification);
    expect(streaming).toEqual([...new Set(Object.values(streams).map((row) => row.store))]);
    for (const store of streaming) {
      // A replica in another region needs this; changing it later would replace the stream, which is in use.
      expect(tableOf(store)?.properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    }
  });

  test('The table of secrets has its own KMS key, which is rotated, and kept when its stack is deleted', () => {
    const [key] = assembly.ofType('AWS::KMS::Key');
    expect(key?.properties).toMatchObject({ EnableKeyRotation: true, MultiRegion: true });
    expect(key?.deletionPolicy).toBe('Retain');
    const [alias] = assembly.ofType('AWS::KMS::Alias');
    expect(alias?.properties).toEqual({
      AliasName: `alias/booking-${stage}-secrets`,
      TargetKeyId: { 'Fn::GetAtt': [key?.id, 'Arn'] },
    });
    const specifications = Object.fromEntries(
      stores.map((store) => [store, replicasOf(store).map((replica) => replica.SSESpecification)]),
    );
    expect(specifications).toEqual({
      keys: [undefined],
      records: [undefined],
      deliveries: [undefined],
      secrets: [{ KMSMasterKeyId: { 'Fn::GetAtt': [key?.id, 'Arn'] } }],
    });
  });
});

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

  describe.each(stores)('%s', (store) => {
    test('A table is kept when its stack is deleted and cannot be deleted by accident', () => {
      expect(tableOf(store)?.deletionPolicy).toBe('Retain');
      for (const replica of replicasOf(store)) expect(replica.DeletionProtectionEnabled).toBe(true);
    });

    test('A table can be restored to any point in time', () => {
      // cdk-nag does not check this on a global table.
      expect(replicasOf(store)).toHaveLength(1);
      for (const replica of replicasOf(store)) {
        expect(replica.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
      }
    });

    test('Every table is encrypted and billed by use', () => {
      expect(tableOf(store)?.properties).toMatchObject({
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        BillingMode: 'PAY_PER_REQUEST',
      });
    });

    test('A table has the keys of core/table-keys.ts and the indexes of contract/system/needs.ts', () => {
      const properties = tableOf(store)?.properties;
      expect(properties?.KeySchema).toEqual([
        { AttributeName: 'pk', KeyType: 'HASH' },
        ...(store === 'keys' ? [] : [{ AttributeName: 'sk', KeyType: 'RANGE' }]),
      ]);
      const expected = Object.entries(indexes)
        .filter(([, index]) => index.store === store)
        .map(([IndexName, { partitionKey, sortKey }]) => ({
          IndexName,
          KeySchema: [
            { AttributeName: partitionKey, KeyType: 'HASH' },
            { AttributeName: sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        }));
      expect(properties?.GlobalSecondaryIndexes ?? []).toEqual(expected);
    });
  });

  test('Items in the tables `records` and `deliveries` expire at the time in their field `expiresAtSeconds`', () => {
    const expiry = { AttributeName: 'expiresAtSeconds', Enabled: true };
    expect(tableOf('records')?.properties.TimeToLiveSpecification).toEqual(expiry);
    expect(tableOf('deliveries')?.properties.TimeToLiveSpecification).toEqual(expiry);
    expect(tableOf('secrets')?.properties.TimeToLiveSpecification).toBeUndefined();
  });

  test('Only the tables whose changes trigger a function have a stream', () => {
    const streaming = stores.filter((store) => tableOf(store)?.properties.StreamSpecification);
    expect(streaming).toEqual([...new Set(Object.values(streams).map((row) => row.store))]);
    for (const store of streaming) {
      // A replica in another region needs this; changing it later would replace the stream, which is in use.
      expect(tableOf(store)?.properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    }
  });

  test('The table of secrets is encrypted with its own KMS key, which is rotated and kept', () => {
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

/** A second region: replicas of the tables, and a passive deployment. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stores } from '../../contract/system/needs.ts';
import { type Assembly, inside, type Json, type Properties, synthesised } from '../support/synthesised.ts';
import { passiveContext, variants } from '../support/variants.ts';

const replicas = variants.replicas.context;

const domains = {
  apiDomain: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
  apiEdgeCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
  consoleDomain: 'console.example.com',
  consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/2',
};

const { passive: _, ...tables } = passiveContext;
/** The region that takes over, before and after its activation. */
const [standby, activated] = [
  { ...domains, ...passiveContext },
  { ...domains, ...tables },
];

/** Resources that would act by themselves, or respond as in service. */
function inService(assembly: Assembly): readonly string[] {
  const named = (type: string, property: string, value: Json) =>
    assembly.ofType(type).filter(({ properties }) => properties[property] !== value);
  return [
    ...named('AWS::Lambda::EventSourceMapping', 'Enabled', false),
    ...assembly
      .ofType('AWS::Events::Rule')
      .filter(({ properties }) => properties.ScheduleExpression && properties.State !== 'DISABLED'),
    ...assembly
      .ofType('AWS::ApiGatewayV2::Stage')
      .filter((stage) => inside(stage, 'StageVariables', 'passive') !== 'true'),
  ].map(({ id }) => id);
}

test('Every table has a replica in the second region, with deletion protection and point-in-time recovery', async () => {
  const tables = (await synthesised('prod', replicas)).ofType('AWS::DynamoDB::GlobalTable');
  expect(tables).toHaveLength(stores.length);
  for (const { properties } of tables) {
    const all = properties.Replicas as unknown as Properties[];
    expect(all.map(({ Region }) => Region)).toEqual(['eu-west-1', 'eu-central-1']);
    for (const one of all) {
      expect(one).toMatchObject({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
    }
    expect(properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  }
});

test('Only a stage with a second region has an alarm for replication that is a minute behind', async () => {
  const behind = (of: Assembly) =>
    of.ofType('AWS::CloudWatch::Alarm').filter(({ properties }) => JSON.stringify(properties).includes('Replication'));
  const assembly = await synthesised('prod', replicas);
  const [alarm, ...more] = behind(assembly);
  expect(more).toEqual([]);
  expect(alarm?.properties.Threshold).toBe(60_000);
  const [measured] = inside<{ MetricStat: { Stat: string; Metric: Properties } }[]>(alarm, 'Metrics');
  expect(measured?.MetricStat).toMatchObject({ Stat: 'Maximum', Metric: { MetricName: 'ReplicationLatency' } });
  const dimensions = measured?.MetricStat.Metric.Dimensions as unknown as { Name: string; Value: Json }[];
  expect(dimensions.map(({ Name, Value }) => [Name, assembly.text('Observability', Value)])).toEqual([
    ['ReceivingRegion', 'eu-west-1'],
    ['TableName', expect.stringMatching(/^Data\.StoresRecords\w+$/)],
  ]);
  const page = /docs\/runbooks\/[a-z-]+\.md$/.exec(String(alarm?.properties.AlarmDescription))?.[0] ?? '';
  expect(existsSync(new URL(`../../${page}`, import.meta.url))).toBe(true);
  expect(behind(await synthesised('prod'))).toEqual([]);
});

test('A stage that uses restored tables and a second region has the alarm for late replication, and creates no table or key', async () => {
  const assembly = await synthesised('prod', { ...tables, ...replicas });
  const [behind] = assembly.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => id.includes('ReplicasBehind'));
  expect(JSON.stringify(behind?.properties)).toContain(tables.recordsTable);
  expect(['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key'].flatMap((type) => assembly.ofType(type))).toEqual([]);
});

test("The table of secrets is encrypted in each region with that region's own KMS key", async () => {
  const assembly = await synthesised('prod', replicas);
  const keys = assembly.ofType('AWS::KMS::Key');
  expect(keys.map(({ stack }) => stack).sort()).toEqual(['Data', 'ReplicaKey']);
  for (const { deletionPolicy } of keys) expect(deletionPolicy).toBe('Retain');
  const alias = assembly.ofType('AWS::KMS::Alias').find(({ stack }) => stack === 'ReplicaKey');
  const secrets = assembly.ofType('AWS::DynamoDB::GlobalTable').find(({ id }) => id.startsWith('StoresSecrets'));
  const encryptedWith = inside<Properties[]>(secrets, 'Replicas').map((one) =>
    assembly.text('Data', (one.SSESpecification as Properties).KMSMasterKeyId),
  );
  expect(encryptedWith).toEqual([
    `arn:aws:kms:eu-west-1:<AWS::AccountId>:${alias?.properties.AliasName}`,
    expect.stringMatching(/^Data\.StoresSecretsKey\w+\.Arn$/),
  ]);
});

test('Adding replicas in a second region changes no logical id of an existing stage', async () => {
  const ids = ({ resources }: Assembly) =>
    resources.filter(({ type }) => type !== 'AWS::Lambda::Version').map(({ stack, id }) => `${stack} ${id}`);
  const before = ids(await synthesised('prod'));
  const after = ids(await synthesised('prod', replicas));
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.filter((id) => !before.includes(id)).map((id) => id.split(' ')[0])).toEqual([
    'ReplicaKey',
    'ReplicaKey',
    'Observability',
  ]);
});

test('The passive deployment in a second region reads no queue or stream, runs no schedule, and refuses API requests', async () => {
  const passive = await synthesised('prod', standby);
  expect(inService(passive)).toEqual([]);
  expect(passive.ofType('AWS::DynamoDB::GlobalTable')).toEqual([]);
  expect(passive.ofType('AWS::KMS::Key')).toEqual([]);
  // A stack needs a resource, and commands need the stack to find the tables.
  expect(passive.resources.filter(({ stack }) => stack === 'Data')).toHaveLength(1);
  expect(passive.ofType('AWS::CloudWatch::Alarm').filter(({ stack }) => stack === 'Observability')).toEqual([]);
});

test('Negative control: the check for passive deployments reports every event source and schedule of an active deployment', async () => {
  const active = await synthesised('prod');
  const working = ['AWS::Lambda::EventSourceMapping', 'AWS::ApiGatewayV2::Stage'].flatMap((type) =>
    active.ofType(type),
  );
  const schedules = active.ofType('AWS::Events::Rule').filter(({ properties }) => properties.ScheduleExpression);
  expect(inService(active)).toHaveLength(working.length + schedules.length);
});

test('Activating the passive deployment of a second region changes no function, so no canary deployment delays it', async () => {
  const functions = async (context: Record<string, string>) =>
    (await synthesised('prod', context)).resources
      .filter(({ type }) => /^AWS::(Lambda::(Function|Version|Alias)|IAM|CodeDeploy)/.test(type))
      .filter(({ stack }) => stack !== 'Observability');
  expect(await functions(activated)).toEqual(await functions(standby));
});

test("The passive deployment of a second region has certificates for the first region's host names, but does not use them", async () => {
  const distributions = async (context: Record<string, string>) =>
    (await synthesised('prod', context))
      .ofType('AWS::CloudFront::Distribution')
      .map((one) =>
        inside<{ Aliases: Json; ViewerCertificate: { AcmCertificateArn: Json } }>(one, 'DistributionConfig'),
      );
  const [standing, serving] = [await distributions(standby), await distributions(activated)];
  expect(standing.map(({ Aliases }) => Aliases)).toEqual([[], []]);
  expect(serving.map(({ Aliases }) => Aliases)).toEqual([[domains.consoleDomain], [domains.apiDomain]]);
  const certificates = (all: typeof standing) =>
    all.map(({ ViewerCertificate }) => ViewerCertificate.AcmCertificateArn);
  expect(certificates(standing)).toEqual(certificates(serving));
});

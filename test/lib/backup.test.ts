/** Daily backups of the tables in another account. */
import { expect, test } from 'vitest';
import { matches, type Pattern } from '../../packages/local-cloud/src/event-pattern.ts';
import { inside, type Resource, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

const { context } = variants['all settings'];
const { resources } = await synthesisedAs(variants['all settings']);

test('With a backup vault of another AWS account, every table is copied there each night and kept for 35 days', () => {
  const of = (type: string) => resources.filter((one) => one.type === type).map(({ properties }) => properties);
  const [plan] = of('AWS::Backup::BackupPlan') as { BackupPlan: { BackupPlanRule: Record<string, unknown>[] } }[];
  expect(plan?.BackupPlan.BackupPlanRule).toMatchObject([
    {
      ScheduleExpression: 'cron(0 2 * * ? *)',
      Lifecycle: { DeleteAfterDays: 7 },
      CopyActions: [{ DestinationBackupVaultArn: context.backup, Lifecycle: { DeleteAfterDays: 35 } }],
    },
  ]);
  const [selection] = of('AWS::Backup::BackupSelection') as { BackupSelection: { Resources: unknown[] } }[];
  expect(selection?.BackupSelection.Resources).toHaveLength(4);
  expect(of('AWS::Backup::BackupVault')).toMatchObject([{ EncryptionKeyArn: expect.anything() }]);
});

test.each([
  ['no message', 'COMPLETED', 'booking-prod-0a1b'],
  ['a message', 'FAILED', 'booking-prod-0a1b'],
  ['no message', 'FAILED', 'booking-dev-0a1b'],
])('The operator of the stage prod gets %s if a backup job is %s in the vault %s', (message, state, vault) => {
  const [rule] = resources.filter(({ id }) => id.startsWith('FailedCopies'));
  const pattern = inside<Pattern>(rule, 'EventPattern');
  const arn = `arn:aws:backup:eu-central-1:999988887777:backup-vault:${vault}`;
  for (const [kind, field] of [
    ['Backup', 'backupVaultArn'],
    ['Copy', 'sourceBackupVaultArn'],
  ] as const) {
    const event = { source: 'aws.backup', 'detail-type': `${kind} Job State Change`, detail: { state, [field]: arn } };
    expect([kind, matches(pattern, event)]).toEqual([kind, message === 'a message']);
  }
});

test('A stage without a backup vault in another AWS account has no backup plan, and no EventBridge rule for failed copies', async () => {
  const without = await synthesised('prod');
  const ofBackups = ({ type, id }: Resource) => type.startsWith('AWS::Backup::') || id.startsWith('FailedCopies');
  expect(without.resources.filter(ofBackups)).toEqual([]);
});

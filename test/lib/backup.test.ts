/** Daily backups of the tables in another account. */
import { expect, test } from 'vitest';
import { synthesised } from '../support/synthesised.ts';

const backup = 'arn:aws:backup:eu-central-1:111122223333:backup-vault:booking-prod';

test('With a backup vault of another AWS account, every table is copied there each night and kept longer than in its own account', async () => {
  const { resources } = await synthesised('prod', { backup });
  const of = (type: string) => resources.filter((one) => one.type === type).map(({ properties }) => properties);
  const [plan] = of('AWS::Backup::BackupPlan') as { BackupPlan: { BackupPlanRule: Record<string, unknown>[] } }[];
  expect(plan?.BackupPlan.BackupPlanRule).toMatchObject([
    {
      ScheduleExpression: 'cron(0 2 * * ? *)',
      Lifecycle: { DeleteAfterDays: 7 },
      CopyActions: [{ DestinationBackupVaultArn: backup, Lifecycle: { DeleteAfterDays: 35 } }],
    },
  ]);
  const [selection] = of('AWS::Backup::BackupSelection') as { BackupSelection: { Resources: unknown[] } }[];
  expect(selection?.BackupSelection.Resources).toHaveLength(4);
  expect(of('AWS::Backup::BackupVault')).toMatchObject([{ EncryptionKeyArn: expect.anything() }]);
});

test('A stage without a backup vault of another account has no backup plan', async () => {
  const { resources } = await synthesised('prod');
  expect(resources.filter(({ type }) => type.startsWith('AWS::Backup::'))).toEqual([]);
});

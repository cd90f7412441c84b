/**
 * Daily copies of the tables in another account (`-c backup=…`). An attacker with the administrator's credentials of
 * this account can delete tables and their point-in-time recovery, but not the copies in a locked vault of another
 * account.
 */
import { Aws, Duration, Fn, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import type { Stage } from '../stage.ts';

/** How long the vaults of this account and of the other account keep a backup. */
const daysHere = 7;
const daysThere = 35;

interface BackupStackProps extends StackProps {
  readonly stage: Stage;
  readonly tables: readonly ITableV2[];
  readonly vaultArn: string;
}

export class BackupStack extends Stack {
  constructor(scope: Construct, id: string, { stage, tables, vaultArn, ...props }: BackupStackProps) {
    super(scope, id, props);
    const removalPolicy = stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    // AWS Backup copies to another account only from a vault with a customer managed key.
    const encryptionKey = new Key(this, 'Key', {
      description: 'Encrypts the copies of the tables before they leave the account',
      enableKeyRotation: true,
      removalPolicy,
    });
    // A vault that outlives its stack must not conflict with a new one: each new stack changes the last part.
    const stackId = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    const backupVaultName = `${stage.prefix}-${Fn.select(4, Fn.split('-', stackId))}`;
    const vault = new BackupVault(this, 'Vault', { backupVaultName, encryptionKey, removalPolicy });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: `${stage.prefix}-daily`,
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'daily',
          scheduleExpression: Schedule.cron({ hour: '2', minute: '0' }),
          deleteAfter: Duration.days(daysHere),
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'OtherVault', vaultArn),
              deleteAfter: Duration.days(daysThere),
            },
          ],
        }),
      ],
    });
    const role = new Role(this, 'Role', {
      description: 'Copies the tables',
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
    });
    acknowledge(role, 'managedByBackup');
    plan.addSelection('Tables', { role, resources: tables.map((table) => BackupResource.fromArn(table.tableArn)) });
  }
}

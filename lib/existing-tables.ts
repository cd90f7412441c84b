/**
 * Existing tables that replace those of the stacks: restored from a backup, or kept from a deleted stack. `-c
 * recordsTable=NAME -c recordsStream=LABEL`, `-c secretsKey=ARN`.
 */
import type { Node } from 'constructs';
import { type Store, stores } from '../contract/system/needs.ts';
import { setting, together } from './context.ts';

export interface ExistingTable {
  readonly name: string;
  /** The last part of the stream's ARN, which `describe-table` reports as `LatestStreamLabel`. */
  readonly streamLabel?: string;
}

export interface ExistingStores {
  readonly tables: Partial<Readonly<Record<Store, ExistingTable>>>;
  readonly secretsKeyArn?: string;
}

/**
 * A passive deployment uses the replicas and creates no table. An existing table gets no replica from a deployment, so
 * with replicas a stack creates all tables or none. Throws an error that names the missing settings.
 */
export function assertAllStoresExist(
  { tables: existing, secretsKeyArn }: ExistingStores,
  { isPassive, replicaRegion }: { readonly isPassive: boolean; readonly replicaRegion: string | undefined },
): void {
  const missing = [
    ...stores.filter((store) => !existing[store]).map((store) => `${store}Table`),
    ...(secretsKeyArn === undefined ? ['secretsKey'] : []),
  ];
  if (missing.length === 0) return;
  const settings = `give -c ${missing.join(', -c ')} (docs/runbooks/regions.md).`;
  if (isPassive) throw new Error(`-c passive=true needs the replicas: ${settings}`);
  if (replicaRegion !== undefined && Object.keys(existing).length > 0) {
    throw new Error(`-c replicaRegion=… adds no replica to an existing table: also ${settings}`);
  }
}

/** The stream of a table is given with the table. */
export function existingStores(node: Node): ExistingStores {
  const records = together(node, 'recordsTable', 'recordsStream');
  const others = (['keys', 'deliveries', 'secrets'] as const).flatMap((store) => {
    const name = setting(node, `${store}Table`);
    return name === undefined ? [] : [[store, { name }] as const];
  });
  const secretsKeyArn = setting(node, 'secretsKey');
  return {
    tables: {
      ...Object.fromEntries(others),
      ...(records && { records: { name: records.recordsTable, streamLabel: records.recordsStream } }),
    },
    ...(secretsKeyArn && { secretsKeyArn }),
  };
}

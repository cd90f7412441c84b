/**
 * Existing tables that replace those of the stacks: restored from a backup, or kept from a deleted stack. `-c
 * recordsTable=NAME -c recordsStream=LABEL`, `-c secretsKey=ARN`.
 */
import type { Node } from 'constructs';
import { type Store, stores } from '../contract/system/needs.ts';
import { type TableRow, tables } from './tables.ts';

export interface ExistingTable {
  readonly name: string;
  /** The last part of the stream's ARN, which `describe-table` reports as `LatestStreamLabel`. */
  readonly streamLabel?: string;
}

export interface ExistingStores {
  readonly tables: Partial<Readonly<Record<Store, ExistingTable>>>;
  /** The ARN of the key that encrypts the secrets. */
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

/** The names of the context values. */
export const existingStoreSettings: readonly string[] = [
  'secretsKey',
  ...stores.flatMap((store) => [`${store}Table`, `${store}Stream`]),
];

/** Throws an error that names the context value if a stream is missing, or is given without its table. */
export function existingStores(node: Node): ExistingStores {
  const secretsKeyArn = text(node, 'secretsKey', /^arn:[\w-]+:kms:/);
  const existing = stores.flatMap((store) => {
    const row: TableRow = tables[store];
    const name = text(node, `${store}Table`, /^[\w.-]{3,255}$/);
    const streamLabel = text(node, `${store}Stream`, /^\d{4}-[\w:.-]+$/);
    if ((name !== undefined && row.stream === true) !== (streamLabel !== undefined)) {
      throw new Error(
        row.stream
          ? `Give both -c ${store}Table=NAME and -c ${store}Stream=LABEL, or neither.`
          : `The table ${store} has no stream: leave out -c ${store}Stream.`,
      );
    }
    return name === undefined ? [] : [[store, { name, ...(streamLabel && { streamLabel }) }] as const];
  });
  return { tables: Object.fromEntries(existing), ...(secretsKeyArn && { secretsKeyArn }) };
}

function text(node: Node, key: string, form: RegExp): string | undefined {
  const value: unknown = node.tryGetContext(key);
  if (value === undefined || (typeof value === 'string' && form.test(value))) return value;
  throw new Error(`-c ${key}=${value} is invalid: it must match ${form.source}.`);
}

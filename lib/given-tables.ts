/**
 * Tables that exist already and take the place of those that the stacks would make: restored from a backup, or left
 * behind by a stack that was deleted. `-c recordsTable=NAME -c recordsStream=LABEL`, `-c secretsKey=ARN`.
 */
import type { Node } from 'constructs';
import { type Store, stores } from '../contract/system/needs.ts';
import { type TableRow, tables } from './tables.ts';

export interface GivenTable {
  readonly name: string;
  /** Last part of the stream's ARN, as `describe-table` says it: `LatestStreamLabel`. */
  readonly streamLabel?: string;
}

export interface GivenStores {
  readonly tables: Partial<Readonly<Record<Store, GivenTable>>>;
  /** ARN of the key that the secrets are encrypted with. */
  readonly secretsKeyArn?: string;
}

/**
 * A deployment that stands by works on the replicas and makes no table of its own; and a table that is given gets no
 * replica by a deployment. Throws an error that names what is missing.
 */
export function refusePartsOfARegion(
  { tables: given, secretsKeyArn }: GivenStores,
  { isPassive, replicaRegion }: { readonly isPassive: boolean; readonly replicaRegion: string | undefined },
): void {
  const missing = [
    ...stores.filter((store) => !given[store]).map((store) => `${store}Table`),
    ...(secretsKeyArn === undefined ? ['secretsKey'] : []),
  ];
  if (isPassive && missing.length > 0) {
    throw new Error(`-c passive=true needs the replicas: give -c ${missing.join(', -c ')} (docs/runbooks/regions.md).`);
  }
  if (replicaRegion !== undefined && Object.keys(given).length > 0) {
    throw new Error('-c replicaRegion=… adds replicas to tables of the stack alone, not to given ones.');
  }
}

/** What may be given. */
export const givenNames: readonly string[] = [
  'secretsKey',
  ...stores.flatMap((store) => [`${store}Table`, `${store}Stream`]),
];

/** Throws an error that names the context when a stream is missing, or a stream is given without its table. */
export function givenStores(node: Node): GivenStores {
  const secretsKeyArn = text(node, 'secretsKey', /^arn:[\w-]+:kms:/);
  const given = stores.flatMap((store) => {
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
  return { tables: Object.fromEntries(given), ...(secretsKeyArn && { secretsKeyArn }) };
}

function text(node: Node, key: string, form: RegExp): string | undefined {
  const value: unknown = node.tryGetContext(key);
  if (value === undefined || (typeof value === 'string' && form.test(value))) return value;
  throw new Error(`-c ${key}=${value} has not the form ${form.source}.`);
}

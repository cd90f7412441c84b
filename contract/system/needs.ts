/**
 * The permissions of a function. A row lists the exact actions; the stack grants only those, and sets only their
 * environment variables.
 */

/** The four tables (docs/rules.md#tables). */
export const stores = ['keys', 'records', 'deliveries', 'secrets'] as const;
export type Store = (typeof stores)[number];

/** Global secondary indexes: table, partition and sort key attributes (both strings). All attributes are projected. */
export const indexes = {
  byStart: { store: 'records', partitionKey: 'byStartPk', sortKey: 'byStartSk' },
  byClient: { store: 'records', partitionKey: 'byClientPk', sortKey: 'byClientSk' },
} as const satisfies Record<string, { store: Store; partitionKey: string; sortKey: string }>;
export type Index = keyof typeof indexes;

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem'
  | 'PartiQLInsert'
  | 'PartiQLUpdate';

/** The queues of delivery messages: first attempts, and deliveries that may wait. */
export type DeliveryQueue = 'deliveries' | 'retries';
/** The queues that functions send to: `events` also takes the rest of a plan that is too large for one run. */
export type SentQueue = DeliveryQueue | 'events' | 'erasures' | 'notices';

export interface Needs extends Partial<Record<Store, readonly TableAction[]>> {
  readonly indexes?: readonly Index[];
  /** Queues that the function sends to, by their row in `queues.ts`. */
  readonly send?: readonly SentQueue[];
  /** The actions of the function on users in the stage's own user pool. */
  readonly people?: readonly ('AdminCreateUser' | 'AdminGetUser' | 'AdminDeleteUser')[];
  /** Whether the function publishes to the event bus. */
  readonly publish?: true;
  /** Whether the function sends emails. */
  readonly mail?: true;
  /** Whether the function needs the address of the pages for customers. */
  readonly pages?: true;
}

/** The settings of a row for its function. */
export interface FunctionRow {
  readonly summary: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly needs: Needs;
}

/** The needs of an endpoint whose changes are audited (docs/rules.md#audit). */
export const auditNeeds = { records: ['PutItem'] } as const satisfies Needs;

/**
 * The needs of every endpoint: one conditional update authenticates the caller and counts the request
 * (docs/rules.md#limits), and an occasional write logs many requests (docs/rules.md#request-log).
 */
export const accessChainNeeds = { keys: ['UpdateItem'], records: ['UpdateItem'] } as const satisfies Needs;

/** Additional needs of an endpoint that accepts sessions: to read whether the key of the session is still active. */
export const sessionNeeds = { records: ['GetItem'] } as const satisfies Needs;

const lists = [...stores, 'people', 'indexes', 'send'] as const;
const flags = ['publish', 'mail', 'pages'] as const;

/** Combines all needs: every action once, in a fixed order. */
export function allOf(...parts: readonly Needs[]): Needs {
  const listed = (name: (typeof lists)[number]) =>
    [...new Set(parts.flatMap((part): readonly string[] => part[name] ?? []))].sort();
  return Object.fromEntries([
    ...lists.map((name) => [name, listed(name)] as const).filter(([, list]) => list.length > 0),
    ...flags.filter((name) => parts.some((part) => part[name])).map((name) => [name, true] as const),
  ]);
}

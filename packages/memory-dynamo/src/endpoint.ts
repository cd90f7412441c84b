/**
 * The HTTP API of DynamoDB and of its streams, without the connection: a target and a body give a status and a body.
 * Items are in memory, and in SQLite for the next run.
 */
import { createHash } from 'node:crypto';
import type {
  AttributeDefinition,
  CreateTableCommandInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { MemoryDynamo } from './memory-dynamo.ts';
import { inUse, invalid, mismatched, missing } from './refusals.ts';
import { Storage } from './storage.ts';
import { recordOf, streamOperations } from './streams.ts';
import type { TableShape } from './table.ts';
import { fromWire, toWire } from './wire.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

type Input = Readonly<Record<string, unknown>>;
type Operation = (input: never) => object;

const api = 'DynamoDB_20120810';

/** The time for which a client token of a transaction is remembered. */
const tokenMs = 600_000;

export class Endpoint {
  readonly #memory = new MemoryDynamo({});
  readonly #storage: Storage;
  readonly #definitions = new Map<string, CreateTableCommandInput>();
  /** The hashes of transactions by their client tokens, the oldest first. */
  readonly #tokens = new Map<string, { readonly hash: string; readonly at: number }>();
  readonly #operations: ReadonlyMap<string, Operation>;

  /** Continues with the content of the file, or starts empty. */
  constructor(file?: string) {
    this.#storage = new Storage(file);
    for (const definition of this.#storage.tables() as CreateTableCommandInput[]) {
      this.#add(definition);
      const table = this.#memory.table(definition.TableName);
      for (const item of this.#storage.items(definition.TableName ?? '')) table.put(item);
    }
    this.#memory.onCommit = (changes) =>
      this.#storage.commit(
        changes.map((change) => {
          const table = this.#memory.table(change.table);
          const viewType = this.#viewTypeOf(change.table);
          return { change, table, record: viewType === undefined ? undefined : recordOf(change, table, viewType) };
        }),
      );
    const operations = {
      ListTables: () => ({ TableNames: [...this.#definitions.keys()] }),
      DescribeTable: ({ TableName }: CreateTableCommandInput) => ({ Table: this.#describe(TableName) }),
      CreateTable: (definition: CreateTableCommandInput) => this.#create(definition),
      // Nothing is deleted when it expires, which DynamoDB may also do days later.
      UpdateTimeToLive: ({ TimeToLiveSpecification }: Input) => ({ TimeToLiveSpecification }),
      TransactWriteItems: (input: Input) => this.#once(input),
    };
    const ofStreams = streamOperations(this.#storage, (table) => this.#viewTypeOf(table));
    this.#operations = new Map<string, Operation>([
      ...Object.entries(operations).map(([name, run]) => [`${api}.${name}`, run] as const),
      ...Object.entries(ofStreams).map(([name, run]) => [`DynamoDBStreams_20120810.${name}`, run] as const),
    ]);
  }

  /** `target` is the value of `X-Amz-Target`, such as `DynamoDB_20120810.PutItem`. */
  answer(target: string, body: string): Answer {
    const [prefix, operation = ''] = target.split('.');
    try {
      const run = this.#operations.get(target) as ((input: object) => object) | undefined;
      if (!run && prefix !== api) throw invalid(`The operation ${target} is not supported`);
      const input = JSON.parse(body);
      return { status: 200, body: JSON.stringify(run ? run(input) : this.#execute(operation, input)) };
    } catch (error) {
      return refusal(error);
    }
  }

  close(): void {
    this.#storage.close();
  }

  #execute(operation: string, input: object): object {
    const name = operation.replace(/(Items?)?$/, 'Command');
    return toWire(this.#memory.execute({ input: fromWire(input), constructor: { name } }));
  }

  /** Executes a transaction only once, even if it arrives again with the same token. */
  #once({ ClientRequestToken, ...input }: Input): object {
    const now = Date.now();
    for (const [token, { at }] of this.#tokens) {
      if (at > now - tokenMs) break;
      this.#tokens.delete(token);
    }
    if (ClientRequestToken === undefined) return this.#execute('TransactWriteItems', input);
    const token = String(ClientRequestToken);
    const hash = createHash('sha256').update(JSON.stringify(input)).digest('base64');
    const known = this.#tokens.get(token);
    if (known && known.hash !== hash) throw mismatched(`The token ${token} belongs to another transaction`);
    if (known) return {};
    const output = this.#execute('TransactWriteItems', input);
    this.#tokens.set(token, { hash, at: now });
    return output;
  }

  #create(definition: CreateTableCommandInput): object {
    const { TableName = '' } = definition;
    if (typeof TableName !== 'string' || TableName === '') throw invalid('A table needs a name');
    if (this.#definitions.has(TableName)) throw inUse(`There is already a table ${TableName}`);
    this.#add(definition);
    this.#storage.create(TableName, definition);
    return { TableDescription: this.#describe(TableName) };
  }

  #add(definition: CreateTableCommandInput): void {
    this.#memory.addTable(definition.TableName ?? '', shapeOf(definition));
    this.#definitions.set(definition.TableName ?? '', definition);
  }

  #describe(name = ''): object {
    const definition = this.#definitions.get(name);
    if (!definition) throw missing(`There is no table ${name}`);
    const TableArn = `arn:aws:dynamodb:local:000000000000:table/${name}`;
    const LatestStreamArn = this.#viewTypeOf(name) && `${TableArn}/stream/local`;
    return { ...definition, TableStatus: 'ACTIVE', TableArn, LatestStreamArn };
  }

  #viewTypeOf(table: string): string | undefined {
    return this.#definitions.get(table)?.StreamSpecification?.StreamViewType;
  }
}

/** Throws for keys that are not strings and indexes without all attributes, which this emulator does not have. */
function shapeOf({ KeySchema, AttributeDefinitions, ...definition }: CreateTableCommandInput): TableShape {
  const indexes = [...(definition.GlobalSecondaryIndexes ?? []), ...(definition.LocalSecondaryIndexes ?? [])];
  const unfit = [
    ...(AttributeDefinitions ?? [])
      .filter(isNoText)
      .map(({ AttributeName }) => `the key ${AttributeName}, which is no string`),
    ...indexes
      .filter(isPartial)
      .map(({ IndexName }) => `the index ${IndexName}, which has no sort key or not all attributes`),
  ];
  if (unfit.length > 0) throw invalid(`The tables in memory do not support ${unfit.join(' and ')}`);
  return {
    key: namesOf(KeySchema),
    indexes: Object.fromEntries(indexes.map(({ IndexName, KeySchema }) => [IndexName, namesOf(KeySchema)])),
  };
}

const isNoText = ({ AttributeType }: AttributeDefinition) => AttributeType !== 'S';
const isPartial = ({ KeySchema, Projection }: GlobalSecondaryIndex) =>
  KeySchema?.length !== 2 || Projection?.ProjectionType !== 'ALL';

/** The names of the partition key and the sort key, if there is one. */
function namesOf(schema: readonly KeySchemaElement[] = []): [string, string] {
  return schema.map(({ AttributeName = '' }) => AttributeName) as [string, string];
}

/** The body of an error as DynamoDB sends it. An unsupported request is an error of the caller. */
function refusal(error: unknown): Answer {
  // SQLite can no longer read or write: the server must end.
  if (!(error instanceof Error) || 'errcode' in error) throw error;
  const name = error instanceof DynamoDBServiceException ? error.name : 'ValidationException';
  const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
  const { message, Item, CancellationReasons } = error as Error & Input;
  const base64 = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return { status: 400, body: JSON.stringify({ __type, message, Item, CancellationReasons }, base64) };
}

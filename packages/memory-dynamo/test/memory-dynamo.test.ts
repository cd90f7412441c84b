/** The tables in memory answer random commands of every kind as another emulator does, also through their server. */
import {
  CreateTableCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamoEmulator } from '../../local-cloud/src/dynamodb-emulator.ts';
import { type Program, programs } from '../../local-cloud/src/dynamodb-programs.ts';
import { type Command, MemoryDynamo } from '../src/memory-dynamo.ts';
import { order } from '../src/value.ts';
import { Random } from './fixture/random.ts';

const TableName = 'items';
const byStart = ['byStartPk', 'byStartSk'] as const;
const shapes = { [TableName]: { key: ['pk', 'sk'], indexes: { byStart } } } as const;

/** The emulators that answer like the tables in memory: another one, and the server of this package. */
let other: Compared;
let server: Compared;

interface Compared {
  readonly client: DynamoDBDocumentClient;
  stop(): Promise<void>;
}

async function startCompared(program?: Program): Promise<Compared> {
  const emulator = await startDynamoEmulator(program ? { program } : {});
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: emulator.url, region: 'eu-central-1', credentials }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  const keySchema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const Projection = { ProjectionType: 'ALL' } as const;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema('pk', 'sk'),
      AttributeDefinitions: ['pk', 'sk', ...byStart].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexes: [{ IndexName: 'byStart', KeySchema: keySchema(...byStart), Projection }],
    }),
  );
  return {
    client,
    async stop() {
      client.destroy();
      await emulator.stop();
    },
  };
}

beforeAll(async () => {
  [other, server] = await Promise.all([startCompared(), startCompared(await programs.memory())]);
});
afterAll(() => Promise.all([other.stop(), server.stop()]));

const names = ['a', 'b', 'c', 'status'] as const;
const keyOf = (random: Random) => ({ pk: `p${random.below(3)}`, sk: `s${random.below(6)}` });
const someValue = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => random.below(4),
    () => random.pick(['x', 'y', 'xy', 'ž']),
    () => random.chance(0.5),
    () => null,
    () => [random.below(3), 'x'],
    () => ({ n: random.below(3), list: [1] }),
  ])();

/** The emulator lets `SET c.n` replace a null, which Amazon's refuses. */
const notNull = (random: Random): unknown => someValue(random) ?? 0;

function itemOf(random: Random) {
  const fields = names
    .filter(() => random.chance(0.6))
    .map((name) => [name, name === 'c' ? notNull(random) : someValue(random)]);
  const start = random.chance(0.5) && { byStartPk: `i${random.below(2)}`, byStartSk: `t${random.below(4)}` };
  return { ...keyOf(random), ...Object.fromEntries(fields), ...start };
}

interface Given {
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, unknown>;
}

/** Writes random expressions and remembers what they refer to. */
class Writer {
  readonly #random: Random;
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  constructor(random: Random) {
    this.#random = random;
  }

  path(): string {
    const name = this.#random.pick(names);
    // `status` is a reserved word.
    if (name !== 'status' && this.#random.chance(0.5)) return name;
    this.names[`#${name}`] = name;
    return `#${name}`;
  }

  value(value: unknown = someValue(this.#random)): string {
    const name = `:v${Object.keys(this.values).length}`;
    this.values[name] = value;
    return name;
  }

  condition(depth = 0): string {
    const random = this.#random;
    const number = () => this.value(random.below(4));
    if (depth < 2 && random.chance(0.4)) {
      const [a, b] = [this.condition(depth + 1), this.condition(depth + 1)];
      return random.pick([`(${a}) AND ${b}`, `${a} OR ${b}`, `NOT (${a} AND ${b})`, `${a} and ${b}`]);
    }
    return random.pick<() => string>([
      () => `attribute_exists(${this.path()})`,
      () => 'attribute_not_exists(pk)',
      () => `attribute_not_exists(${this.path()})`,
      () => `${this.path()} = ${this.value()}`,
      () => `${this.path()} <> ${this.value()}`,
      () => `${this.path()} ${random.pick(['<', '<=', '>', '>='])} ${number()}`,
      () => `${this.path()} BETWEEN ${this.value(1)} AND ${this.value(2)}`,
      () => `${this.path()} IN (${number()}, ${number()})`,
      () => `begins_with(${this.path()}, ${this.value('x')})`,
      () => `contains(${this.path()}, ${this.value('x')})`,
      () => `attribute_type(${this.path()}, ${this.value(random.pick(['S', 'N', 'NULL', 'L', 'M']))})`,
    ])();
  }

  /** Changes of different attributes: one expression may not change an attribute twice. */
  update(): string {
    const random = this.#random;
    const set = random.pick<() => string>([
      () => `SET a = ${this.value()}`,
      () => `SET a = if_not_exists(a, ${this.value(0)}) + ${this.value(1)}`,
      () => `SET a = ${this.value()}, c = ${this.value(notNull(this.#random))}`,
      () => `SET a = b`,
      () => `SET c.n = ${this.value(7)}`,
    ])();
    const rest = random.pick<() => string>([
      () => '',
      () => ' REMOVE b',
      () => ` ADD b ${this.value(2)}`,
      () => {
        this.names['#status'] = 'status';
        return ` ADD #status ${this.value(1)} REMOVE b`;
      },
    ])();
    return set + rest;
  }

  given(): Partial<Given> {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    };
  }
}

function insertion(item: object) {
  const fields = Object.keys(item).map((name) => `'${name}': ?`);
  return { Statement: `INSERT INTO "${TableName}" VALUE {${fields.join(', ')}}`, Parameters: Object.values(item) };
}

function change(fields: object, expected: object) {
  const [set, where] = [fields, expected].map((one) => Object.keys(one).map((name) => `"${name}" = ?`));
  return {
    Statement: `UPDATE "${TableName}" SET ${set?.join(', ')} WHERE ${where?.join(' AND ')}`,
    Parameters: [...Object.values(fields), ...Object.values(expected)],
  };
}

type OneWrite = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function writeOf(random: Random): OneWrite {
  const writer = new Writer(random);
  const condition = random.chance(0.6) ? { ConditionExpression: writer.condition() } : {};
  const kind = random.pick(['Put', 'Update', 'Delete', 'ConditionCheck'] as const);
  if (kind === 'Update') {
    const UpdateExpression = writer.update();
    return { Update: { TableName, Key: keyOf(random), UpdateExpression, ...condition, ...writer.given() } };
  }
  if (kind === 'ConditionCheck') {
    const ConditionExpression = condition.ConditionExpression ?? 'attribute_exists(pk)';
    return { ConditionCheck: { TableName, Key: keyOf(random), ConditionExpression, ...writer.given() } };
  }
  return kind === 'Put'
    ? { Put: { TableName, Item: itemOf(random), ...condition, ...writer.given() } }
    : { Delete: { TableName, Key: keyOf(random), ...condition, ...writer.given() } };
}

function queryOf(random: Random) {
  const values: Record<string, unknown> = { ':pk': `p${random.below(3)}` };
  const [one, other] = [`s${random.below(6)}`, `s${random.below(6)}`].sort();
  const range = random.pick([
    '',
    'sk = :one',
    'sk < :one',
    'sk >= :one',
    'sk BETWEEN :one AND :other',
    'begins_with(sk, :one)',
  ]);
  if (range.includes(':one')) values[':one'] = one;
  if (range.includes(':other')) values[':other'] = other;
  const writer = new Writer(random);
  const filter = random.chance(0.2)
    ? { FilterExpression: writer.condition().replaceAll('attribute_not_exists(pk)', 'attribute_not_exists(a)') }
    : {};
  return {
    TableName,
    KeyConditionExpression: `pk = :pk${range && ` AND ${range}`}`,
    ...filter,
    ...writer.given(),
    ExpressionAttributeValues: { ...values, ...writer.values },
    ...(random.chance(0.3) && { ProjectionExpression: 'pk, sk, c' }),
    ScanIndexForward: random.chance(0.5),
    ...(random.chance(0.5) && { Limit: 1 + random.below(4) }),
  };
}

function scanOf(random: Random) {
  const writer = new Writer(random);
  const FilterExpression = random.chance(0.7) ? writer.condition() : undefined;
  return FilterExpression ? { FilterExpression, ...writer.given() } : {};
}

const indexQueryOf = (random: Random) => ({
  TableName,
  IndexName: 'byStart',
  KeyConditionExpression: 'byStartPk = :pk AND byStartSk >= :from',
  ExpressionAttributeValues: { ':pk': `i${random.below(2)}`, ':from': `t${random.below(4)}` },
  // A filter may contain the key of the table, but not that of the index.
  ...(random.chance(0.3) && { FilterExpression: 'attribute_exists(sk)' }),
});

const distinctKeys = (random: Random) => [
  ...new Map(
    Array.from({ length: 1 + random.below(6) }, () => keyOf(random)).map((key) => [key.pk + key.sk, key]),
  ).values(),
];

function commandOf(random: Random): Command {
  const write = writeOf(random);
  const ReturnValues = random.pick(['NONE', 'ALL_OLD'] as const);
  const projection = random.chance(0.5) && {
    ProjectionExpression: '#0, sk, c',
    ExpressionAttributeNames: { '#0': 'pk', ...(random.chance(0.1) && { '#1': 'n' }) },
  };
  const shows = random.chance(0.5) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  return random.pick<() => Command>([
    () => new GetCommand({ TableName, Key: keyOf(random), ConsistentRead: true, ...projection }),
    () => {
      const request = { Keys: distinctKeys(random), ConsistentRead: true, ...projection };
      return new BatchGetCommand({ RequestItems: { [TableName]: request } });
    },
    () =>
      new TransactGetCommand({
        TransactItems: Array.from({ length: 1 + random.below(3) }, () => ({
          Get: { TableName, Key: keyOf(random), ...projection },
        })),
      }),
    () => new ScanCommand({ TableName, ...scanOf(random) }),
    () => new QueryCommand(queryOf(random)),
    () => new QueryCommand(indexQueryOf(random)),
    () => new PutCommand({ TableName, Item: itemOf(random), ReturnValues }),
    () =>
      write.Update
        ? new UpdateCommand({ ...write.Update, ...shows, ReturnValues: random.pick(['NONE', 'ALL_NEW']) })
        : write.Delete
          ? new DeleteCommand({ ...write.Delete, ...shows, ReturnValues })
          : new PutCommand({ TableName, Item: itemOf(random), ...(write.Put ?? {}), ...shows }),
    () =>
      new BatchWriteCommand({
        RequestItems: {
          [TableName]: distinctKeys(random).map((Key) =>
            random.chance(0.5) ? { DeleteRequest: { Key } } : { PutRequest: { Item: { ...itemOf(random), ...Key } } },
          ),
        },
      }),
    () =>
      new BatchExecuteStatementCommand({
        Statements: distinctKeys(random).map((key) =>
          random.chance(0.5)
            ? insertion({ ...itemOf(random), ...key })
            : change({ b: someValue(random), c: 1 }, { ...key, ...(random.chance(0.5) && { a: random.below(4) }) }),
        ),
      }),
    () =>
      new TransactWriteCommand({ TransactItems: Array.from({ length: 1 + random.below(4) }, () => writeOf(random)) }),
  ])();
}

/** The result that a caller of the command sees, from either of the two. */
async function seen(command: Command, run: () => object | Promise<object>): Promise<unknown> {
  try {
    const answer = (await run()) as Record<string, unknown>;
    const { Items, Responses, Item, Attributes, LastEvaluatedKey, Count } = answer;
    const consumed = [answer.ConsumedCapacity].flat() as ({ CapacityUnits?: number } | undefined)[];
    const units = consumed.map((one) => one?.CapacityUnits);
    if (Array.isArray(Responses)) {
      const refusals = Responses.map((one) => one.Error?.Code);
      // What a refused statement takes is not counted in memory.
      return refusals.some(Boolean) ? refusals : { refusals, units, found: Responses.map((one) => one.Item) };
    }
    const lists = Object.values((Responses ?? {}) as Record<string, Record<string, unknown>[]>);
    return {
      units,
      Items: command instanceof QueryCommand && !command.input.IndexName ? Items : Items && sorted(Items as never),
      Responses: lists.map(sorted),
      Item,
      Attributes,
      Count,
      // Amazon's emulator names the last item of a full page even when nothing follows it; others do not.
      LastEvaluatedKey: command instanceof QueryCommand && !command.input.Limit ? LastEvaluatedKey : undefined,
    };
  } catch (error) {
    if (!(error instanceof DynamoDBServiceException)) throw error;
    const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
    return {
      refused: error.name,
      reasons: reasons?.map(({ Code, Item }) => ({ Code, Item })),
      Item: 'Item' in error ? error.Item : undefined,
    };
  }
}

function sorted(items: Record<string, unknown>[]) {
  return items.toSorted((a, b) => order(`${a.pk} ${a.sk}`, `${b.pk} ${b.sk}`) ?? 0);
}

test.each([
  [1, 'another emulator', () => other],
  [2, 'another emulator', () => other],
  [3, 'another emulator', () => other],
  [4, 'its HTTP server', () => server],
] as const)(
  'The in-memory DynamoDB gives the same responses to random commands (seed %i) as %s',
  async (seed, _, compared) => {
    const { client } = compared();
    const random = new Random(seed);
    const memory = new MemoryDynamo(shapes);
    await client.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: allKeys.map((Key) => ({ DeleteRequest: { Key } })) } }),
    );
    for (let i = 0; i < 700; i++) {
      const command = commandOf(random);
      if (random.chance(0.5)) Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
      const [expected, got] = [
        await seen(command, () => client.send(command as GetCommand)),
        await seen(command, () => memory.execute(command)),
      ];
      expect(got, `${i}: ${command.constructor.name} ${JSON.stringify(command.input)}`).toEqual(expected);
    }
    const { Responses } = await client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: allKeys } } }));
    expect([...memory.table(TableName).all()].length).toBe(Responses?.[TableName]?.length);
  },
);

const allKeys = [0, 1, 2].flatMap((p) => [0, 1, 2, 3, 4, 5].map((s) => ({ pk: `p${p}`, sk: `s${s}` })));

const Key = { pk: 'large', sk: 's' };
const otherKey = { ...Key, a: 1 };
const half = 'x'.repeat(204_800);
const large = { ...Key, a: half, b: half };
const update = (value: string, more: object = {}) => {
  const ExpressionAttributeValues = { ':value': value };
  return { TableName, Key, UpdateExpression: 'SET b = :value', ExpressionAttributeValues, ...more };
};
const many = <T>(count: number, make: (sk: string) => T) => Array.from({ length: count }, (_, i) => make(String(i)));
const putOf = (sk: string) => ({ Put: { TableName, Item: { ...Key, sk, a: half } } });
const getOf = (sk: string) => ({ Get: { TableName, Key: { ...Key, sk } } });
const get = (more: object) => new GetCommand({ TableName, Key: { ...Key, ...more } });
const put = (Item: object, more: object = {}) => new PutCommand({ TableName, Item, ...more });
const batch = (...items: object[]) =>
  new BatchWriteCommand({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } });
const transaction = (...TransactItems: OneWrite[]) => new TransactWriteCommand({ TransactItems });
const reading = (...TransactItems: ReturnType<typeof getOf>[]) => new TransactGetCommand({ TransactItems });
const statement = (one: ReturnType<typeof insertion>) => new BatchExecuteStatementCommand({ Statements: [one] });
const indexed = { ...Key, sk: 'i', byStartPk: 'i' };
const unindexed = { ...indexed, byStartSk: '' };

const refused = 'ValidationException';
test.each<[string, Command, object?]>([
  ['a batch with an item of more than 400 KB', batch({ ...Key, sk: 'b' }, large)],
  ['a put with an empty key of an index', put(unindexed)],
  ['a batch with a number as key of an index', batch(indexed, { ...Key, byStartPk: 7 })],
  ['a put with null as key of an index', put({ ...indexed, byStartSk: null })],
  ['a transaction that puts an empty key of an index', transaction({ Put: { TableName, Item: unindexed } })],
  [
    'an update that empties a key of an index',
    new UpdateCommand(update('', { UpdateExpression: 'SET byStartSk = :value' })),
  ],
  ['a PartiQL statement that inserts an empty key of an index', statement(insertion(unindexed)), ['ValidationError']],
  ['a partition key of 2049 bytes', get({ pk: `ž${'x'.repeat(2_047)}` })],
  ['a sort key of 1025 bytes', get({ sk: 'x'.repeat(1_025) })],
  ['a read by a key with another attribute', get({ a: 1 })],
  ['a deletion by a key with another attribute', new DeleteCommand({ TableName, Key: otherKey })],
  ['an update by a key with another attribute', new UpdateCommand(update('', { Key: otherKey }))],
  [
    'a batch that reads a key with another attribute',
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [otherKey] } } }),
  ],
  [
    'a batch that deletes a key with another attribute',
    new BatchWriteCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: otherKey } }] } }),
  ],
  [
    'a transaction that reads a key with another attribute',
    reading({ Get: { TableName, Key: otherKey } }),
    { reasons: [{ Code: 'ValidationError' }] },
  ],
  [
    'a transaction that deletes by a key with another attribute',
    transaction({ Delete: { TableName, Key: otherKey } }),
    { reasons: [{ Code: 'ValidationError' }] },
  ],
  [
    'a transaction that updates by a key with another attribute',
    transaction({ Update: update('', { Key: otherKey }) }),
    { reasons: [{ Code: 'ValidationError' }] },
  ],
  [
    'a query with a filter by the sort key',
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: 'attribute_exists(#sk)',
      ExpressionAttributeNames: { '#sk': 'sk' },
      ExpressionAttributeValues: { ':pk': 'p' },
    }),
  ],
  [
    'a query of an index with a filter by the sort key of the index',
    new QueryCommand({ ...indexQueryOf(new Random(1)), FilterExpression: 'attribute_exists(byStartSk)' }),
  ],
  ['a put of more than 400 KB', put(large)],
  ['an update of an item to more than 400 KB', new UpdateCommand(update(half))],
  [
    'a transaction that updates an item to more than 400 KB',
    transaction({ Update: update(half) }),
    { reasons: [{ Code: 'ValidationError' }] },
  ],
  [
    'a PartiQL statement that updates an item to more than 400 KB',
    statement(change({ b: half }, Key)),
    ['ValidationError'],
  ],
  ['a transaction that puts more than 4 MB', transaction(...many(21, putOf))],
  ['a transaction that writes an item twice', transaction(putOf('s'), { Delete: { TableName, Key } })],
  ['a transaction that reads 101 keys', reading(...many(101, getOf))],
  ['a transaction that reads a key twice', reading(getOf('s'), getOf('s'))],
  [
    'a condition of more than 4 KB',
    put(Key, { ConditionExpression: Array(200).fill('attribute_exists(a)').join(' OR ') }),
  ],
  ['an unused placeholder', put(Key, { ExpressionAttributeValues: { ':x': 1 } })],
  ['a consistent read of an index', new QueryCommand({ ...indexQueryOf(new Random(1)), ConsistentRead: true })],
])('The in-memory DynamoDB refuses %s, like the DynamoDB emulator', async (_, command, expected = { refused }) => {
  const memory = new MemoryDynamo(shapes);
  const stored = put({ ...Key, a: half });
  await other.client.send(stored);
  memory.execute(stored);
  expect(await seen(command, () => other.client.send(command as GetCommand))).toMatchObject(expected);
  expect(await seen(command, () => memory.execute(command))).toMatchObject(expected);
  expect([...memory.table(TableName).all()]).toEqual([{ ...Key, a: half }]);
});

test('The in-memory DynamoDB refuses a transaction whose items exceed 4 MB together, even if it only reads or deletes them', () => {
  const memory = new MemoryDynamo(shapes);
  for (const { Put } of many(21, putOf)) memory.execute(new PutCommand(Put));
  const deletions = (count: number) => many(count, (sk) => ({ Delete: { TableName, Key: { ...Key, sk } } }));
  const touched = (count: number) => () => memory.execute(transaction(...deletions(count)));
  const read = (count: number) => () => memory.execute(reading(...many(count, getOf)));
  expect(read(21)).toThrow('4 MB');
  expect(read(20)).not.toThrow();
  expect(touched(21)).toThrow('4 MB');
  expect(touched(20)).not.toThrow();
});

test.each([
  ['`ReturnValues: UPDATED_NEW`', { ReturnValues: 'UPDATED_NEW' }],
  ['a path into a list', { UpdateExpression: 'SET b[0] = :value' }],
  ['a subtraction', { UpdateExpression: 'SET b = b - :value' }],
])('The in-memory DynamoDB refuses an update with %s, which it does not simulate', (_, unsupported) => {
  const memory = new MemoryDynamo(shapes);
  const command = new UpdateCommand(update(half, unsupported));
  expect(() => memory.execute(command)).toThrow('not simulated');
  expect(memory.execute(get({}))).toEqual({});
});

test('The in-memory DynamoDB refuses a transaction with a client request token, because it does not simulate idempotency', () => {
  const memory = new MemoryDynamo(shapes);
  const { input } = transaction({ Delete: { TableName, Key } });
  const command = new TransactWriteCommand({ ...input, ClientRequestToken: 'once' });
  expect(() => memory.execute(command)).toThrow('not simulated');
});

const reversed = { ':to': 'a', ':from': 'b' };
test.each([
  ['in a key condition', { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to' }],
  ['in a filter', { KeyConditionExpression: 'pk = :pk', FilterExpression: 'v BETWEEN :from AND :to' }],
  ['inside NOT in a filter', { KeyConditionExpression: 'pk = :pk', FilterExpression: 'NOT (v BETWEEN :from AND :to)' }],
])(
  'The in-memory DynamoDB refuses a BETWEEN range %s that ends before it begins, even if no item matches',
  (_, expressions) => {
    const memory = new MemoryDynamo(shapes);
    const request = { TableName, ...expressions };
    const ask = (values: object) => () =>
      memory.execute(new QueryCommand({ ...request, ExpressionAttributeValues: { ':pk': 'p', ...values } }));
    expect(ask(reversed)).toThrow('BETWEEN');
    expect(ask({ ':from': 'a', ':to': 'a' })).not.toThrow();
  },
);

test('The in-memory DynamoDB refuses an empty expression in a transaction', () => {
  const command = transaction({ Update: { TableName, Key, UpdateExpression: '' } });
  expect(() => new MemoryDynamo(shapes).execute(command)).toThrow('empty');
});

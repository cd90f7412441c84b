/** What the HTTP API has beyond the commands of the document client: files, streams, client tokens. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Endpoint } from '../src/endpoint.ts';

const TableName = 'items';
const text = (AttributeName: string, AttributeType = 'S') => ({ AttributeName, AttributeType });
const table = (type?: string) => ({
  TableName,
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [text('pk', type)],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
});
const put = (pk: string, more: object = {}) => ({ TableName, Item: { pk: { S: pk }, ...more } });

function open(file?: string) {
  const endpoint = new Endpoint(file);
  const call = (operation: string, body: object) => {
    const api = /Stream|Shard|Records/.test(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
    return JSON.parse(endpoint.answer(`${api}.${operation}`, JSON.stringify(body)).body);
  };
  const records = (position: object) => {
    const StreamArn = call('DescribeTable', { TableName }).Table.LatestStreamArn;
    const [{ ShardId }] = call('DescribeStream', { StreamArn }).StreamDescription.Shards;
    const { ShardIterator } = call('GetShardIterator', { StreamArn, ShardId, ...position });
    return call('GetRecords', { ShardIterator }).Records;
  };
  return { endpoint, call, records };
}

test('After a restart, an emulator in memory with a file has its items, and its stream continues after the last record that was read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-dynamo-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = open(join(folder, 'tables.sqlite'));
  first.call('CreateTable', table());
  const item = { pk: { S: 'a' }, bytes: { B: 'AQI=' }, list: { L: [{ N: '1.5' }, { NULL: true }] } };
  first.call('PutItem', { TableName, Item: item });
  const [read] = first.records({ ShardIteratorType: 'TRIM_HORIZON' });
  expect(read).toMatchObject({ eventName: 'INSERT', dynamodb: { NewImage: item } });
  first.call('DeleteItem', { TableName, Key: { pk: { S: 'none' } } });
  first.call('PutItem', put('b'));
  first.endpoint.close();

  const second = open(join(folder, 'tables.sqlite'));
  onTestFinished(() => second.endpoint.close());
  expect(second.call('GetItem', { TableName, Key: { pk: { S: 'a' } } })).toEqual({ Item: item });
  second.call('DeleteItem', { TableName, Key: { pk: { S: 'a' } } });
  const position = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: read.dynamodb.SequenceNumber };
  expect(second.records(position)).toMatchObject([
    { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'b' } } } },
    { eventName: 'REMOVE', dynamodb: { OldImage: item } },
  ]);
});

test('The stream of an emulator in memory has no record of a write that changes nothing', () => {
  const { call, records } = open();
  call('CreateTable', table());
  for (const n of ['1', '1', '2']) call('PutItem', put('a', { n: { N: n } }));
  const names = records({ ShardIteratorType: 'TRIM_HORIZON' }).map((one: { eventName: string }) => one.eventName);
  expect(names).toEqual(['INSERT', 'MODIFY']);
});

test('An emulator in memory executes a transaction that arrives twice with one client token only once', () => {
  const { call } = open();
  call('CreateTable', table());
  const Put = { ...put('a'), ConditionExpression: 'attribute_not_exists(pk)' };
  const answers = ['one', 'one', 'other'].map((ClientRequestToken) =>
    call('TransactWriteItems', { ClientRequestToken, TransactItems: [{ Put }] }),
  );
  expect(answers).toMatchObject([{}, {}, { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }]);
});

test('An emulator in memory refuses a table with a number as key, and an operation that it does not support', () => {
  const { call } = open();
  expect(call('CreateTable', table('N')).message).toMatch(/the key pk, which is no string/);
  for (const name of ['ExportTableToPointInTime', 'constructor'])
    expect(call(name, {}).message).toMatch(new RegExp(name));
});

test('An emulator in memory with a file accepts no sum that its next run could not read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-dynamo-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = open(join(folder, 'tables.sqlite'));
  first.call('CreateTable', table());
  const n = { N: String(Number.MAX_SAFE_INTEGER) };
  first.call('PutItem', put('a', { n }));
  const sum = { UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': n } };
  expect(first.call('UpdateItem', { TableName, Key: { pk: { S: 'a' } }, ...sum }).message).toMatch(/too large/);
  first.endpoint.close();

  const second = open(join(folder, 'tables.sqlite'));
  onTestFinished(() => second.endpoint.close());
  expect(second.call('GetItem', { TableName, Key: { pk: { S: 'a' } } })).toMatchObject({ Item: { n } });
});

test('After a value with too many levels, an emulator in memory accepts the next write', () => {
  const { call } = open();
  call('CreateTable', table());
  const value = Array.from({ length: 1_000 }).reduce<object>((inner) => ({ L: [inner] }), { S: 'x' });
  expect(call('PutItem', put('deep', { value })).message).toMatch(/more than 32 levels/);
  expect(call('PutItem', put('a'))).toEqual({});
  expect(call('GetItem', { TableName, Key: { pk: { S: 'deep' } } })).toEqual({});
});

test.each([
  ['of no known type', { ShardIteratorType: 'NEWEST' }, /type/],
  ['after no number', { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: 'x' }, /number/],
  ['after a record of another emulator', { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: '9' }, /9/],
])('An emulator in memory refuses an iterator %s', (_, position, reason) => {
  const { call } = open();
  call('CreateTable', table());
  const StreamArn = call('DescribeTable', { TableName }).Table.LatestStreamArn;
  expect(call('GetShardIterator', { StreamArn, ...position }).message).toMatch(reason);
});

test.each([0, 1.5, 1_001, 'x', null])('An emulator in memory refuses to read %s records, and continues', (Limit) => {
  const { call } = open();
  call('CreateTable', table());
  const StreamArn = call('DescribeTable', { TableName }).Table.LatestStreamArn;
  const { ShardIterator } = call('GetShardIterator', { StreamArn, ShardIteratorType: 'TRIM_HORIZON' });
  expect(call('GetRecords', { ShardIterator, Limit }).message).toMatch(/limit/);
  expect(call('GetRecords', { ShardIterator })).toMatchObject({ Records: [] });
});

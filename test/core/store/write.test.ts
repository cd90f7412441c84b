/** What DynamoDB is asked for: each write with the condition under which it takes place. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { absentOr, atMost, below } from '../../../core/store/expected.ts';
import { changed, deletion, firstPut, successorPut } from '../../../core/store/revised.ts';
import { add, check, gone, put, putNew, remove, set, writeOne } from '../../../core/store/write.ts';

beforeEach(() => vi.stubEnv('TABLE_RECORDS', 'records'));
afterEach(() => vi.unstubAllEnvs());

const key = { pk: 'T#7', sk: 'X' };
const item = { ...key, other: 'field' };
const table = { TableName: 'records' };
const isThere = 'attribute_exists(pk)';

test.each<[string, () => object, object]>([
  ['an item whatever is there', () => put('records', item), { Put: { ...table, Item: item } }],
  [
    'an item that is new',
    () => putNew('records', item),
    { Put: { ...table, Item: item, ConditionExpression: 'attribute_not_exists(pk)' } },
  ],
  [
    'an item in the place of another',
    () => put('records', item, { status: 'a', 'odd-name': undefined, active: absentOr(below(3)), used: atMost(9) }),
    {
      Put: {
        ...table,
        Item: item,
        ConditionExpression:
          '#status = :statusBefore AND attribute_not_exists(#odd_name)' +
          ' AND (attribute_not_exists(#active) OR #active < :activeBefore) AND #used <= :usedBefore',
        ExpressionAttributeNames: {
          '#status': 'status',
          '#odd_name': 'odd-name',
          '#active': 'active',
          '#used': 'used',
        },
        ExpressionAttributeValues: { ':statusBefore': 'a', ':activeBefore': 3, ':usedBefore': 9 },
      },
    },
  ],
  [
    'fields that are set, left and taken away',
    () => set('records', item, { a: 1, 'b-c': null, left: undefined, d: gone, e: gone }, { a: 0 }),
    {
      Update: {
        ...table,
        Key: key,
        UpdateExpression: 'SET #a = :a, #b_c = :b_c REMOVE #d, #e',
        ConditionExpression: `${isThere} AND #a = :aBefore`,
        ExpressionAttributeNames: { '#a': 'a', '#b_c': 'b-c', '#d': 'd', '#e': 'e' },
        ExpressionAttributeValues: { ':a': 1, ':b_c': null, ':aBefore': 0 },
      },
    },
  ],
  [
    'a field that is taken away alone',
    () => set('records', item, { d: gone }),
    {
      Update: {
        ...table,
        Key: key,
        UpdateExpression: 'REMOVE #d',
        ConditionExpression: isThere,
        ExpressionAttributeNames: { '#d': 'd' },
      },
    },
  ],
  [
    'numbers that are added to',
    () => add('records', item, { a: 1, b: -2 }),
    {
      Update: {
        ...table,
        Key: key,
        UpdateExpression: 'ADD #a :a, #b :b',
        ExpressionAttributeNames: { '#a': 'a', '#b': 'b' },
        ExpressionAttributeValues: { ':a': 1, ':b': -2 },
      },
    },
  ],
  ['an item that goes', () => remove('records', item), { Delete: { ...table, Key: key } }],
  [
    'an item that goes as it was read',
    () => deletion(item, { revision: 4 }),
    {
      Delete: {
        ...table,
        Key: key,
        ConditionExpression: `${isThere} AND #revision = :revisionBefore`,
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: { ':revisionBefore': 4 },
      },
    },
  ],
  [
    'an item that only must be there',
    () => check('records', item),
    { ConditionCheck: { ...table, Key: key, ConditionExpression: isThere } },
  ],
  ['a first revision', () => firstPut(key, { a: 1 }), putNewOf({ a: 1, ...key })],
  [
    'a second revision',
    () => successorPut(key, {}, { a: 1 }),
    {
      Put: {
        ...table,
        Item: { a: 1, ...key, revision: 1 },
        ConditionExpression: `${isThere} AND attribute_not_exists(#revision)`,
        ExpressionAttributeNames: { '#revision': 'revision' },
      },
    },
  ],
  [
    'a later revision',
    () => successorPut(key, { revision: 4 }, { a: 1, revision: 4 }),
    {
      Put: {
        ...table,
        Item: { a: 1, ...key, revision: 5 },
        ConditionExpression: `${isThere} AND #revision = :revisionBefore`,
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: { ':revisionBefore': 4 },
      },
    },
  ],
])('%s', (_, write, expected) => {
  expect(write()).toStrictEqual(expected);
});

function putNewOf(Item: object) {
  return { Put: { ...table, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

test('of changes those count that differ, and what is not named stays', () => {
  const before: { a: number; b: object; c?: string } = { a: 1, b: { deep: [1] } };
  expect(changed(before, { a: 1, b: { deep: [1] } })).toEqual({ item: before, changedFields: [] });
  expect(changed(before, { a: undefined, b: { deep: [2] }, c: 'new' })).toEqual({
    item: { a: 1, b: { deep: [2] }, c: 'new' },
    changedFields: ['b', 'c'],
  });
  expect(before).toEqual({ a: 1, b: { deep: [1] } });
});

test('a write by itself gives the item as it is now, nothing when it was refused, and fails otherwise', async () => {
  const mock = mockClient(dynamo());
  const written = () => writeOne(set('records', key, { a: 1 }));
  mock
    .on(UpdateCommand)
    .resolvesOnce({ Attributes: { a: 1 } })
    .rejectsOnce(new ConditionalCheckFailedException({ message: '', $metadata: {} }))
    .rejectsOnce(new Error('no table'));
  expect(await written()).toEqual({ a: 1 });
  expect(mock.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({ Key: key, ReturnValues: 'ALL_NEW' });
  expect(await written()).toBeUndefined();
  await expect(written()).rejects.toThrow('no table');
  mock.restore();
});

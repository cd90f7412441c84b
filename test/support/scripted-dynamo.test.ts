import { setImmediate } from 'node:timers/promises';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { dynamo } from '../../core/clients.ts';
import { tableName } from './dynamo.ts';
import { type Row, scriptDynamo, scripted } from './scripted-dynamo.ts';
import { useTestBusiness } from './test-business.ts';

useTestBusiness();

const TableName = tableName('keys');
const put = (pk: string, n = 0) => dynamo().send(new PutCommand({ TableName, Item: { pk, n } }));
const get = async (pk: string) => (await dynamo().send(new GetCommand({ TableName, Key: { pk } }))).Item;
const transact = (pk: string) =>
  dynamo().send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: { pk } } }] }));

test('A scripted DynamoDB records every call with its input and cost, and ends with its block', async () => {
  let script: ReturnType<typeof scriptDynamo>;
  {
    using block = scriptDynamo([], { units: true });
    script = block;
    await put('a', 1);
    expect(await get('a')).toEqual({ pk: 'a', n: 1 });
    await transact('b');
  }
  await get('a');
  expect(script.operations).toEqual(['PutItem', 'GetItem', 'TransactWriteItems']);
  expect(script.calls[1]?.input).toMatchObject({ Key: { pk: 'a' } });
  expect([script.units(), script.units('read'), script.units('write')]).toEqual([3.5, 0.5, 3]);
});

test.each<[string, Row, unknown]>([
  ['changed before it', { before: () => put('c', 2), nth: 1 }, { pk: 'c', n: 2 }],
  ['answered in its place', { answer: () => ({ Item: { pk: 'c', n: 3 } }) }, { pk: 'c', n: 3 }],
  ['sent as another', { answer: (_, send) => send({ TableName, Key: { pk: 'none' } }) }, undefined],
  ['followed by a change', { after: () => put('c', 4) }, { pk: 'c', n: 1 }],
])('A scripted DynamoDB call can be %s', async (_, row, expected) => {
  await put('c', 1);
  expect(await scripted([{ when: 'GetItem', ...row }], () => get('c'))).toEqual(expected);
});

test('Only the calls that a row selects fail, and of those only the counted ones', async () => {
  const rows: Row[] = [
    { when: 'GetItem', nth: 2, fail: 'ThrottlingException' },
    { when: ({ input }) => input.Item?.pk === 'e', fail: () => new Error('no e') },
  ];
  await scripted(rows, async (script) => {
    await get('d');
    await put('d');
    await expect(get('d')).rejects.toMatchObject({ name: 'ThrottlingException' });
    await get('d');
    await expect(put('e')).rejects.toThrow('no e');
    expect(script.operations).toEqual(['GetItem', 'PutItem', 'GetItem', 'GetItem', 'PutItem']);
  });
});

test('Two concurrent scripts act each on its own function only', async () => {
  const runs = await Promise.all(
    [1, 2].map((n) =>
      scripted([{ answer: () => ({ Item: { n } }) }], async (script) => {
        await setImmediate();
        return [await get('a'), script.calls.length];
      }),
    ),
  );
  expect(runs).toEqual([
    [{ n: 1 }, 1],
    [{ n: 2 }, 1],
  ]);
});

test('A script of attempts also counts and fails the retries of the SDK', async () => {
  const fail = () => Object.assign(new Error(), { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } });
  await scripted(
    [{ nth: 1, fail }],
    async ({ calls }) => {
      await put('f', 1);
      expect(calls).toHaveLength(2);
    },
    { attempts: true },
  );
});

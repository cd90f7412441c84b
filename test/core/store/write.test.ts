import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { changed } from '../../../core/store/revised.ts';
import { set, writeOne } from '../../../core/store/write.ts';

beforeEach(() => vi.stubEnv('TABLE_RECORDS', 'records'));
afterEach(() => vi.unstubAllEnvs());

const key = { pk: 'T#7', sk: 'X' };

test('A change lists only fields that really differ, and keeps fields that are not named', () => {
  const before: { a: number; b: object; c?: string } = { a: 1, b: { deep: [1] } };
  expect(changed(before, { a: 1, b: { deep: [1] } })).toEqual({ item: before, changedFields: [] });
  expect(changed(before, { a: undefined, b: { deep: [2] }, c: 'new' })).toEqual({
    item: { a: 1, b: { deep: [2] }, c: 'new' },
    changedFields: ['b', 'c'],
  });
  expect(before).toEqual({ a: 1, b: { deep: [1] } });
});

test('A single write returns the new item, nothing when its condition failed, and else throws', async () => {
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

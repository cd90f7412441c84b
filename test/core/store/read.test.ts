/** Reads and deletions in several parts are complete, or they fail. */
import { BatchGetCommand, BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import { deleteTogether } from '../../../core/store/delete-each.ts';
import { listPage } from '../../../core/store/list.ts';
import { getItems } from '../../../core/store/read.ts';

const mock = mockClient(dynamo());
beforeEach(() => {
  vi.stubEnv('TABLE_RECORDS', 'records-1');
  vi.stubEnv('TABLE_SECRETS', 'secrets-1');
  setRuntime({ sleep: async () => {} });
});
afterEach(() => {
  mock.reset();
  setRuntime();
  vi.unstubAllEnvs();
});
afterAll(() => mock.restore());

const key = (sk: number | string) => ({ pk: 'p', sk: String(sk) });
const unavailable = (cause: string) =>
  expect.objectContaining({ code: 'temporarily_unavailable', cause: expect.objectContaining({ message: cause }) });

describe('reads of items by their keys', () => {
  const requests = () => mock.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems);

  test('DynamoDB items are read in batches of a hundred and returned in the order of their keys', async () => {
    mock
      .on(BatchGetCommand)
      .callsFake(({ RequestItems }) => ({
        Responses: {
          'records-1': RequestItems['records-1'].Keys.filter(({ sk }: { sk: string }) => sk !== '7').reverse(),
        },
      }));
    const found = await getItems(
      'records',
      Array.from({ length: 101 }, (_, i) => key(i)),
    );
    expect(requests().map((request) => request?.['records-1']?.Keys?.length)).toEqual([100, 1]);
    expect(found).toEqual(Array.from({ length: 101 }, (_, i) => (i === 7 ? undefined : key(i))));
  });

  test('DynamoDB items that a batch read leaves out are requested again, and the read fails if they are left out repeatedly', async () => {
    const left = { 'records-1': { Keys: [key(2)] } };
    mock
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { 'records-1': [key(1)] }, UnprocessedKeys: left })
      .resolvesOnce({ UnprocessedKeys: left })
      .resolvesOnce({ Responses: { 'records-1': [key(2)] }, UnprocessedKeys: {} });
    expect(await getItems('records', [key(1), key(2)])).toEqual([key(1), key(2)]);
    expect(requests().slice(1)).toEqual([left, left]);
    mock.on(BatchGetCommand).resolves({ UnprocessedKeys: left });
    await expect(getItems('records', [key(2)])).rejects.toThrow(unavailable('DynamoDB left keys of a batch unread'));
    expect(requests()).toHaveLength(3 + 5);
  });
});

describe('deletions of several items', () => {
  const requests = () => mock.commandCalls(BatchWriteCommand).map(({ args }) => args[0].input.RequestItems);
  const request = (...keys: object[]) => ({ 'records-1': keys.map((Key) => ({ DeleteRequest: { Key } })) }) as never;

  test('DynamoDB items that a batch deletion leaves unprocessed are deleted by a further call', async () => {
    mock
      .on(BatchWriteCommand)
      .resolvesOnce({ UnprocessedItems: request(key(2)) })
      .resolvesOnce({ UnprocessedItems: {} })
      .resolvesOnce({});
    await deleteTogether('records', [{ ...key(1), other: 'field' } as never, key(2)]);
    expect(requests()).toEqual([request(key(1), key(2)), request(key(2))]);
    await deleteTogether('records', [key(3)]);
    expect(requests()).toHaveLength(3);
  });

  test('If DynamoDB leaves an item undeleted in five calls, the deletion fails with a 503 error', async () => {
    mock.on(BatchWriteCommand).resolves({ UnprocessedItems: request(key(2)) });
    const deleting = deleteTogether('records', [key(2)]);
    await expect(deleting).rejects.toThrow(unavailable('DynamoDB left deletions of a batch undone'));
    await expect(deleting).rejects.toMatchObject({ extras: { retryAfter: 1 } });
    expect(requests()).toHaveLength(5);
  });
});

/** A table of numbered items with pages of the requested size. */
function numbered(count: number, most = 1_000) {
  mock.on(QueryCommand).callsFake(({ Limit = most, ExclusiveStartKey }) => {
    const from = ExclusiveStartKey ? Number(ExclusiveStartKey.sk) : 0;
    const Items = Array.from({ length: Math.min(Limit, count - from) }, (_, i) => ({ id: from + i + 1 }));
    const end = from + Items.length;
    return { ...(Items.length > 0 && { Items }), ...(end < count && { LastEvaluatedKey: key(end) }) };
  });
  return () => mock.commandCalls(QueryCommand).map(({ args }) => args[0].input);
}
const ids = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id);

describe('pages of a list', () => {
  const scope = { tenantId: 7 };
  const page = (more: { limit?: number; cursor?: string; matches?: (item: { id: number }) => boolean } = {}) =>
    listPage({
      query: {},
      scope,
      show: (item: { id: number }) => item,
      positionOf: ({ id }) => String(id),
      keyAt: key,
      ...more,
    });

  test('A page of a list has twenty entries by default', async () => {
    numbered(21);
    expect([(await page()).data.length, (await page()).nextCursor === null]).toEqual([20, false]);
    numbered(20);
    expect([(await page()).data.length, (await page()).nextCursor]).toEqual([20, null]);
  });

  test('A page of a filtered list reads at most ten database pages, and the next page continues after these', async () => {
    const queries = numbered(2_000);
    const matches = ({ id }: { id: number }) => id % 700 === 0;
    const first = await page({ limit: 2, matches });
    expect(ids(first.data)).toEqual([700]);
    expect(queries().map(({ Limit }) => Limit)).toEqual([3, ...Array(9).fill(100)]);
    const second = await page({ limit: 2, matches, cursor: first.nextCursor ?? '' });
    expect(ids(second.data)).toEqual([1_400]);
    expect(queries()[10]?.ExclusiveStartKey).toEqual(key(903));
    const third = await page({ limit: 2, matches, cursor: second.nextCursor ?? '' });
    expect(third).toEqual({ data: [], nextCursor: null });
  });

  test('A forged list cursor gets a validation error, and database errors are not reported as an invalid cursor', async () => {
    numbered(5);
    const cursor = (await page({ limit: 2 })).nextCursor ?? '';
    const refusal = Object.assign(new Error('start key'), { name: 'ValidationException' });
    mock.on(QueryCommand).rejects(refusal);
    await expect(page({ cursor })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(page({})).rejects.toThrow('start key');
    await expect(page({ cursor: 'made-up' })).rejects.toMatchObject({ code: 'validation_failed' });
    mock.on(QueryCommand).rejects(new Error('no table'));
    await expect(page({ cursor })).rejects.toThrow('no table');
  });
});

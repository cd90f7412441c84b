/** Deletes items without conditions, in batches. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Store } from '../../contract/system/needs.ts';
import { chunksOf, forEachConcurrently } from '../chunks.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';
import { RETRY, retrying, unprocessedRetries } from '../retrying.ts';
import { type Key, keyOf } from './key.ts';

/** DynamoDB's limit of one BatchWriteItem. */
export const deletesPerCall = 25;

export function deleteEach(store: Store, keys: readonly Key[]): Promise<void> {
  return forEachConcurrently(chunksOf(keys, deletesPerCall), (chunk) => deleteTogether(store, chunk));
}

/** Deletes up to `deletesPerCall` items. 503 `temporarily_unavailable` if some remain after some attempts. */
export async function deleteTogether(store: Store, keys: readonly Key[]): Promise<void> {
  let left = { [env.table(store)]: keys.map((key) => ({ DeleteRequest: { Key: keyOf(key) } })) };
  const end = await retrying(unprocessedRetries, async () => {
    const { UnprocessedItems } = await dynamo().send(new BatchWriteCommand({ RequestItems: left }));
    if (!UnprocessedItems || Object.keys(UnprocessedItems).length === 0) return 'deleted';
    left = UnprocessedItems as typeof left;
    return RETRY;
  });
  if (end !== RETRY) return;
  throw fail('temporarily_unavailable', {
    retryAfter: 1,
    cause: new Error('DynamoDB left deletions of a batch undone'),
  });
}

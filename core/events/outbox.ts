/** The end of an event's life in the outbox. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '../chunks.ts';
import { dynamo } from '../clients.ts';
import { env } from '../env.ts';
import { again, leftovers, retrying } from '../retrying.ts';
import { type EventPlace, records } from '../table-keys.ts';

/** DynamoDB's limit of one BatchWriteItem. */
const deletesPerCall = 25;

/** Deletes events that need nothing more, in batches; what cannot be deleted is noted in `failures` and comes back. */
export async function closeOutbox(events: readonly EventPlace[], failures: Map<number, Error>): Promise<void> {
  await Promise.all(
    chunksOf(events, deletesPerCall).map((chunk) => noting(chunk, failures, () => deleteTogether(chunk))),
  );
}

async function noting(events: readonly EventPlace[], failures: Map<number, Error>, run: () => Promise<void>) {
  try {
    await run();
  } catch (error) {
    for (const { id } of events) failures.set(id, new Error('The event stays in the outbox', { cause: error }));
  }
}

async function deleteTogether(events: readonly EventPlace[]): Promise<void> {
  let left = { [env.table('records')]: events.map((event) => ({ DeleteRequest: { Key: records.outbox(event) } })) };
  const end = await retrying(leftovers, async () => {
    const { UnprocessedItems } = await dynamo().send(new BatchWriteCommand({ RequestItems: left }));
    if (!UnprocessedItems || Object.keys(UnprocessedItems).length === 0) return 'deleted';
    left = UnprocessedItems as typeof left;
    return again;
  });
  if (end === again) throw new Error('DynamoDB left deletions of a batch undone');
}

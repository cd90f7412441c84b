/** The end of an event's life in the outbox. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../clients.ts';
import { randomFraction, sleep } from '../clock.ts';
import { env } from '../env.ts';
import type { OutboxItem } from './event.ts';

/** DynamoDB's limit of one BatchWriteItem. */
const deletesPerCall = 25;
const rounds = 5;
const firstPauseMs = 25;

/** Deletes events that need nothing more, in batches; what cannot be deleted is noted in `failures` and comes back. */
export async function closeOutbox(items: readonly OutboxItem[], failures: Map<number, Error>): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(items.length / deletesPerCall) }, (_, i) =>
    items.slice(i * deletesPerCall, (i + 1) * deletesPerCall),
  );
  await Promise.all(chunks.map((chunk) => noting(chunk, failures, () => deleteTogether(chunk))));
}

async function noting(items: readonly OutboxItem[], failures: Map<number, Error>, run: () => Promise<void>) {
  try {
    await run();
  } catch (error) {
    for (const { id } of items) failures.set(id, new Error('The event stays in the outbox', { cause: error }));
  }
}

async function deleteTogether(items: readonly OutboxItem[]): Promise<void> {
  let left = { [env.table('records')]: items.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })) };
  for (let round = 1; ; round++) {
    const { UnprocessedItems } = await dynamo().send(new BatchWriteCommand({ RequestItems: left }));
    if (!UnprocessedItems || Object.keys(UnprocessedItems).length === 0) return;
    if (round === rounds) throw new Error('DynamoDB left deletions of a batch undone');
    left = UnprocessedItems as typeof left;
    await sleep(randomFraction() * firstPauseMs * 2 ** round);
  }
}

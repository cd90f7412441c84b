/** The end of an event's life in the outbox. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../clients.ts';
import { randomFraction, sleep } from '../clock.ts';
import { env } from '../env.ts';
import type { OutboxItem } from './event.ts';

/** DynamoDB's limit of one BatchWriteItem. */
const deletesPerCall = 25;
const rounds = 5;
const firstPauseMs = 25;

/**
 * Deletes events that need nothing more; what cannot be deleted is noted in `failures` and comes back.
 *
 * An event that was planned in full never changes again, so those are deleted in batches. One that had no webhook to be
 * planned for is deleted on the condition that nobody planned it meanwhile: a webhook may have come between two
 * consumers' reads, and its pending delivery would lose the only thing that still leads to it.
 */
export async function closeOutbox(items: readonly OutboxItem[], failures: Map<number, Error>): Promise<void> {
  const planned = items.filter(({ allPlanned }) => allPlanned);
  const chunks = Array.from({ length: Math.ceil(planned.length / deletesPerCall) }, (_, i) =>
    planned.slice(i * deletesPerCall, (i + 1) * deletesPerCall),
  );
  await Promise.all([
    ...chunks.map((chunk) => noting(chunk, failures, () => deleteTogether(chunk))),
    ...items
      .filter(({ allPlanned }) => !allPlanned)
      .map((item) => noting([item], failures, () => deleteUnplanned(item))),
  ]);
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

async function deleteUnplanned({ pk, sk, plannedThrough }: OutboxItem): Promise<void> {
  try {
    await dynamo().send(
      new DeleteCommand({
        TableName: env.table('records'),
        Key: { pk, sk },
        ...(plannedThrough === undefined
          ? { ConditionExpression: 'attribute_not_exists(plannedThrough)' }
          : {
              ConditionExpression: 'attribute_not_exists(pk) OR plannedThrough = :through',
              ExpressionAttributeValues: { ':through': plannedThrough },
            }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new Error('Another consumer is planning the event', { cause: error });
  }
}

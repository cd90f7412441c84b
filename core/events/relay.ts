/**
 * Publishes events of the outbox on the bus: the consumer of the stream of the table `records`
 * (docs/rules.md#pipeline). Events that were overdue when the function `sweep` last ran are skipped, because `sweep`
 * has published them. Otherwise they would be published twice, and after an outage new events would wait behind an hour
 * of old ones.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { now } from '../clock.ts';
import { records } from '../table-keys.ts';
import { type Event, eventOf, eventRefOf, isLeftToSweeper, type OutboxItem, readable } from './event.ts';
import { publish } from './publish.ts';

/**
 * Publishes new items of the outbox. Reports the lowest sequence number that was not published: Lambda passes the
 * records from there again, and `plan-deliveries` skips events that were already published.
 */
export async function relay({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const at = now();
  const inserted = Records.flatMap((record) => {
    const event = insertedEvent(record);
    return event && !isLeftToSweeper(event, at)
      ? [{ event, sequenceNumber: record.dynamodb?.SequenceNumber ?? '' }]
      : [];
  });
  const refused = new Set((await publish(inserted.map(({ event }) => eventRefOf(event)))).map(({ id }) => id));
  const first = inserted.find(({ event }) => refused.has(event.id));
  return { batchItemFailures: first ? [{ itemIdentifier: first.sequenceNumber }] : [] };
}

function insertedEvent(record: DynamoDBRecord): Event | undefined {
  if (record.eventName !== 'INSERT') return undefined;
  const image = record.dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
  if (!image?.pk?.S?.startsWith(records.outboxPrefix)) return undefined;
  return readable(image.id?.N, () => eventOf(unmarshall(image) as OutboxItem));
}

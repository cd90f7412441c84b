/**
 * From the outbox to the bus: the consumer of the records table's stream (docs/rules.md#pipeline). It publishes fresh
 * events alone. Those that were overdue when the sweeper last ran are left to the sweeper: they would be published twice,
 * and an hour's backlog would stand in the stream before what happens now.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { now } from '../clock.ts';
import { records } from '../table-keys.ts';
import { type Event, eventOf, eventRefOf, isLeftToSweeper, type OutboxItem, readable } from './event.ts';
import { publish } from './publish.ts';

/**
 * Publishes what was inserted into the outbox. Reports the lowest sequence number that was not published: the stream
 * comes again from there, and what lies behind it and was published in between is a duplicate that planning recognises.
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

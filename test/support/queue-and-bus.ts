/**
 * Fakes of SQS, EventBridge and the events that Lambda creates from them, with what they refuse and return, for all
 * pipelines under test. Each pipeline decides when and how often a message is received.
 */
import type { PutEventsCommandInput, PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { SendMessageBatchCommandInput, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { limits } from '../../contract/limits.ts';
import { type QueueName, queues } from '../../contract/system/queues.ts';
import { eventBridge, sqs } from '../../core/clients.ts';

/** The queues between an event and its attempts. */
export type PipelineQueue = Exclude<QueueName, 'erasures'>;

/** The maximum of entries per request, in both services. */
const entriesPerRequest = 10;

/** Environment variables of functions. Their names lead nowhere. */
export const queueAndBusEnvironment: Readonly<Record<string, string>> = {
  EVENT_BUS: 'bus',
  ...Object.fromEntries(
    Object.keys(queues).map((name) => [`QUEUE_${name.toUpperCase()}`, `https://sqs.invalid/${name}`]),
  ),
};

export interface Destinations {
  toQueue(name: PipelineQueue, entries: readonly SendMessageBatchRequestEntry[]): Promise<object>;
  toBus(entries: readonly PutEventsRequestEntry[]): Promise<object>;
  /** Receives the messages of the erasure queue, which no pipeline contains. By default it accepts all. */
  toErasures?(entries: readonly SendMessageBatchRequestEntry[]): Promise<object>;
}

/** Redirects the clients of `core/clients.ts`. Returns the function that restores them. */
export function intercept({ toQueue, toBus, toErasures = takeAll }: Destinations): () => void {
  Object.assign(sqs(), {
    send: ({ input: { QueueUrl = '', Entries = [] } }: { input: SendMessageBatchCommandInput }) => {
      const name = QueueUrl.split('/').at(-1) as QueueName;
      const { longestDelaySeconds } = queues[name];
      const late = Entries.find(({ DelaySeconds = 0 }) => DelaySeconds > longestDelaySeconds);
      if (late) throw new Error(`${late.DelaySeconds} seconds are longer than the longest delay of ${name}`);
      return name === 'erasures' ? toErasures(Entries) : toQueue(name, Entries);
    },
  });
  Object.assign(eventBridge(), {
    send: ({ input: { Entries = [] } }: { input: PutEventsCommandInput }) => toBus(Entries),
  });
  return () => {
    for (const client of [sqs(), eventBridge()]) Reflect.deleteProperty(client, 'send');
  };
}

const takeAll: NonNullable<Destinations['toErasures']> = async (entries) => ({
  Successful: entries.map(({ Id }) => ({ Id })),
});

/** Redirects the clients and passes only the messages of the erasure queue to `take`. */
export function interceptErasures(take: (message: SendMessageBatchRequestEntry) => void): () => void {
  Object.assign(process.env, queueAndBusEnvironment);
  return intercept({
    toBus: async () => ({}),
    toQueue: (_, entries) => takeAll(entries),
    toErasures: (entries) => {
      for (const entry of entries) take(entry);
      return takeAll(entries);
    },
  });
}

/** `SendMessageBatch`. Throws the errors of SQS. `takes` decides for each entry, by index, whether it is accepted. */
export function sendBatch(
  entries: readonly SendMessageBatchRequestEntry[],
  takes: (index: number) => boolean,
  send: (body: string, delayMs: number, group: string) => void,
) {
  checkCount(entries);
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) throw new Error('BatchEntryIdsNotDistinct');
  const Successful: { Id: string }[] = [];
  const Failed: { Id: string; Code: string }[] = [];
  for (const [i, { Id = '', MessageBody = '', DelaySeconds = 0, MessageGroupId }] of entries.entries()) {
    if (!Number.isInteger(DelaySeconds) || DelaySeconds < 0 || DelaySeconds > limits.queueDelaySecondsMax) {
      throw new Error(`InvalidParameterValue: DelaySeconds ${DelaySeconds}`);
    }
    if (MessageGroupId !== groupOf(MessageBody)) throw new Error('A message of another group');
    if (takes(i)) {
      Successful.push({ Id });
      send(MessageBody, DelaySeconds * 1_000, MessageGroupId);
    } else Failed.push({ Id, Code: 'InternalError' });
  }
  return { Successful, ...(Failed.length > 0 && { Failed }) };
}

/** `PutEvents`. `publish` receives the message of the bus rule for each accepted entry, and its events. */
export function putEvents(
  entries: readonly PutEventsRequestEntry[],
  takes: (index: number) => boolean,
  publish: (body: string, eventIds: readonly number[]) => void,
) {
  checkCount(entries);
  const Entries = entries.map(({ Detail = '', DetailType, Source }, i) => {
    if (!takes(i)) return { ErrorCode: 'InternalFailure' };
    const detail = JSON.parse(Detail) as { events: { id: number }[] };
    const ids = detail.events.map(({ id }) => id);
    publish(JSON.stringify({ version: '0', source: Source, 'detail-type': DetailType, detail }), ids);
    return { EventId: String(ids[0]) };
  });
  return { FailedEntryCount: Entries.filter(({ ErrorCode }) => ErrorCode).length, Entries };
}

function checkCount({ length }: readonly object[]): void {
  if (length === 0 || length > entriesPerRequest) throw new Error(`${length} entries in one request`);
}

/** The message group, which is one business. */
function groupOf(body: string): string {
  const { tenantId, detail } = JSON.parse(body);
  const ids = new Set<number>(detail ? detail.events.map((one: { tenantId: number }) => one.tenantId) : [tenantId]);
  return [...ids].join();
}

export function sqsEvent(messages: readonly { readonly messageId: string; readonly body: string }[]): SQSEvent {
  return { Records: messages.map(({ messageId, body }) => ({ messageId, body })) } as SQSEvent;
}

/** Inserts in order. By default sequence numbers count from 1. */
export function streamEvent(
  items: readonly object[],
  sequences: readonly number[] = items.map((_, i) => i + 1),
): DynamoDBStreamEvent {
  return {
    Records: items.map((item, i) => ({
      eventName: 'INSERT',
      dynamodb: { NewImage: marshall(item), SequenceNumber: String(sequences[i]) },
    })),
  } as DynamoDBStreamEvent;
}

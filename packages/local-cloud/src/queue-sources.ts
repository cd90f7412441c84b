/**
 * Event sources on queues: several pollers, batches, partial failures. Failed messages stay hidden for their timeout.
 */
import { localRegion } from './arn.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import type { LocalFunction } from './functions.ts';
import type { LocalLog } from './log.ts';
import type { QueueEmulator } from './sqs-emulator.ts';

interface Message {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MD5OfBody: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const receiveMax = 10;
const longPollSeconds = 20;
/** Lambda starts with five pollers. A single one would fill larger batches than in the account. */
const pollersMax = 5;

interface Source {
  readonly mapping: EventSourceMapping;
  readonly one: LocalFunction;
  readonly queue: string;
  readonly queues: QueueEmulator;
  readonly log: LocalLog;
  readonly signal: AbortSignal;
}

/** A batch that a poller still fills. It is delivered when it is full or its window ends. */
interface OpenBatch {
  readonly messages: Message[];
  readonly handOver: () => void;
}

/**
 * Polls until the signal aborts, and resolves when the last batch has ended. Up to five pollers receive the messages in
 * rotation; without a window each delivers the result of one call at once.
 */
export async function pollQueue(
  mapping: EventSourceMapping,
  one: LocalFunction,
  queues: QueueEmulator,
  log: LocalLog,
  signal: AbortSignal,
): Promise<void> {
  const queue = mapping.EventSourceArn.split(':').at(-1) ?? '';
  const source = { mapping, one, queue, queues, log, signal };
  const size = mapping.BatchSize ?? receiveMax;
  const windowMs = (mapping.MaximumBatchingWindowInSeconds ?? 0) * 1_000;
  const concurrency = Math.min(one.pool.maxWorkers, mapping.ScalingConfig?.MaximumConcurrency ?? one.pool.maxWorkers);
  const running = new Set<Promise<void>>();
  const openBatches: OpenBatch[] = [];

  const mayOpenBatch = () => openBatches.length < Math.min(pollersMax, concurrency - running.size);

  function openBatch(): OpenBatch {
    const batch: OpenBatch = {
      messages: [],
      handOver() {
        clearTimeout(timer);
        openBatches.splice(openBatches.indexOf(batch), 1);
        const handled = handle(batch.messages, source)
          .catch((error: Error) =>
            log.write('local', one.name, `The event source of ${queue} failed: ${error.message}`),
          )
          .finally(() => running.delete(handled));
        running.add(handled);
      },
    };
    const timer = setTimeout(batch.handOver, windowMs);
    return batch;
  }

  while (!signal.aborted) {
    if (openBatches.length === 0 && !mayOpenBatch()) {
      await Promise.race(running);
      continue;
    }
    let messages = await receive(queue, Math.min(size, receiveMax), queues);
    while (messages.length > 0) {
      const batch = mayOpenBatch() ? openBatch() : openBatches.shift();
      if (!batch) {
        await Promise.race(running);
        continue;
      }
      openBatches.push(batch);
      const room = size - batch.messages.length;
      batch.messages.push(...messages.slice(0, room));
      messages = messages.slice(room);
      if (windowMs === 0 || batch.messages.length === size) batch.handOver();
    }
  }
  for (const { handOver } of [...openBatches]) handOver();
  await Promise.all(running);
}

async function receive(queue: string, count: number, queues: QueueEmulator): Promise<Message[]> {
  const { Messages } = await queues.call('ReceiveMessage', {
    QueueUrl: queue,
    MaxNumberOfMessages: count,
    WaitTimeSeconds: longPollSeconds,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  return Array.isArray(Messages) ? Messages : [];
}

async function handle(messages: readonly Message[], source: Source): Promise<void> {
  const { mapping, one, queue, queues, log, signal } = source;
  const Records = messages.map((message) => record(message, mapping.EventSourceArn));
  const outcome = await one.pool.invoke({ Records });
  if (signal.aborted && !outcome.ok) {
    // The run stops: messages in progress become visible for the next run with the same data.
    const visible = { VisibilityTimeout: 0 };
    await inBatches(messages, (entry) => ({ ...entry, ...visible }), 'ChangeMessageVisibilityBatch', source);
    return;
  }
  if (!outcome.ok) {
    const reason = `${outcome.errorType}: ${outcome.errorMessage}`;
    log.write('local', one.name, `A batch of ${messages.length} from ${queue} failed: ${reason}`);
    return;
  }
  const reports = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false;
  const done = reports ? succeeded(messages, outcome.payload) : messages;
  const failed = messages.length - done.length;
  if (failed > 0) log.write('local', one.name, `${failed} of ${messages.length} messages from ${queue} failed`);
  await inBatches(done, (entry) => entry, 'DeleteMessageBatch', { queue, queues });
}

interface Entry {
  readonly Id: string;
  readonly ReceiptHandle: string;
}

async function inBatches(
  messages: readonly Message[],
  complete: (entry: Entry) => Entry,
  operation: string,
  { queue, queues }: Pick<Source, 'queue' | 'queues'>,
): Promise<void> {
  for (let i = 0; i < messages.length; i += receiveMax) {
    const Entries = messages
      .slice(i, i + receiveMax)
      .map(({ ReceiptHandle }, index) => complete({ Id: String(index), ReceiptHandle }));
    await queues.call(operation, { QueueUrl: queue, Entries });
  }
}

/**
 * Returns the messages of a batch to delete. This is the whole batch if the result lists no failures, and none if the
 * result has another shape, an empty id or an id that is not in the batch.
 */
export function succeeded<T extends { readonly MessageId: string }>(
  messages: readonly T[],
  answer: unknown,
): readonly T[] {
  if (answer === null || answer === undefined) return messages;
  if (typeof answer !== 'object' || Array.isArray(answer)) return [];
  const { batchItemFailures } = answer as { batchItemFailures?: unknown };
  if (batchItemFailures === null || batchItemFailures === undefined) return messages;
  if (!Array.isArray(batchItemFailures)) return [];
  const failed = new Set(
    batchItemFailures.map((item: unknown) => (item as { itemIdentifier?: unknown } | null)?.itemIdentifier),
  );
  const known = new Set<unknown>(messages.map(({ MessageId }) => MessageId));
  return [...failed].every((id) => known.has(id)) ? messages.filter(({ MessageId }) => !failed.has(MessageId)) : [];
}

function record(message: Message, eventSourceARN: string): object {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
        name,
        {
          stringValue: value.StringValue,
          binaryValue: value.BinaryValue,
          stringListValues: [],
          binaryListValues: [],
          dataType: value.DataType,
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: localRegion,
  };
}

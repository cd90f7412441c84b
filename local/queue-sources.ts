/** Event sources on queues: long polls, batches, partial failures. What failed stays hidden until its time is up. */
import type { EventSourceMapping } from './event-sources.ts';
import type { LocalFunction } from './functions.ts';
import type { LocalLog } from './log.ts';
import type { QueueEngine } from './sqs-engine.ts';
import { localRegion } from './arn.ts';

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

/** Polls until the signal aborts. */
export async function pollQueue(
  mapping: EventSourceMapping,
  one: LocalFunction,
  queues: QueueEngine,
  log: LocalLog,
  signal: AbortSignal,
): Promise<void> {
  const queue = mapping.EventSourceArn.split(':').at(-1) ?? '';
  const slots = new Slots(Math.min(one.pool.maxWorkers, mapping.ScalingConfig?.MaximumConcurrency ?? one.pool.maxWorkers));
  while (!signal.aborted) {
    await slots.taken();
    const messages = await gather(queue, mapping, queues, signal).catch((error: Error) => {
      if (!signal.aborted) log.write('local', one.name, `Polling ${queue} failed: ${error.message}`);
      return [];
    });
    if (messages.length === 0 || signal.aborted) {
      slots.free();
      continue;
    }
    void handle(messages, mapping, one, queue, queues, log)
      .catch((error: Error) => log.write('local', one.name, `The event source of ${queue} failed: ${error.message}`))
      .finally(() => slots.free());
  }
}

async function gather(queue: string, mapping: EventSourceMapping, queues: QueueEngine, signal: AbortSignal): Promise<Message[]> {
  const size = mapping.BatchSize ?? receiveMax;
  const messages = await receive(queue, Math.min(size, receiveMax), longPollSeconds, queues);
  const windowEnd = Date.now() + (mapping.MaximumBatchingWindowInSeconds ?? 0) * 1_000;
  while (messages.length > 0 && messages.length < size && !signal.aborted) {
    const restSeconds = Math.ceil((windowEnd - Date.now()) / 1_000);
    if (restSeconds <= 0) break;
    messages.push(...(await receive(queue, Math.min(size - messages.length, receiveMax), restSeconds, queues)));
  }
  return messages;
}

async function receive(queue: string, count: number, waitSeconds: number, queues: QueueEngine): Promise<Message[]> {
  const { Messages } = await queues.call('ReceiveMessage', {
    QueueUrl: queue,
    MaxNumberOfMessages: count,
    WaitTimeSeconds: Math.min(waitSeconds, longPollSeconds),
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  return Array.isArray(Messages) ? Messages : [];
}

async function handle(
  messages: readonly Message[],
  mapping: EventSourceMapping,
  one: LocalFunction,
  queue: string,
  queues: QueueEngine,
  log: LocalLog,
): Promise<void> {
  const outcome = await one.pool.invoke({ Records: messages.map((message) => record(message, mapping.EventSourceArn)) });
  if (!outcome.ok) {
    log.write('local', one.name, `A batch of ${messages.length} from ${queue} failed: ${outcome.errorType}: ${outcome.errorMessage}`);
    return;
  }
  const reports = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false;
  const done = reports ? succeeded(messages, outcome.payload) : messages;
  if (done.length < messages.length) {
    log.write('local', one.name, `${messages.length - done.length} of ${messages.length} messages from ${queue} were reported as failed`);
  }
  for (let i = 0; i < done.length; i += receiveMax) {
    const Entries = done.slice(i, i + receiveMax).map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await queues.call('DeleteMessageBatch', { QueueUrl: queue, Entries });
  }
}

/**
 * What a batch's answer leaves to delete. No failures listed: all of it. An answer of another shape, an empty id or an
 * id that is not in the batch: nothing.
 */
export function succeeded<T extends { readonly MessageId: string }>(messages: readonly T[], answer: unknown): readonly T[] {
  if (answer === null || answer === undefined) return messages;
  if (typeof answer !== 'object' || Array.isArray(answer)) return [];
  const { batchItemFailures } = answer as { batchItemFailures?: unknown };
  if (batchItemFailures === null || batchItemFailures === undefined) return messages;
  if (!Array.isArray(batchItemFailures)) return [];
  const failed = new Set(batchItemFailures.map((item: unknown) => (item as { itemIdentifier?: unknown } | null)?.itemIdentifier));
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

/** Counts concurrent batches. */
class Slots {
  #free: number;
  #wake: (() => void) | undefined;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves once a slot is free, and takes it. One caller waits at a time. */
  async taken(): Promise<void> {
    while (this.#free === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#free -= 1;
  }

  free(): void {
    this.#free += 1;
    this.#wake?.();
  }
}

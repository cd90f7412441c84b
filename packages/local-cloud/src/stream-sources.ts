/** Event sources on table streams: ordered batches, filters, retries, bisection, a destination for failing records. */
import { setTimeout as delay } from 'node:timers/promises';
import { localRegion } from './arn.ts';
import type { Checkpoints } from './data-folder.ts';
import { matches, type Pattern } from './event-pattern.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import type { LocalFunction } from './functions.ts';
import { type LocalLog, messageOf } from './log.ts';
import type { QueueEmulator } from './sqs-emulator.ts';
import type { Cursor, StreamReader, StreamRecord } from './stream-reader.ts';

const recordsMax = 1_000;
const defaultBatchSize = 100;
/** The poll interval for writes that do not pass the AWS endpoint; those that do wake the reader. */
const idleMs = 1_000;
const retryMs = { first: 100, max: 10_000 };

export interface StreamServices {
  readonly streams: StreamReader;
  readonly checkpoints: Checkpoints;
  readonly queues: QueueEmulator;
  readonly log: LocalLog;
}

export interface RunningStream {
  readonly finished: Promise<void>;
  wake(): void;
}

export async function readStream(
  mapping: EventSourceMapping,
  one: LocalFunction,
  filters: readonly Pattern[],
  { streams, checkpoints, queues, log }: StreamServices,
  signal: AbortSignal,
): Promise<RunningStream> {
  const written = new Notification();
  // A mapping with another stream starts from the beginning.
  const checkpointName = `${mapping.name} ${mapping.EventSourceArn}`;
  const checkpoint = checkpoints.get(checkpointName);
  // `LATEST` means this moment, so the position is read before the system is ready.
  const start = await streams.open(
    mapping.EventSourceArn,
    checkpoint === undefined ? (mapping.StartingPosition ?? 'TRIM_HORIZON') : { after: checkpoint },
  );
  const consumer = { mapping, one, queues, log, signal };

  async function run(): Promise<void> {
    let cursor = start;
    while (!signal.aborted) {
      try {
        const page = await readBatch(cursor, mapping, streams, written, signal);
        const wanted = page.records
          .map((record) => ({ ...record, awsRegion: localRegion, eventSourceARN: mapping.EventSourceArn }))
          .filter((record) => filters.length === 0 || filters.some((filter) => matches(filter, record)));
        if (wanted.length > 0) await deliver(wanted, consumer);
        if (signal.aborted) return;
        const last = page.records.at(-1);
        if (last) checkpoints.set(checkpointName, last.dynamodb.SequenceNumber);
        cursor = page.next;
        if (!last) await written.wait(idleMs);
      } catch (error) {
        if (signal.aborted) return;
        log.write('local', one.name, `Reading ${mapping.EventSourceArn} failed: ${messageOf(error)}`);
        await pause(idleMs, signal);
      }
    }
  }

  return { finished: run(), wake: () => written.notify() };
}

async function readBatch(
  cursor: Cursor,
  mapping: EventSourceMapping,
  streams: StreamReader,
  written: Notification,
  signal: AbortSignal,
): ReturnType<StreamReader['read']> {
  const size = Math.min(mapping.BatchSize ?? defaultBatchSize, recordsMax);
  let page = await streams.read(cursor, size);
  const windowEnd = Date.now() + (mapping.MaximumBatchingWindowInSeconds ?? 0) * 1_000;
  while (page.records.length > 0 && page.records.length < size && Date.now() < windowEnd && !signal.aborted) {
    await written.wait(windowEnd - Date.now());
    const more = await streams.read(page.next, size - page.records.length);
    page = { records: [...page.records, ...more.records], next: more.next };
  }
  return page;
}

interface Consumer {
  readonly mapping: EventSourceMapping;
  readonly one: LocalFunction;
  readonly queues: QueueEmulator;
  readonly log: LocalLog;
  readonly signal: AbortSignal;
}

/** Returns when the batch is done or given up. Until then the shard waits, as in the account. */
async function deliver(batch: readonly StreamRecord[], consumer: Consumer): Promise<void> {
  const { mapping, one, log, signal } = consumer;
  let rest = batch;
  for (let failures = 0; !signal.aborted; ) {
    const outcome = await one.pool.invoke({ Records: rest });
    if (signal.aborted) return;
    const left = outcome.ok ? unfinished(rest, outcome.payload, mapping) : rest;
    if (left.length === 0) return;
    failures += 1;
    const why = outcome.ok ? 'the function reported failures' : `${outcome.errorType}: ${outcome.errorMessage}`;
    log.write('local', one.name, `A batch of ${left.length} stream records failed: ${why}`);
    if (givenUp(left, failures, mapping)) return sendToDestination(left, why, consumer);
    if (mapping.BisectBatchOnFunctionError && left.length > 1 && left.length === rest.length) {
      const middle = Math.ceil(left.length / 2);
      await deliver(left.slice(0, middle), consumer);
      return deliver(left.slice(middle), consumer);
    }
    rest = left;
    await pause(Math.min(retryMs.first * 2 ** (failures - 1), retryMs.max), signal);
  }
}

/** Returns the records to retry: all from the first reported failure on. */
export function unfinished(
  batch: readonly StreamRecord[],
  answer: unknown,
  mapping: Pick<EventSourceMapping, 'FunctionResponseTypes'>,
): readonly StreamRecord[] {
  if (!mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures')) return [];
  if (typeof answer !== 'object' || answer === null) return [];
  const { batchItemFailures } = answer as { batchItemFailures?: unknown };
  if (!Array.isArray(batchItemFailures) || batchItemFailures.length === 0) return [];
  const ids = batchItemFailures.map((item: unknown) => (item as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  const known = batch.map(({ dynamodb }) => dynamodb.SequenceNumber);
  if (!ids.every((id) => typeof id === 'string' && known.includes(id))) return batch;
  return batch.slice(Math.min(...ids.map((id) => known.indexOf(String(id)))));
}

function givenUp(batch: readonly StreamRecord[], failures: number, mapping: EventSourceMapping): boolean {
  const { MaximumRetryAttempts: retries = -1, MaximumRecordAgeInSeconds: age = -1 } = mapping;
  if (retries >= 0 && failures > retries) return true;
  const oldest = batch[0]?.dynamodb.ApproximateCreationDateTime;
  return age >= 0 && oldest !== undefined && Date.now() / 1_000 - oldest > age;
}

async function sendToDestination(
  batch: readonly StreamRecord[],
  why: string,
  { mapping, one, queues, log }: Consumer,
): Promise<void> {
  const destination = mapping.DestinationConfig?.OnFailure.Destination;
  log.write(
    'local',
    one.name,
    `${batch.length} stream records were given up${destination ? ` and reported to ${destination}` : ''}.`,
  );
  if (destination === undefined) return;
  await queues.call('SendMessage', {
    QueueUrl: destination.split(':').at(-1),
    MessageBody: JSON.stringify({
      version: '1.0',
      timestamp: new Date().toISOString(),
      requestContext: { functionArn: one.arn, condition: 'RetryAttemptsExhausted' },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: why },
      DDBStreamBatchInfo: {
        streamArn: mapping.EventSourceArn,
        batchSize: batch.length,
        startSequenceNumber: batch[0]?.dynamodb.SequenceNumber,
        endSequenceNumber: batch.at(-1)?.dynamodb.SequenceNumber,
      },
    }),
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Wakes one waiter; a notification without a waiter is kept for the next. */
class Notification {
  #next = Promise.withResolvers<void>();

  notify(): void {
    this.#next.resolve();
  }

  async wait(ms: number): Promise<void> {
    await Promise.race([this.#next.promise, delay(ms, undefined, { ref: false })]);
    this.#next = Promise.withResolvers();
  }
}

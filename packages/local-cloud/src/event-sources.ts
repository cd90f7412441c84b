/** Event source mappings: they connect queues and streams to functions. */
import type { AwsEndpoint } from './aws-endpoint.ts';
import { type KeyOf, permissionsOf } from './aws-permissions.ts';
import { checkPattern, type Pattern } from './event-pattern.ts';
import { type EventSourceMapping, eventSourceMapping } from './event-source-mapping.ts';
import type { Functions, LocalFunction } from './functions.ts';
import type { Permission } from './iam.ts';
import { messageOf } from './log.ts';
import type { Model } from './model.ts';
import { pollQueue } from './queue-sources.ts';
import { readStream, type StreamServices } from './stream-sources.ts';

interface EventSourceServices extends StreamServices {
  readonly endpoint: AwsEndpoint;
  readonly functions: Functions;
  readonly keyOf: KeyOf;
  /** The visibility timeouts of the templates, by the queue's ARN. */
  readonly visibilitySeconds: ReadonlyMap<string, number>;
}

export interface EventSources {
  /** Reads the streams now, without waiting for the next poll. */
  wake(): void;
  /** Stops polling. Resolves when the batches in progress have ended. */
  stop(): Promise<void>;
}

/** Lambda's limit: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html */
const batchMaxWithoutWindow = 10;

export async function startEventSources(model: Model, services: EventSourceServices): Promise<EventSources> {
  const { functions, queues, log } = services;
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  const wakes: (() => void)[] = [];
  const wake = () => {
    for (const one of wakes) one();
  };
  const stop = (): Promise<void> => {
    stopping.abort();
    wake();
    // Repeated, because a long poll may still be on its way to the emulator.
    const release = setInterval(() => queues.releaseWaiters(), 10);
    return Promise.all(running)
      .then(() => undefined)
      .finally(() => clearInterval(release));
  };
  try {
    for (const { name, logicalId, properties } of model.all(eventSourceMapping)) {
      if (properties.Enabled === false) continue;
      const one = functions.find(properties.FunctionName);
      checkRole(one, properties.EventSourceArn, properties.DestinationConfig?.OnFailure.Destination, services);
      const source = { ...properties, name };
      if (properties.EventSourceArn.includes(':sqs:')) {
        if (properties.FilterCriteria)
          throw new Error(`The local run does not support FilterCriteria of a queue (${logicalId}).`);
        if ((properties.BatchSize ?? 0) > batchMaxWithoutWindow && !properties.MaximumBatchingWindowInSeconds)
          throw new Error(`Lambda refuses a BatchSize above ${batchMaxWithoutWindow} without a window (${logicalId}).`);
        const visible = services.visibilitySeconds.get(properties.EventSourceArn) ?? 0;
        if (visible < one.timeoutSeconds)
          throw new Error(
            `Lambda refuses a queue whose visibility timeout (${visible} seconds) is shorter than the timeout of its function (${one.timeoutSeconds} seconds): ${logicalId}.`,
          );
        running.push(pollQueue(source, one, queues, log, stopping.signal));
      } else {
        const reader = await readStream(source, one, filtersOf(source, logicalId), services, stopping.signal);
        wakes.push(reader.wake);
        running.push(reader.finished);
      }
    }
  } catch (error) {
    // Event sources that already started must not run without the others.
    await stop();
    throw error;
  }
  return { wake, stop };
}

const queueCalls = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
const streamCalls = ['DescribeStream', 'GetShardIterator', 'GetRecords'];

/** Lambda polls with the function's role, and rejects a mapping if the role lacks a permission. */
function checkRole(
  one: LocalFunction,
  sourceArn: string,
  destination: string | undefined,
  services: EventSourceServices,
): void {
  const { endpoint, keyOf } = services;
  const needed: Permission[] = sourceArn.includes(':sqs:')
    ? queueCalls.flatMap((call) => permissionsOf('sqs', call, { QueueName: sourceArn.split(':').at(-1) }, keyOf))
    : streamCalls.flatMap((call) => permissionsOf('streams', call, { StreamArn: sourceArn }, keyOf));
  if (destination !== undefined) {
    if (!destination.includes(':sqs:')) throw new Error(`A destination must be a queue, not ${destination}.`);
    needed.push(...permissionsOf('sqs', 'SendMessage', { QueueName: destination.split(':').at(-1) }, keyOf));
  }
  endpoint.authorize(one.role, needed);
}

function filtersOf({ FilterCriteria }: EventSourceMapping, logicalId: string): Pattern[] {
  return (FilterCriteria?.Filters ?? []).map(({ Pattern: text }) => {
    try {
      const pattern = JSON.parse(text) as Pattern;
      checkPattern(pattern);
      return pattern;
    } catch (error) {
      throw new Error(
        `The local run cannot read the filter of ${eventSourceMapping.type} (${logicalId}): ${messageOf(error)}.`,
      );
    }
  });
}

/** Queues and their consumers. A row is a queue, its dead-letter queue and the event source of its handler. */
import { limits } from '../limits.ts';
import type { FunctionRow } from './needs.ts';

export interface Queue extends FunctionRow {
  /** The file in `functions/queues/`, without its extension. Two rows may share one handler. */
  readonly handler: string;
  /** Messages per batch of Lambda. Up to ten need no batching window. */
  readonly batchSize: number;
  /** The longest delay with which a message is sent to the queue. The alarm for old messages subtracts it. */
  readonly longestDelaySeconds: number;
  /** The limit of concurrent batches, so that receivers that hang cannot use up the account's capacity. */
  readonly maxConcurrency: number;
}

/** Receives before a message goes to the dead-letter queue of its queue. */
export const maxReceiveCount = 8;

/** The rows that make attempts. */
const attempting = {
  handler: 'deliver-webhook',
  // These are ten batched messages of ten: under load a hundred deliveries share reads and writes, and a hundred
  // receivers that hang cost function time once. A larger batch would need more TLS handshakes than this function can
  // make before the delay is charged to the receivers.
  batchSize: 10,
  timeoutSeconds: 60,
  maxConcurrency: 50,
  memoryMb: 512,
  needs: {
    deliveries: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'PartiQLUpdate'],
    secrets: ['BatchGetItem'],
    // The outbox is read for operational events.
    records: ['BatchGetItem', 'PutItem'],
    send: ['retries'],
  },
} as const;

export const queues = {
  events: {
    handler: 'plan-deliveries',
    longestDelaySeconds: 0,
    summary: 'Events from the bus. Each becomes one delivery per active webhook that subscribed to it.',
    batchSize: 10,
    timeoutSeconds: 30,
    maxConcurrency: 20,
    memoryMb: 512,
    needs: {
      records: ['BatchGetItem', 'BatchWriteItem'],
      deliveries: ['Query', 'PartiQLInsert', 'PartiQLUpdate'],
      send: ['events', 'deliveries', 'retries'],
    },
  },
  deliveries: { ...attempting, longestDelaySeconds: 0, summary: 'First attempts.' },
  retries: {
    ...attempting,
    longestDelaySeconds: limits.queueDelaySecondsMax,
    summary: 'Retries, redeliveries, and deliveries to slow receivers.',
  },
  erasures: {
    handler: 'erase-clients',
    longestDelaySeconds: 90,
    summary:
      'Erased clients, whose remaining personal data is erased, and deleted webhooks and reset sandboxes, whose logs are erased.',
    batchSize: 1,
    timeoutSeconds: 60,
    maxConcurrency: 5,
    memoryMb: 512,
    needs: {
      records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
      deliveries: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'BatchWriteItem'],
      send: ['erasures'],
    },
  },
} as const satisfies Record<string, Queue>;

export type QueueName = keyof typeof queues;

/** This exists only if the operator sets a sender address (docs/operating.md#settings). */
export const noticesQueue = {
  handler: 'send-notices',
  longestDelaySeconds: limits.noticeWindowSeconds + limits.noticeSettleSeconds,
  summary: 'Notices of webhooks and API keys, collected for each address and sent as one email.',
  batchSize: 10,
  timeoutSeconds: 30,
  maxConcurrency: 5,
  memoryMb: 256,
  needs: {
    records: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    deliveries: ['BatchGetItem'],
    send: ['notices'],
    mail: true,
    pages: true,
  },
} as const satisfies Queue;

for (const [name, row] of Object.entries<Queue>(queues)) {
  if (row.handler === 'deliver-webhook' && row.timeoutSeconds * 1_000 < 2 * limits.deliveryTimeoutMs) {
    throw new Error(`contract/system/queues.ts: the timeout of ${name} is at least twice the deadline of an attempt`);
  }
}
if (noticesQueue.timeoutSeconds > limits.noticeSettleSeconds) {
  throw new Error('contract/system/queues.ts: a notice is on record before the email of its window is written');
}

/** Queues and what consumes them. A row is a queue, its dead-letter queue and the event source of its handler. */
import { limits } from './limits.ts';
import type { Needs } from './needs.ts';

export interface Queue {
  /** File in `functions/queues/`, without its ending. Two rows may share one handler. */
  readonly handler: string;
  readonly summary: string;
  readonly batchSize: number;
  /** How long a poller gathers a batch. 0 takes what is there. */
  readonly batchingWindowSeconds: number;
  readonly timeoutSeconds: number;
  /** Receives before a message goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
  /** Concurrent batches at most, so that receivers that hang cannot take the account's capacity. */
  readonly maxConcurrency: number;
  readonly memoryMb: number;
  readonly needs: Needs;
}

const deliverNeeds = {
  deliveries: ['BatchGetItem', 'PutItem', 'UpdateItem', 'PartiQLUpdate'],
  secrets: ['BatchGetItem'],
  records: ['BatchGetItem'],
  send: ['retries'],
} as const satisfies Needs;

export const queues = {
  events: {
    handler: 'plan-deliveries',
    summary: 'Events off the bus; each becomes one delivery per active webhook that subscribed to it.',
    batchSize: 10,
    batchingWindowSeconds: 0,
    timeoutSeconds: 30,
    maxReceiveCount: 8,
    maxConcurrency: 20,
    memoryMb: 512,
    needs: {
      records: ['BatchGetItem', 'BatchWriteItem'],
      deliveries: ['Query', 'PartiQLInsert', 'PartiQLUpdate'],
      send: ['deliveries', 'retries'],
    },
  },
  deliveries: {
    handler: 'deliver-webhook',
    summary: 'First attempts.',
    // Gathered for the shortest time that Lambda knows: what is read and written is shared by all of a batch.
    batchSize: 100,
    batchingWindowSeconds: 1,
    timeoutSeconds: 60,
    maxReceiveCount: 8,
    maxConcurrency: 50,
    memoryMb: 512,
    needs: deliverNeeds,
  },
  retries: {
    handler: 'deliver-webhook',
    summary: 'The slow lane: later attempts, hops on the way to them, redeliveries, and receivers that let us wait.',
    // Receivers that hang cost the time of a function, and those that hang together cost it once. More of them would be
    // more handshakes than a function of this size makes within the time that is charged to receivers.
    batchSize: 100,
    batchingWindowSeconds: 1,
    timeoutSeconds: 60,
    maxReceiveCount: 8,
    maxConcurrency: 50,
    memoryMb: 512,
    needs: deliverNeeds,
  },
} as const satisfies Record<string, Queue>;

export type QueueName = keyof typeof queues;

for (const [name, row] of Object.entries<Queue>(queues)) {
  if (row.handler === 'deliver-webhook' && row.timeoutSeconds * 1_000 < 2 * limits.deliveryTimeoutMs) {
    throw new Error(`contract/queues.ts: a batch of ${name} has time for an attempt's deadline twice over`);
  }
}

/** The services of AWS as the functions see them: each call may be refused, half done, or done and never answered. */
import type { PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import type { SendMessageBatchCommandInput } from '@aws-sdk/client-sqs';
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { QueueName } from '../../contract/queues.ts';
import { dynamo, eventBridge, sqs } from '../../core/clients.ts';
import type { Command, MemoryDynamo } from './memory-dynamo/memory-dynamo.ts';
import { cancelled, throttled } from './memory-dynamo/refusals.ts';
import type { MemoryQueue } from './memory-queue.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface ServicesOptions {
  readonly world: World;
  readonly random: Random;
  readonly store: MemoryDynamo;
  readonly queues: Readonly<Record<QueueName, MemoryQueue>>;
  /** What functions of this name send is taken by the queues and lost. */
  readonly loses?: string | undefined;
  /** What is sent to this queue is taken and lost; the bus still reaches it. */
  readonly losesTo?: QueueName | undefined;
  /** The bus took an event. */
  readonly onPublished: (eventId: number) => void;
}

export class Services {
  readonly #options: ServicesOptions;

  constructor(options: ServicesOptions) {
    this.#options = options;
  }

  /** From here on the clients of `core/clients.ts` lead here. */
  intercept(): void {
    Object.assign(dynamo(), { send: (command: Command) => this.#toStore(command) });
    Object.assign(sqs(), { send: ({ input }: Command) => this.#toQueue(input as SendMessageBatchCommandInput) });
    Object.assign(eventBridge(), { send: ({ input }: Command) => this.#toBus(input as PutEventsCommandInput) });
  }

  release(): void {
    for (const client of [dynamo(), sqs(), eventBridge()]) Reflect.deleteProperty(client, 'send');
  }

  #toStore(command: Command): Promise<object> {
    const { world, random, store } = this.#options;
    const name = command.constructor.name.replace(/Command$/, '');
    return world.effect('store', name, world.faults.latency(), (fault) => {
      if (fault === 'refused') throw throttled();
      if (fault === 'conflict' && name === 'TransactWrite') throw this.#conflict(command.input);
      if (fault !== 'partial') return store.execute(command);
      const { Limit = 100 } = command.input as QueryCommandInput;
      return store.execute(command, {
        leavesOut: () => random.chance(0.5),
        pageItems: Math.min(Limit, random.between(1, 5)),
      });
    });
  }

  #conflict({ TransactItems = [] }: { TransactItems?: readonly unknown[] }): Error {
    const at = this.#options.random.below(TransactItems.length);
    return cancelled(TransactItems.map((_, i) => ({ Code: i === at ? 'TransactionConflict' : 'None' })));
  }

  #toQueue({ QueueUrl = '', Entries = [] }: SendMessageBatchCommandInput): Promise<object> {
    const { world, random, queues, loses, losesTo } = this.#options;
    const name = QueueUrl.split('/').at(-1) as QueueName;
    if (loses === world.current().name || losesTo === name) return Promise.resolve({ Successful: Entries });
    return world.effect(name, `send ${name}`, world.faults.latency(), (fault) => {
      if (fault === 'refused') throw new Error('ServiceUnavailable');
      return queues[name].sendBatch(Entries, () => fault !== 'partial' || random.chance(0.5));
    });
  }

  #toBus({ Entries: entries = [] }: PutEventsCommandInput): Promise<object> {
    const { world, random, queues, onPublished } = this.#options;
    return world.effect('bus', 'PutEvents', world.faults.latency(), (fault) => {
      if (fault === 'refused') throw new Error('ThrottlingException');
      if (entries.length === 0 || entries.length > 10) throw new Error(`${entries.length} entries in one PutEvents`);
      const Entries = entries.map(({ Detail = '', DetailType, Source }) => {
        if (fault === 'partial' && random.chance(0.5)) return { ErrorCode: 'InternalFailure' };
        const detail = JSON.parse(Detail);
        for (const { id } of detail.events) onPublished(id);
        const body = JSON.stringify({ version: '0', source: Source, 'detail-type': DetailType, detail });
        // The bus itself is at least once, too.
        const copies = world.faults.strikes('duplicate') ? 2 : 1;
        for (let i = 0; i < copies; i++) queues.events.send(body, random.between(20, 150));
        return { EventId: String(detail.events[0].id) };
      });
      return { FailedEntryCount: Entries.filter(({ ErrorCode }) => ErrorCode).length, Entries };
    });
  }
}

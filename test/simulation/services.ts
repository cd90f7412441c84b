/** The services of AWS as the functions see them: each call may be refused, half done, or done and never answered. */
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../../core/clients.ts';
import type { Command, MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import { cancelled, throttled } from '../../packages/memory-dynamo/src/refusals.ts';
import { type Destinations, intercept, type PipelineQueue, putEvents } from '../support/queue-and-bus.ts';
import type { MemoryQueue } from './memory-queue.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

export interface ServicesOptions {
  readonly world: World;
  readonly random: Random;
  readonly store: MemoryDynamo;
  readonly queues: Readonly<Record<PipelineQueue, MemoryQueue>>;
  /** What functions of this name send is taken by the queues and lost. */
  readonly loses?: string | undefined;
  /** What is sent to this queue is taken and lost; the bus still reaches it. */
  readonly losesTo?: PipelineQueue | undefined;
  /** What the store gets in place of a command. */
  readonly rewrites?: ((command: Command) => Command) | undefined;
  /** The bus took an event. */
  readonly onPublished: (eventId: number) => void;
}

export class Services {
  readonly #options: ServicesOptions;

  constructor(options: ServicesOptions) {
    this.#options = options;
  }

  /** From here on the clients of `core/clients.ts` lead here. Returns what gives them back. */
  intercept(): () => void {
    Object.assign(dynamo(), { send: (command: Command) => this.#toStore(command) });
    const release = intercept({
      toQueue: (name, entries) => this.#toQueue(name, entries),
      toBus: (entries) => this.#toBus(entries),
    });
    return () => {
      Reflect.deleteProperty(dynamo(), 'send');
      release();
    };
  }

  #toStore(command: Command): Promise<object> {
    const { world, random, store } = this.#options;
    const name = command.constructor.name.replace(/Command$/, '');
    return world.effect('store', name, world.faults.latency(), (fault) => {
      if (fault === 'refused') throw throttled();
      if (fault === 'conflict' && name === 'TransactWrite') throw this.#conflict(command.input);
      if (fault !== 'partial') return store.execute(this.#options.rewrites?.(command) ?? command);
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

  #toQueue(...[name, entries]: Parameters<Destinations['toQueue']>): Promise<object> {
    const { world, random, queues, loses, losesTo } = this.#options;
    if (loses === world.current().name || losesTo === name) return Promise.resolve({ Successful: entries });
    return world.effect(name, `send ${name}`, world.faults.latency(), (fault) => {
      if (fault === 'refused') throw new Error('ServiceUnavailable');
      return queues[name].sendBatch(entries, () => fault !== 'partial' || random.chance(0.5));
    });
  }

  #toBus(entries: Parameters<Destinations['toBus']>[0]): Promise<object> {
    const { world, random, queues, onPublished } = this.#options;
    return world.effect('bus', 'PutEvents', world.faults.latency(), (fault) => {
      if (fault === 'refused') throw new Error('ThrottlingException');
      const takes = () => fault !== 'partial' || !random.chance(0.5);
      return putEvents(entries, takes, (body, eventIds) => {
        for (const id of eventIds) onPublished(id);
        // The bus itself is at least once, too.
        const copies = world.faults.strikes('duplicate') ? 2 : 1;
        for (let i = 0; i < copies; i++) queues.events.send(body, random.between(20, 150));
      });
    });
  }
}

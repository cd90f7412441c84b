/** Fakes AWS services for the functions: each call may be refused, half done, or done without a response. */
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../../core/clients.ts';
import type { Command, MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import { cancelled, throttled } from '../../packages/memory-dynamo/src/refusals.ts';
import { intercept, type PipelineQueue, putEvents } from '../support/queue-and-bus.ts';
import type { MemoryQueue } from './memory-queue.ts';
import type { Random } from './random.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

interface ServicesOptions {
  readonly runtime: SimulatedRuntime;
  readonly random: Random;
  readonly store: MemoryDynamo;
  readonly queues: Readonly<Record<PipelineQueue, MemoryQueue>>;
  /** The queues accept and lose messages of functions with this name. */
  readonly loses?: string | undefined;
  /** Messages to this queue are accepted and lost; the bus still reaches it. */
  readonly losesTo?: PipelineQueue | undefined;
  readonly rewrites?: ((command: Command) => Command) | undefined;
  readonly onPublished: (eventId: number) => void;
}

/** Redirects the clients of `core/clients.ts`. Returns the function that restores them. */
export function interceptServices(options: ServicesOptions): () => void {
  const { runtime, random, store, queues, loses, losesTo, rewrites, onPublished } = options;

  function toStore(command: Command): Promise<object> {
    const name = command.constructor.name.replace(/Command$/, '');
    return runtime.effect('store', name, runtime.faults.latency(), (fault) => {
      if (fault === 'refused') throw throttled();
      if (fault === 'conflict' && name === 'TransactWrite') throw conflict(command.input);
      if (fault !== 'partial') return store.execute(rewrites?.(command) ?? command);
      const { Limit = 100 } = command.input as QueryCommandInput;
      return store.execute(command, {
        leavesOut: () => random.chance(0.5),
        pageItems: Math.min(Limit, random.between(1, 5)),
      });
    });
  }

  function conflict({ TransactItems = [] }: { TransactItems?: readonly unknown[] }): Error {
    const at = random.below(TransactItems.length);
    return cancelled(TransactItems.map((_, i) => ({ Code: i === at ? 'TransactionConflict' : 'None' })));
  }

  Object.assign(dynamo(), { send: toStore });
  const release = intercept({
    toQueue: (name, entries) => {
      if (loses === runtime.current().name || losesTo === name) return Promise.resolve({ Successful: entries });
      return runtime.effect(name, `send ${name}`, runtime.faults.latency(), (fault) => {
        if (fault === 'refused') throw new Error('ServiceUnavailable');
        return queues[name].sendBatch(entries, () => fault !== 'partial' || random.chance(0.5));
      });
    },
    toBus: (entries) =>
      runtime.effect('bus', 'PutEvents', runtime.faults.latency(), (fault) => {
        if (fault === 'refused') throw new Error('ThrottlingException');
        const takes = () => fault !== 'partial' || !random.chance(0.5);
        return putEvents(entries, takes, (body, eventIds) => {
          for (const id of eventIds) onPublished(id);
          // The bus also delivers at least once.
          const copies = runtime.faults.strikes('duplicate') ? 2 : 1;
          for (let i = 0; i < copies; i++) queues.events.send(body, random.between(20, 150));
        });
      }),
  });
  return () => {
    Reflect.deleteProperty(dynamo(), 'send');
    release();
  };
}

/** Generates the events of the businesses: bursts over the whole span. */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { eventExamples } from '../../contract/event-examples.ts';
import { eventNames } from '../../contract/events.ts';
import { type Event, outboxPut, raise } from '../../core/events/event.ts';
import { outboxShards } from '../../core/table-keys.ts';
import type { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Business } from './population.ts';
import type { Random } from './random.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

/** Text in every event's data. No message on the way may contain it, because messages can become dead letters. */
export const seededContent = 'seeded-content';

const largestBurst = 100;
const businessesPerBurst = 4;

export interface ArrivalsOptions {
  readonly runtime: SimulatedRuntime;
  readonly random: Random;
  readonly store: MemoryDynamo;
  readonly businesses: readonly Business[];
  readonly events: number;
  readonly spanMs: number;
  readonly startAt: number;
  /** The period without events, in milliseconds from the start. */
  readonly stop?: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** The number of outbox partitions over which the version of that time spreads events. Default: today's. */
  readonly shards?: ((sinceMs: number) => number) | undefined;
}

export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #totalWeight: number;
  raised = 0;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
    this.#totalWeight = options.businesses.reduce((sum, { weight }) => sum + weight, 0);
  }

  plan(): void {
    const { runtime, random, events, spanMs, stop = { fromMs: spanMs, toMs: spanMs } } = this.#options;
    const stoppedMs = stop.toMs - stop.fromMs;
    const bursts = Math.max(1, Math.ceil(events / (largestBurst / 2)));
    for (let i = 0; i < bursts; i++) {
      const at = random.below(Math.max(1, spanMs - stoppedMs));
      runtime.timeline.in(at < stop.fromMs ? at : at + stoppedMs, () =>
        this.#burst(random.between(1, largestBurst - 1)),
      );
    }
    // The last moment adds the events that the bursts did not create.
    runtime.timeline.in(Math.max(spanMs, stop.toMs), () => this.#burst(events));
  }

  #burst(count: number): void {
    const { random, events } = this.#options;
    const busy = Array.from({ length: random.between(1, businessesPerBurst) }, () => this.#someBusiness());
    for (let i = 0; i < count && this.raised < events; i++) this.raise(random.pick(busy));
  }

  #someBusiness(): Business {
    let point = this.#options.random.fraction() * this.#totalWeight;
    const found = this.#options.businesses.find(({ weight }) => {
      point -= weight;
      return point < 0;
    });
    if (!found) throw new Error('There is no business');
    return found;
  }

  #shards(): number {
    const { runtime, startAt, shards = () => outboxShards } = this.#options;
    return shards(runtime.now - startAt);
  }

  raise({ id }: Business): void {
    const { runtime, random, store } = this.#options;
    const name = random.pick(eventNames);
    const data = { ...eventExamples[name], note: seededContent };
    const { shard, ...rest } = raise(id, name, data as never, runtime.now) as Event;
    const event = { ...rest, shard: shard % this.#shards() } as Event;
    this.raised += 1;
    store.execute(new TransactWriteCommand({ TransactItems: [outboxPut(event)] }));
  }
}

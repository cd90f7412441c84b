/**
 * Runs the production handlers of the pipeline one at a time, without randomness. The test controls the bus and the
 * receiver; DynamoDB is a real emulator; the process can crash at any write, message or request.
 */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { eventExamples } from '../../contract/event-examples.ts';
import type { EventName } from '../../contract/events.ts';
import { queues as rows } from '../../contract/system/queues.ts';
import { schedules } from '../../contract/system/schedules.ts';
import { streams } from '../../contract/system/streams.ts';
import { dynamo } from '../../core/clients.ts';
import { now, setRuntime } from '../../core/clock.ts';
import { sweepDeliveries } from '../../core/deliveries/log/sweep.ts';
import { type Event, outboxPut, raise } from '../../core/events/event.ts';
import { sweep } from '../../core/events/sweep.ts';
import { log } from '../../core/log.ts';
import type { SendRequest } from '../../core/webhooks/sender/send.ts';
import { permissionsOf } from '../../packages/local-cloud/src/aws-permissions.ts';
import { OneCrash, type Target } from '../simulation/faults.ts';
import { MemoryQueue } from '../simulation/memory-queue.ts';
import { SimulatedRuntime } from '../simulation/simulated-runtime.ts';
import { type Answer, ok, platformFault, refused } from './answers.ts';
import { type Functions, realFunctions } from './functions.ts';
import { outbox } from './pipeline-state.ts';
import { intercept, type PipelineQueue, putEvents, queueAndBusEnvironment, streamEvent } from './queue-and-bus.ts';

export { type Answer, ok, platformFault, refused };

export interface Post {
  readonly at: number;
  readonly deliveryId: string;
  readonly request: SendRequest;
}

export interface PipelineOptions {
  /** The receiver's response. `nth` counts the requests of that delivery from 1. */
  readonly answer?: (post: Post, nth: number) => Answer;
  /** The process crashes before or right after the n-th effect, counted from 1. */
  readonly crash?: { readonly at: number; readonly when: 'before' | 'after' };
  /** An injected bug: messages are deleted from the queue before they are handled. */
  readonly acknowledgeFirst?: boolean;
  readonly sweeper?: boolean;
  /** The stream loses every record: only the test's own `plan`, the queue or the sweeper finds an event. */
  readonly losesStream?: boolean;
  /** Replaces random bytes by fixed ones. */
  readonly randomBytes?: (size: number) => Uint8Array;
  readonly functions?: (real: Functions) => Partial<Functions>;
}

/** The interval of the sweeper in virtual time. */
const sweepEveryMs = 300_000;

export const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'test' } as Context;

/** A message of the queue `events`, as the bus rule creates it from an entry. */
export function eventMessage(...events: readonly Event[]): string {
  const notices = events.map(({ id, shard, tenantId, occurredAt }) => ({ id, shard, tenantId, occurredAt }));
  return JSON.stringify({ 'detail-type': events[0]?.name, detail: { events: notices } });
}

/** Each test starts at a different time, so that ids differ between tests on one emulator. */
let start = Date.UTC(2026, 10, 2);

export class Pipeline {
  readonly queues: Readonly<Record<PipelineQueue, MemoryQueue>>;
  readonly posts: Post[] = [];
  readonly dynamoCalls: string[] = [];
  /** The actions of each function on each table, as a policy lists them: `plan-deliveries records UpdateItem`. */
  readonly actions = new Set<string>();
  /** The indexes of entries that the next SendMessageBatch calls refuse. */
  refuseMessages: number[][] = [];
  /** The receiver's response, unless the options contain one. */
  answer: Answer = ok;
  /** The number of requests that sent messages. */
  sendCalls = 0;
  readonly #options: PipelineOptions;
  readonly #functions: Functions;
  readonly #crash: OneCrash;
  readonly #runtime: SimulatedRuntime;
  readonly #thrown: unknown[] = [];
  readonly #stream: object[] = [];
  readonly #release: () => void;

  constructor(options: PipelineOptions = {}) {
    start += 40 * 86_400_000;
    this.#options = options;
    this.#crash = new OneCrash(options.crash);
    this.#runtime = new SimulatedRuntime({
      startAt: start,
      faults: this.#crash,
      onThrown: (error) => this.#thrown.push(error),
    });
    const { timeline } = this.#runtime;
    Object.assign(process.env, { METRICS_NAMESPACE: 'test', ...queueAndBusEnvironment });
    const { randomBytes } = options;
    setRuntime({
      now: () => timeline.now,
      sleep: (ms, signal) => (this.#runtime.inside ? timeline.sleep(ms, signal) : briefly(ms, signal)),
      ...(randomBytes && { randomBytes }),
    });
    log.setLogLevel('SILENT');
    this.#watchDynamo();
    this.#release = intercept({
      toBus: (entries) =>
        this.#effect('bus', () =>
          putEvents(
            entries,
            () => true,
            (body) => this.queues.events.send(body),
          ),
        ),
      toQueue: (name, entries) =>
        this.#effect(name, () => {
          this.sendCalls += 1;
          const refused = this.refuseMessages.shift();
          return this.queues[name].sendBatch(entries, (i) => !refused?.includes(i));
        }),
    });
    const real = realFunctions((request) => this.#effect('receiver', () => this.#post(request)));
    this.#functions = { ...real, ...options.functions?.(real) };
    const { plan, deliver } = this.#functions;
    const queue = (name: PipelineQueue, handler: Functions['plan'], acknowledgesFirst = false) =>
      new MemoryQueue({ runtime: this.#runtime, name, row: rows[name], handler, acknowledgesFirst });
    this.queues = {
      events: queue('events', plan),
      deliveries: queue('deliveries', deliver, options.acknowledgeFirst),
      retries: queue('retries', deliver, options.acknowledgeFirst),
    };
  }

  /** Restores the environment. Call it in `afterEach`. */
  end(): void {
    dynamo().middlewareStack.remove('pipeline');
    this.#release();
    setRuntime();
  }

  get now(): number {
    return this.#runtime.now;
  }

  /** The running function: `relay-events`, `plan-deliveries`, `deliver-webhook`, `sweep`, `sweepDeliveries`. */
  get inside(): string | undefined {
    return this.#runtime.inside?.name;
  }

  get crashed(): boolean {
    return this.#crash.hasStruck;
  }

  /** The number of messages that are still to be handled. */
  get waiting(): number {
    return Object.values(this.queues).reduce((sum, { size }) => sum + size, 0);
  }

  advance(ms: number): void {
    this.#runtime.timeline.advance(ms);
  }

  /** Commits the event to the outbox as a change does, and passes it to the stream. */
  async raise(tenantId: number, name: EventName = 'booking.created'): Promise<Event> {
    const event = raise(tenantId, name, eventExamples[name] as never, now()) as Event;
    const put = outboxPut(event);
    await dynamo().send(new TransactWriteCommand({ TransactItems: [put] }));
    if (!this.#options.losesStream) this.#stream.push(put.Put.Item);
    return event;
  }

  /** Commits that many events, one after the other. */
  async raiseMany(tenantId: number, count: number, name?: EventName): Promise<Event[]> {
    const events: Event[] = [];
    for (let i = 0; i < count; i++) events.push(await this.raise(tenantId, name));
    return events;
  }

  /** The stream loses its records, as it does after a day of failures. */
  loseStream(): void {
    this.#stream.length = 0;
  }

  /** Runs everything that is due, then advances the clock, until nothing is left. */
  async run(until = Number.POSITIVE_INFINITY): Promise<void> {
    const { timeline } = this.#runtime;
    let sweepAt = this.now + sweepEveryMs;
    for (let steps = 0; steps < 100_000; steps++) {
      if (!this.#runtime.isBusy && this.#invokeNext()) {
        await timeline.settled();
        continue;
      }
      if (timeline.nextAt <= this.now) {
        await this.#step();
        continue;
      }
      const maySweep = this.#options.sweeper !== false && !this.#runtime.isBusy && sweepAt < timeline.nextAt;
      const sweeping = maySweep && (await outbox()).length > 0;
      const target = Math.min(timeline.nextAt, sweeping ? sweepAt : Number.POSITIVE_INFINITY);
      if (target === Number.POSITIVE_INFINITY || target > until) return;
      if (target < timeline.nextAt) this.advance(Math.max(0, target - this.now));
      else await this.#step();
      if (sweeping && this.now >= sweepAt) {
        await this.sweep();
        sweepAt = this.now + sweepEveryMs;
      }
    }
    throw new Error('The pipeline does not come to rest');
  }

  sweep(): Promise<void> {
    return this.#runScheduled('sweep', sweep);
  }

  sweepDeliveries(): Promise<void> {
    return this.#runScheduled('sweepDeliveries', sweepDeliveries);
  }

  async #runScheduled(name: 'sweep' | 'sweepDeliveries', handler: typeof sweep): Promise<void> {
    let ended = false;
    this.#runtime.invoke(
      name,
      schedules[name].timeoutSeconds * 1_000,
      (context) => handler(undefined, context),
      () => {
        ended = true;
      },
    );
    while (!ended) await this.#step();
  }

  /** Passes the waiting messages of a queue to as many concurrent consumers as needed. */
  async runTogether(name: 'events' | 'retries', size?: number): Promise<void> {
    while (this.#runtime.timeline.nextAt <= this.now) await this.#step();
    while (this.queues[name].poll(size));
    while (this.#runtime.isBusy) await this.#step();
  }

  async #step(): Promise<void> {
    await this.#runtime.timeline.step();
    if (this.#thrown.length > 0) throw this.#thrown.shift();
  }

  /** Starts the earliest invocation that is due. Returns false if there is none. */
  #invokeNext(): boolean {
    if (this.#stream.length === 0) return Object.values(this.queues).some((queue) => queue.poll());
    this.#runtime.invoke(
      'relay-events',
      streams.relayEvents.timeoutSeconds * 1_000,
      () => this.#functions.relay(streamEvent(this.#stream)),
      (answer) => {
        const failed = answer?.batchItemFailures[0]?.itemIdentifier;
        if (answer) this.#stream.splice(0, failed ? Number(failed) - 1 : this.#stream.length);
      },
    );
    return true;
  }

  /** Applies faults to effects of a function. Effects of the test itself run at once. */
  #effect<T>(target: Target, run: () => T | Promise<T>): Promise<T> {
    return this.#runtime.inside ? this.#runtime.effect(target, target, 0, run) : (async () => run())();
  }

  #watchDynamo(): void {
    dynamo().middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          const operation = commandName.replace(/Command$/, '');
          if (this.inside) {
            this.dynamoCalls.push(operation);
            for (const action of actionsOf(operation, args.input)) this.actions.add(`${this.inside} ${action}`);
          }
          return this.#effect('store', () => next(args));
        },
      { name: 'pipeline', step: 'initialize', override: true },
    );
  }

  #post(request: SendRequest): Answer {
    const deliveryId = request.headers['X-Webhook-Delivery'] ?? '';
    const post = { at: this.now, deliveryId, request };
    this.posts.push(post);
    const nth = this.posts.filter((one) => one.deliveryId === deliveryId).length;
    return this.#options.answer?.(post, nth) ?? this.answer;
  }
}

/** The tables and actions of one call, as a policy lists them. */
function actionsOf(operation: string, input: object): string[] {
  return permissionsOf('dynamodb', operation, { ...input }, () => undefined).map(
    ({ action, resource }) => `${resource.replace(/^.*\/test-/, '')} ${action.replace('dynamodb:', '')}`,
  );
}

/** Outside of functions waits are short and timeouts never expire, so that no test depends on its speed. */
function briefly(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms < 10_000 ? setTimeout(resolve, ms / 100) : undefined;
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}

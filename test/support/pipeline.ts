/**
 * The production handlers of the pipeline in a world the test rules: a virtual clock, queues in memory, a bus and a
 * receiver that do as they are told, a real DynamoDB engine, and a process that can be made to die at any effect.
 */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { type EventName, events as eventRows } from '../../contract/events.ts';
import { type QueueName, queues as rows } from '../../contract/queues.ts';
import { dynamo } from '../../core/clients.ts';
import { now, setWorld } from '../../core/clock.ts';
import type { Sender } from '../../core/deliveries/attempt/deliver.ts';
import { sweepDeliveries } from '../../core/deliveries/log/sweep.ts';
import { type Event, outboxPut, raise } from '../../core/events/event.ts';
import { sweep } from '../../core/events/sweep.ts';
import { log } from '../../core/log.ts';
import type { SendRequest } from '../../core/webhooks/sender/send.ts';
import { type Functions, realFunctions } from './functions.ts';
import { outbox } from './pipeline-state.ts';
import {
  type Destinations,
  intercept,
  putEvents,
  queueAndBusEnvironment,
  sendBatch,
  sqsEvent,
  streamEvent,
} from './queue-and-bus.ts';

export type Answer = Awaited<ReturnType<Sender>>;

export const ok: Answer = { kind: 'answered', status: 200, body: 'thanks', timeMs: 12 };
export const refused: Answer = { kind: 'answered', status: 500, body: 'oops', timeMs: 8 };
export const ours: Answer = {
  kind: 'failed',
  errorCode: 'dns_error',
  message: 'The name could not be resolved.',
  timeMs: 3,
  ours: true,
  cause: undefined,
};

export interface Message {
  readonly messageId: string;
  readonly body: string;
  availableAt: number;
}

export interface Post {
  readonly at: number;
  readonly deliveryId: string;
  readonly request: SendRequest;
}

export interface PipelineOptions {
  /** The receiver. `nth` counts the requests of that delivery from 1. */
  readonly answer?: (post: Post, nth: number) => Answer;
  /** The process dies at the n-th effect, counted from 1: before it, or right after it. */
  readonly crash?: { readonly at: number; readonly when: 'before' | 'after' };
  /** Plants a bug: messages leave the queue before they are handled. */
  readonly acknowledgeFirst?: boolean;
  readonly sweeper?: boolean;
  /** Takes chance out of the world. */
  readonly randomBytes?: (size: number) => Uint8Array;
  readonly functions?: (real: Functions) => Partial<Functions>;
}

class Crash extends Error {}

/** Virtual minutes between runs of the sweeper. */
const sweepEveryMs = 300_000;

export const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'test' } as Context;

/** A message of the queue `events`, as the rule makes it of an entry of the bus. */
export function eventMessage(...events: readonly Event[]): string {
  const notices = events.map(({ id, shard, businessId, occurredAt }) => ({ id, shard, businessId, occurredAt }));
  return JSON.stringify({ 'detail-type': events[0]?.name, detail: { events: notices } });
}

/** Moments that a test starts at differ, so that ids of tests on one engine do. */
let start = Date.UTC(2026, 10, 2);

export class Pipeline {
  readonly queues = { events: [] as Message[], deliveries: [] as Message[], retries: [] as Message[] };
  readonly posts: Post[] = [];
  readonly dynamoCalls: string[] = [];
  /** Which function did what to which table, as a policy names it: `plan records UpdateItem`. */
  readonly actions = new Set<string>();
  /** What the next PutEvents or SendMessageBatch calls do not take: indexes of entries. */
  refuseEntries: number[][] = [];
  refuseMessages: number[][] = [];
  /** Requests that sent messages. */
  sendCalls = 0;
  crashed = false;
  #effects = 0;
  #dead = false;
  #inside: string | undefined;
  #at: number;
  readonly #options: PipelineOptions;
  readonly #functions: Functions;
  readonly #stream: object[] = [];
  readonly #release: () => void;
  #ids = 0;

  constructor(options: PipelineOptions = {}) {
    start += 40 * 86_400_000;
    this.#at = start;
    this.#options = options;
    Object.assign(process.env, { METRICS_NAMESPACE: 'test', ...queueAndBusEnvironment });
    const { randomBytes } = options;
    setWorld({ now: () => this.#at, sleep: briefly, ...(randomBytes && { randomBytes }) });
    log.setLogLevel('SILENT');
    this.#watchDynamo();
    this.#release = intercept({
      toBus: (entries) => this.#effect(() => this.#putEvents(entries)),
      toQueue: (name, entries) => this.#effect(() => this.#sendBatch(name, entries)),
    });
    const real = realFunctions((request) => this.#effect(() => this.#post(request)));
    this.#functions = { ...real, ...options.functions?.(real) };
  }

  /** Restores the world. Call it in `afterEach`. */
  end(): void {
    dynamo().middlewareStack.remove('pipeline');
    this.#release();
    setWorld();
  }

  get now(): number {
    return this.#at;
  }

  /** The function that runs: `relay`, `plan`, `deliver`, `sweep`, `sweepDeliveries`. */
  get inside(): string | undefined {
    return this.#inside;
  }

  advance(ms: number): void {
    this.#at += ms;
  }

  /** Commits the event to the outbox as a change does, and lets the stream see it. */
  async raise(businessId: number, name: EventName = 'booking.created'): Promise<Event> {
    const event = raise(businessId, name, eventRows[name].example as never, now()) as Event;
    const put = outboxPut(event);
    await dynamo().send(new TransactWriteCommand({ TransactItems: [put] }));
    this.#stream.push(put.Put.Item);
    return event;
  }

  /** The stream forgets what it has: as after a day of trouble. */
  loseStream(): void {
    this.#stream.length = 0;
  }

  /** Lets everything run that is due, then the clock, until nothing is left. */
  async run(until = Number.POSITIVE_INFINITY): Promise<void> {
    let sweepAt = this.#at + sweepEveryMs;
    for (let steps = 0; steps < 5_000; steps++) {
      if (await this.#step()) continue;
      const waiting = Object.values(this.queues).flat();
      const next = Math.min(...waiting.map(({ availableAt }) => availableAt));
      const sweeping = this.#options.sweeper !== false && (await outbox()).length > 0;
      const target = Math.min(next, sweeping ? sweepAt : Number.POSITIVE_INFINITY);
      if (target === Number.POSITIVE_INFINITY || target > until) return;
      this.#at = Math.max(this.#at, target);
      if (sweeping && this.#at >= sweepAt) {
        await this.sweep();
        sweepAt = this.#at + sweepEveryMs;
      }
    }
    throw new Error('The pipeline does not come to rest');
  }

  /** A run of the sweeper of events. */
  async sweep(): Promise<void> {
    await this.#invoke('sweep', () => sweep(undefined, context));
  }

  /** A run of the sweeper of deliveries. */
  async sweepDeliveries(): Promise<void> {
    await this.#invoke('sweepDeliveries', () => sweepDeliveries(undefined, context));
  }

  /** Hands what waits in a queue to as many consumers as it takes, all at the same time. */
  async runTogether(name: 'events' | 'retries', size: number = rows[name].batchSize): Promise<void> {
    const waiting = this.queues[name];
    const call = name === 'events' ? this.#functions.plan : this.#functions.deliver;
    while (waiting.length > 0) {
      const batches: Message[][] = [];
      for (let i = 0; i < waiting.length; i += size) batches.push(waiting.slice(i, i + size));
      const answers = await Promise.all(batches.map((batch) => call(sqsEvent(batch), context)));
      const failed = new Set(answers.flatMap((one) => one.batchItemFailures.map((item) => item.itemIdentifier)));
      remove(
        waiting,
        waiting.filter(({ messageId }) => !failed.has(messageId)),
      );
    }
  }

  async #step(): Promise<boolean> {
    if (this.#stream.length > 0) {
      const answer = await this.#invoke('relay', () => this.#functions.relay(streamEvent(this.#stream)));
      const failed = answer?.batchItemFailures[0]?.itemIdentifier;
      if (answer) this.#stream.splice(0, failed ? Number(failed) - 1 : this.#stream.length);
      return true;
    }
    for (const name of ['events', 'deliveries', 'retries'] as const) {
      const queue = this.queues[name];
      const batch = queue.filter(({ availableAt }) => availableAt <= this.#at).slice(0, rows[name].batchSize);
      if (batch.length === 0) continue;
      const call = name === 'events' ? this.#functions.plan : this.#functions.deliver;
      if (this.#options.acknowledgeFirst && name !== 'events') remove(queue, batch);
      const answer = await this.#invoke(name === 'events' ? 'plan' : 'deliver', () => call(sqsEvent(batch), context));
      const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      if (answer) {
        const isDone = ({ messageId }: Message) => !failed.has(messageId);
        remove(queue, batch.filter(isDone));
      }
      // What comes back is visible again after the visibility timeout.
      for (const message of batch) message.availableAt = this.#at + 360_000;
      return true;
    }
    return false;
  }

  /** Undefined when the process died: then nobody hears its answer. */
  async #invoke<T>(name: string, run: () => Promise<T>): Promise<T | undefined> {
    this.#inside = name;
    try {
      const answer = await run();
      return this.#dead ? undefined : answer;
    } catch (error) {
      if (this.#dead) return undefined;
      throw error;
    } finally {
      this.#dead = false;
      this.#inside = undefined;
    }
  }

  async #effect<T>(run: () => T | Promise<T>): Promise<T> {
    if (!this.#inside) return run();
    if (this.#dead) throw new Crash('the process is dead');
    this.#effects += 1;
    const hit = this.#effects === this.#options.crash?.at ? this.#options.crash.when : undefined;
    if (hit === 'before') this.#die();
    const result = await run();
    if (hit === 'after') this.#die();
    return result;
  }

  #die(): never {
    this.#dead = true;
    this.crashed = true;
    throw new Crash('the process dies');
  }

  #watchDynamo(): void {
    dynamo().middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          if (this.#inside) {
            this.dynamoCalls.push(commandName.replace(/Command$/, ''));
            for (const action of actionsOf(commandName, args.input)) this.actions.add(`${this.#inside} ${action}`);
          }
          return this.#effect(() => next(args));
        },
      { name: 'pipeline', step: 'initialize', override: true },
    );
  }

  #putEvents(entries: Parameters<Destinations['toBus']>[0]): object {
    const refuse = this.refuseEntries.shift() ?? [];
    return putEvents(
      entries,
      (i) => !refuse.includes(i),
      (body) => this.#enqueue('events', body, 0),
    );
  }

  #sendBatch(queue: QueueName, entries: Parameters<Destinations['toQueue']>[1]): object {
    this.sendCalls += 1;
    const refuse = this.refuseMessages.shift() ?? [];
    return sendBatch(
      entries,
      (i) => !refuse.includes(i),
      (body, delayMs) => this.#enqueue(queue, body, delayMs),
    );
  }

  #enqueue(queue: QueueName, body: string, delayMs: number): void {
    this.#ids += 1;
    this.queues[queue].push({ messageId: `m${this.#ids}`, body, availableAt: this.#at + delayMs });
  }

  #post(request: SendRequest): Answer {
    const deliveryId = request.headers['X-Webhook-Delivery'] ?? '';
    const post = { at: this.#at, deliveryId, request };
    this.posts.push(post);
    const nth = this.posts.filter((one) => one.deliveryId === deliveryId).length;
    return this.#options.answer?.(post, nth) ?? ok;
  }
}

/** The tables and actions of one call. A transaction needs the actions of its elements and no other. */
function actionsOf(commandName: string, input: object): string[] {
  const text = JSON.stringify(input);
  const action = commandName.replace(/Command$/, '');
  if (action === 'TransactWriteItems') {
    const { TransactItems = [] } = input as { TransactItems?: Record<string, { TableName: string }>[] };
    return TransactItems.flatMap((one) =>
      Object.entries(one).map(([kind, { TableName }]) => `${TableName.slice('test-'.length)} ${kind}Item`),
    );
  }
  if (action === 'BatchExecuteStatement') {
    const { Statements = [] } = input as { Statements?: { Statement: string }[] };
    return Statements.map(({ Statement }) => {
      const [, verb = '', store] = /^(INSERT|UPDATE)[^"]*"test-(\w+)"/.exec(Statement) ?? [];
      return `${store} PartiQL${verb.charAt(0)}${verb.slice(1).toLowerCase()}`;
    });
  }
  return [...text.matchAll(/"test-(\w+)"/g)].map(([, store]) => `${store} ${action}`);
}

/** Waits are short, and a time guard never strikes, so that no test depends on how fast it runs. */
function briefly(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms < 10_000 ? setTimeout(resolve, ms / 100) : undefined;
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}

function remove(queue: Message[], gone: readonly Message[]): void {
  for (const message of gone) queue.splice(queue.indexOf(message), 1);
}

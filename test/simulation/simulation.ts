/**
 * Simulates the production functions of the webhook pipeline from one seed. Store, stream, bus, queues and receivers
 * are in memory; a fake clock, integrators and faults at every await are simulated.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { limits } from '../../contract/limits.ts';
import { type Queue as QueueRow, queues } from '../../contract/system/queues.ts';
import type { SendRequest } from '../../core/webhooks/sender/send.ts';
import { tableShapes } from '../../local/table-shapes.ts';
import { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import { type Functions, realFunctions, type Scheduled, scheduled } from '../support/functions.ts';
import type { PipelineQueue } from '../support/queue-and-bus.ts';
import { Arrivals, seededContent } from './arrivals.ts';
import { Checkers } from './checkers/checkers.ts';
import type { Counts } from './checkers/findings.ts';
import { surround, tables } from './environment.ts';
import { type FaultRates, Faults, manyFaults, someStorms } from './faults.ts';
import { type InjectedBug, type InjectedBugName, injectedBugs } from './injected-bugs.ts';
import { Integrators } from './integrators.ts';
import { MemoryQueue } from './memory-queue.ts';
import { MemoryStream } from './memory-stream.ts';
import { networkOf } from './network.ts';
import { type Business, type Population, type PopulationPlan, someBusinesses } from './population.ts';
import { Random } from './random.ts';
import { Restore, type RestorePlan, stoppedMs } from './restore.ts';
import { interceptServices } from './services.ts';
import { SimulatedRuntime } from './simulated-runtime.ts';
import { checkStatistics, countedAfterMs, expireItems } from './statistics.ts';

/** Times are in milliseconds from the start. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SimulationOptions {
  readonly events: number;
  readonly seed: number;
  readonly rates?: FaultRates;
  readonly spanMs?: number;
  /** The period in which the bus refuses everything. */
  readonly busOff?: Span | undefined;
  /** The period in which nothing reads the stream. */
  readonly streamOff?: Span | undefined;
  /** The maximum error of the machines' clocks, which also jump. Default: all agree. */
  readonly clocksWrongByMs?: number | undefined;
  /** The number of outbox partitions over which the version of that time spreads events. Default: today's. */
  readonly shards?: ((sinceMs: number) => number) | undefined;
  /** Restores the tables to a second of the past. Only for simulations that are not eventful. */
  readonly restore?: RestorePlan | undefined;
  /** Every hour an operator redrives the dead letters of deliveries. Otherwise the sweeper handles them. */
  readonly redrives?: boolean;
  /** Adds periods of many faults, integrators that call and change webhooks, and a revoked key. */
  readonly eventful?: boolean;
  readonly populate?: (plan: PopulationPlan) => Population;
  /** Events happen only in this many businesses, from the first. Default: in all. */
  readonly businesses?: number | undefined;
  /** Schedules the events, instead of bursts over the whole span. It calls `raise` `events` times in total. */
  readonly arrive?: (simulation: Simulation) => void;
  readonly bug?: InjectedBugName | undefined;
  /** Stops at the first violation. Default: only with an injected bug. */
  readonly stopAtFirst?: boolean | undefined;
  readonly functions?: ((real: Functions) => Partial<Functions>) | undefined;
  /** Converts a message of a function or the bus to that of another version, at this time after the start. */
  readonly sends?: (body: string, sinceMs: number) => string;
  readonly sweep?: Scheduled['handler'] | undefined;
  readonly onRequest?: (request: SendRequest, now: number) => void;
  readonly onProgress?: (simulation: Simulation) => void;
}

const hourMs = 3_600_000;
export const startAt = Date.UTC(2026, 10, 2);
const defaultSpanMs = 60 * hourMs;
/** Integrators request failed deliveries for this long after the last event. */
const askingMs = 8 * hourMs;
/** The limit after the last event. Six attempts take less than six hours; what has not ended by then never will. */
const restsWithinMs = 24 * hourMs;
const violationsToStop = 20;

export interface Report {
  readonly seed: number;
  readonly hash: string;
  readonly violations: readonly string[];
  readonly violationCount: number;
  readonly counts: Counts;
  readonly faults: Readonly<Record<string, number>>;
  readonly invocations: number;
  /** Messages that went to a dead-letter queue, and those of deliveries that an operator redrove. */
  readonly deadLettered: number;
  readonly redriven: number;
  readonly streamLost: number;
  readonly virtualHours: number;
}

export class Simulation {
  readonly options: SimulationOptions;
  readonly runtime: SimulatedRuntime;
  readonly checkers: Checkers;
  readonly population: Population;
  readonly #observed: Pick<Simulation, 'runtime' | 'checkers'> & { readonly store: MemoryDynamo };
  readonly #arrivals: Arrivals;
  readonly end: () => void;
  readonly #queues: Record<PipelineQueue, MemoryQueue>;
  readonly #stream: MemoryStream;
  readonly #faults: Faults;
  readonly #bug: Partial<InjectedBug>;
  readonly #restore: Restore | undefined;
  readonly #integrators: Integrators | undefined;
  readonly #spanMs: number;
  #redriven = 0;

  constructor(given: SimulationOptions) {
    this.#bug = given.bug ? injectedBugs[given.bug] : {};
    const options = { ...given, ...this.#bug.options };
    const { seed, rates = manyFaults, spanMs = defaultSpanMs, eventful = true } = options;
    this.options = options;
    this.#spanMs = spanMs;
    const random = (name: string) => new Random(seed, name);
    const off = moments(options.busOff);
    const storms = [
      ...(eventful ? someStorms(random('storms'), startAt, spanMs) : []),
      ...(off ? [{ target: 'bus' as const, ...off, refused: 1 }] : []),
    ];
    this.#faults = new Faults(rates, storms, random('faults'));
    const { clocksWrongByMs: wrongByMs } = options;
    const clocks = wrongByMs === undefined ? undefined : { random: random('clocks'), wrongByMs };
    const runtime = new SimulatedRuntime({ startAt, faults: this.#faults, clocks });
    this.runtime = runtime;
    const leave = surround(runtime, random('ids'));

    const store = new MemoryDynamo(tableShapes((name) => tables[name]));
    const checkers = new Checkers({ runtime, store, tables });
    this.checkers = checkers;
    const observed = { runtime, store, checkers };
    this.#observed = observed;
    const receivers: Population['receivers'] = new Map();
    const { onRequest, restore } = options;
    const { misuse } = rates;
    const post = networkOf({ ...observed, random: random('receivers'), receivers, misuse, onRequest });
    const real = realFunctions(post);
    const functions: Functions = { ...real, ...options.functions?.(real), ...this.#bug.functions?.(real) };

    this.#stream = this.#streamTo(functions, random('stream'));
    this.#queues = this.#queuesTo(functions, random);
    const isQuiet = () => !runtime.isBusy && this.messages + this.#stream.size === 0;
    this.#restore = restore && new Restore(restore, { ...observed, isQuiet });
    store.onCommit = (changes) => {
      checkers.committed(changes);
      this.#restore?.committed(changes);
      for (const { table, before, after } of changes) {
        if (table === tables.records && after && !before) this.#stream.inserted(after);
      }
    };
    this.population = this.#populate(random('population'));
    for (const [url, receiver] of this.population.receivers) receivers.set(url, receiver);

    const { businesses } = this.population;
    const { events, shards } = options;
    const stop = restore && { fromMs: restore.stopMs, toMs: restore.stopMs + stoppedMs };
    const arrivals = { random: random('arrivals'), businesses, events, spanMs, startAt, shards, stop };
    this.#arrivals = new Arrivals({ ...observed, ...arrivals });
    if (eventful) {
      const population = { ...this.population, receivers };
      const until = startAt + spanMs + askingMs;
      this.#integrators = new Integrators({ ...observed, random: random('integrators'), population, functions, until });
    }
    const onPublished = (id: number) => checkers.events.published(id);
    const services = { runtime, random: random('services'), store, queues: this.#queues, onPublished };
    const release = interceptServices({ ...services, ...this.#bug });
    this.end = () => {
      release();
      leave();
    };
  }

  #populate(random: Random): Population {
    const plan: PopulationPlan = {
      random,
      put: (store, Item) => this.#observed.store.execute(new PutCommand({ TableName: tables[store], Item })),
      startAt,
      spanMs: this.#spanMs,
    };
    const population = this.options.populate?.(plan) ?? someBusinesses(plan, 30);
    return { ...population, businesses: population.businesses.slice(0, this.options.businesses) };
  }

  #streamTo({ relay }: Functions, random: Random): MemoryStream {
    return new MemoryStream({
      runtime: this.runtime,
      random,
      handler: relay,
      off: moments(this.options.streamOff),
      onRead: ({ id }) => this.checkers.events.relayed(Number(id)),
    });
  }

  #queuesTo({ plan, deliver }: Functions, random: (name: string) => Random): Record<PipelineQueue, MemoryQueue> {
    const { events, deliveries, findings } = this.checkers;
    const { sends } = this.options;
    const queue = (name: PipelineQueue, handler: Functions['plan'], isPlan: boolean) =>
      new MemoryQueue({
        runtime: this.runtime,
        random: random(name),
        name,
        row: queues[name] satisfies QueueRow,
        handler,
        rewrites: sends && ((body) => sends(body, this.runtime.now - startAt)),
        acknowledgesFirst: !isPlan && this.#bug.acknowledgesFirst === true,
        onSent: (body) => {
          if (body.includes(seededContent) || body.includes('whsec_'))
            findings.report(`content in a message of ${name}: ${body}`);
          if (isPlan) events.messageSent(body);
          else deliveries.messageSent(body);
        },
        onDeleted: (body) => (isPlan ? events.handled(body) : deliveries.messageHandled(body)),
        onDeadLettered: (body) => isPlan && events.forgotten(body),
      });
    return {
      events: queue('events', plan, true),
      deliveries: queue('deliveries', deliver, false),
      retries: queue('retries', deliver, false),
    };
  }

  /** Runs until nothing is left to do, or there are too many violations. */
  async run(): Promise<Report> {
    const { stackTraceLimit } = Error;
    // Thousands of faults are thrown, and their stacks are not needed.
    Error.stackTraceLimit = 0;
    try {
      await this.#run();
      return this.#report();
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  async #run(): Promise<void> {
    if (this.options.arrive) this.options.arrive(this);
    else this.#arrivals.plan();
    for (const one of scheduled) {
      if (this.#bug.without !== one.operation)
        this.#every(one.row.everyMinutes * 60_000, () => this.#runScheduled(one));
    }
    this.#every(hourMs, () => this.#hourPasses());
    const enough = this.options.bug || this.options.stopAtFirst ? 1 : violationsToStop;
    const { runtime, checkers } = this;
    const { findings } = checkers;
    while (!this.#isAtRest() && findings.violationCount < enough) {
      if (runtime.now > startAt + this.#spanMs + restsWithinMs) {
        findings.report(`nothing comes to rest ${restsWithinMs / hourMs} hours after the last event`);
        checkers.finish();
        return;
      }
      await runtime.timeline.step();
    }
    if (findings.violationCount < enough) checkers.finish();
    if (findings.violationCount < enough) await this.#compareStatistics();
    if (findings.violationCount < enough) await this.#compareAfterExpiry();
  }

  /** Once the sweeper has processed every record, the statistics equal the records. */
  async #compareStatistics(): Promise<void> {
    await this.#sweepersCome();
    this.checkers.findings.counts.attemptsCounted = await checkStatistics(this.#observed);
  }

  /** When half of the logs has expired after 30 days, the statistics of the last 30 days are unchanged. */
  async #compareAfterExpiry(): Promise<void> {
    const { runtime, checkers } = this;
    runtime.timeline.advance(startAt + this.#spanMs / 2 + limits.deliveryRetentionDays * 24 * hourMs - runtime.now);
    const expired = expireItems(this.#observed);
    await this.#sweepersCome();
    checkers.findings.counts.attemptsCountedAfterExpiry = await checkStatistics(this.#observed, expired);
  }

  /** Runs the sweepers without faults and calls: with frequent crashes a run seldom completes a thousand webhooks. */
  async #sweepersCome(): Promise<void> {
    const { runtime } = this;
    this.#integrators?.stop();
    this.#faults.isCalm = true;
    for (const at = runtime.now + countedAfterMs; runtime.now < at; ) await runtime.timeline.step();
    this.#faults.isCalm = false;
  }

  #report(): Report {
    const { checkers, runtime } = this;
    return {
      seed: this.options.seed,
      hash: runtime.traceHash(),
      violations: checkers.findings.violations,
      violationCount: checkers.findings.violationCount,
      counts: checkers.findings.counts,
      faults: this.#faults.struck,
      invocations: runtime.invocations,
      deadLettered: Object.values(this.#queues).reduce((sum, { deadLettered }) => sum + deadLettered, 0),
      redriven: this.#redriven,
      streamLost: this.#stream.lost,
      virtualHours: Math.round((runtime.now - startAt) / hourMs),
    };
  }

  #isAtRest(): boolean {
    if (this.raised < this.options.events || this.checkers.events.open.size > 0 || this.#restore?.isDone === false)
      return false;
    return this.messages + this.#stream.size === 0 && this.checkers.webhooks.open() === 0;
  }

  #every(ms: number, run: () => void): void {
    this.runtime.timeline.in(ms, () => {
      run();
      this.#every(ms, run);
    });
  }

  get raised(): number {
    return this.#arrivals.raised;
  }

  get messages(): number {
    return Object.values(this.#queues).reduce((sum, { size }) => sum + size, 0);
  }

  raise(business: Business): void {
    this.#arrivals.raise(business);
  }

  #runScheduled({ operation, row, handler }: Scheduled): void {
    const run = async (context: Context) => {
      const { sweep = handler } = this.options;
      await (operation === 'sweep' ? sweep : handler)(undefined, context);
      return 'done';
    };
    // A schedule also runs at least once.
    const runs = this.runtime.faults.strikes('duplicate') ? 2 : 1;
    for (let i = 0; i < runs; i++) this.runtime.invoke(operation, row.timeoutSeconds * 1_000, run, () => {});
  }

  #hourPasses(): void {
    this.options.onProgress?.(this);
    if (this.options.redrives) this.#redriven += this.#queues.deliveries.redrive() + this.#queues.retries.redrive();
  }
}

function moments(span: Span | undefined): { readonly from: number; readonly to: number } | undefined {
  return span && { from: startAt + span.fromMs, to: startAt + span.toMs };
}

export async function simulate(options: SimulationOptions): Promise<Report> {
  const simulation = new Simulation(options);
  try {
    return await simulation.run();
  } finally {
    simulation.end();
  }
}

import type { Context } from 'aws-lambda';
import { queues as queueRows } from '../../contract/system/queues.ts';
import { dynamo } from '../../core/clients.ts';
import { type Lag, reconcile } from '../../core/reconcile/reconcile.ts';
import type { Reconciled } from '../../core/reconcile/reconciled.ts';
import type { SendOutcome, SendRequest } from '../../core/webhooks/sender/send.ts';
import type { Tenant } from '../../local/demo.ts';
import { tableShapes } from '../../local/table-shapes.ts';
import { type Command, MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Change } from '../../packages/memory-dynamo/src/table.ts';
import { realFunctions, scheduled } from '../support/functions.ts';
import type { PipelineQueue } from '../support/queue-and-bus.ts';
import { RegionChecker } from './checkers/regions.ts';
import { surround, tables } from './environment.ts';
import { Faults, noFaults } from './faults.ts';
import { MemoryQueue } from './memory-queue.ts';
import { MemoryStream } from './memory-stream.ts';
import { Random } from './random.ts';
import { openBusiness, RegionRequests } from './region-requests.ts';
import { Replication } from './replication.ts';
import { interceptServices } from './services.ts';
import { SimulatedRuntime } from './simulated-runtime.ts';

export interface RegionsOptions {
  readonly seed: number;
  readonly events: number;
  readonly failovers: number;
  readonly withoutReconciliation?: boolean;
  readonly onFailover?: ((nth: number, events: number) => void) | undefined;
}

export interface RegionsReport {
  readonly events: number;
  readonly failovers: number;
  readonly violations: readonly string[];
  /** The number of violations of each kind, which is the first word. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Changes that were answered within the lag and are lost, and those with a trace in the lost region. */
  readonly lost: number;
  readonly traced: number;
  readonly displaced: number;
  readonly raised: number;
  /** Requests to receivers, and those that repeated an earlier request. */
  readonly requests: number;
  readonly repeated: number;
  readonly lostChanges: readonly string[];
}

const startAt = Date.UTC(2026, 10, 2);
const lagMs = 2_000;
/** A margin that an operator adds to the lag: a change is dated by its decision, and committed later. */
const marginMs = 30_000;
/** The time after which a lost region returns, if it does. */
const awayMs = 4 * 60_000;
const settledMs = 60_000;
const businesses = 6;
const minuteMs = 60_000;

const nothingDone: Reconciled = { lost: [], displaced: [], erased: [], raised: 0, days: 0, webhooks: 0 };

class Region {
  readonly store = new MemoryDynamo(tableShapes((name) => tables[name]));
  isLost = false;
}

export class Regions {
  readonly #options: RegionsOptions;
  readonly #random: Random;
  readonly #runtime: SimulatedRuntime;
  readonly #checker: RegionChecker;
  readonly #requests: RegionRequests;
  readonly #leave: () => void;
  readonly #tenants: Tenant[] = [];
  #active = new Region();
  #standby = new Region();
  #replication: Replication;
  #stream: MemoryStream | undefined;
  /** Redirects the clients to the active region. Returns the function that restores them. */
  #intercept = () => () => {};
  #release = () => {};
  #isClosed = false;
  #failovers = 0;
  #lost = { lost: 0, traced: 0, displaced: 0, raised: 0 };

  constructor(options: RegionsOptions) {
    this.#options = options;
    this.#random = new Random(options.seed, 'regions');
    const faults = new Faults(noFaults, [], new Random(options.seed, 'faults'));
    this.#runtime = new SimulatedRuntime({ startAt, faults });
    this.#leave = surround(this.#runtime, new Random(options.seed, 'ids'));
    this.#checker = new RegionChecker();
    this.#requests = new RegionRequests(this.#runtime, this.#random, this.#checker, this.#tenants);
    this.#replication = this.#replicated();
  }

  end(): void {
    this.#release();
    this.#leave();
  }

  #replicated(): Replication {
    const random = new Random(this.#options.seed, `replication ${this.#failovers}`);
    return new Replication(this.#runtime.timeline, random, lagMs, this.#standby.store);
  }

  async run(): Promise<RegionsReport> {
    const { events, failovers } = this.#options;
    for (let i = 0; i < businesses; i++)
      this.#tenants.push(await openBusiness(this.#active.store, this.#runtime.now, this.#random));
    this.#copy(this.#active.store, this.#standby.store);
    this.#serve();
    for (const { row, handler } of scheduled) this.#every(row.everyMinutes * minuteMs, handler);
    this.#arrive();
    const perRegion = events / (failovers + 1);
    for (let nth = 1; nth <= failovers; nth++) {
      const at = perRegion * nth + this.#random.below(Math.max(1, perRegion / 4));
      await this.#until(() => this.#checker.events >= Math.min(at, events));
      await this.#failOver();
      this.#options.onFailover?.(nth, this.#checker.events);
    }
    await this.#until(() => this.#checker.events >= events);
    this.#isClosed = true;
    await this.#pass(2 * 3_600_000);
    this.#checker.finish(this.#active.store);
    const { violations, kinds, requests, repeated, lostChanges, events: raisedEvents } = this.#checker;
    const found = { violations, kinds, requests, repeated, lostChanges };
    return { events: raisedEvents, failovers, ...found, ...this.#lost };
  }

  /** Runs the region in service: its stream, its queues, its functions. */
  #serve(alsoCommitted: (changes: readonly Change[]) => void = () => {}): void {
    const region = this.#active;
    const { seed } = this.#options;
    const random = (name: string) => new Random(seed, `${name} ${this.#failovers}`);
    const real = realFunctions((request) => this.#post(request));
    // The functions of a lost region have no effect any more.
    const inRegion =
      <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>) =>
      (...args: A) =>
        region.isLost ? Promise.reject<R>(new Error('The region is lost')) : run(...args);
    const runtime = this.#runtime;
    const queue = (name: PipelineQueue, run: typeof real.plan) =>
      new MemoryQueue({ runtime, random: random(name), name, row: queueRows[name], handler: inRegion(run) });
    const queues = {
      events: queue('events', real.plan),
      deliveries: queue('deliveries', real.deliver),
      retries: queue('retries', real.deliver),
    };
    const handler = inRegion(real.relay);
    const stream = new MemoryStream({ runtime, random: random('stream'), handler, off: undefined, onRead: () => {} });
    this.#stream = stream;
    region.store.onCommit = (changes) => {
      this.#checker.committed(changes, this.#runtime.now);
      this.#replication.committed(changes);
      alsoCommitted(changes);
      for (const { table, before, after } of changes)
        if (table === tables.records && after && !before) stream.inserted(after);
    };
    const services = { runtime, random: random('services'), store: region.store, queues, onPublished: () => {} };
    this.#release();
    this.#intercept = () => interceptServices(services);
    this.#release = this.#intercept();
  }

  #post(request: SendRequest): Promise<SendOutcome> {
    return this.#runtime.effect('receiver', 'POST', this.#random.between(5, 80), () => {
      this.#checker.received(request);
      return { kind: 'response', status: 200, body: '', timeMs: 5 };
    });
  }

  #every(ms: number, run: (schedule: unknown, context: Context) => Promise<void>): void {
    this.#runtime.timeline.in(ms, () => {
      this.#every(ms, run);
      const scheduled = async (context: Context) => run(undefined, context);
      this.#runtime.invoke('schedule', 290_000, scheduled, () => {});
    });
  }

  /** Sends requests of clients and owners, about one a second. */
  #arrive(): void {
    this.#runtime.timeline.in(this.#random.between(1, 1_500), () => {
      this.#arrive();
      const request = () => this.#requests.any();
      if (!this.#isClosed) this.#runtime.invoke('request', 10_000, request, () => {});
    });
  }

  async #failOver(): Promise<void> {
    const until = this.#runtime.now;
    this.#active.isLost = true;
    this.#isClosed = true;
    this.#runtime.killAll();
    const lost = this.#replication;
    lost.cut();
    // Changes that are on the way to the lost region have no visible effect.
    this.#active.store.onCommit = () => {};
    const lag = { since: this.#checker.openSince(until - lagMs) - marginMs, until };
    this.#active = this.#standby;
    const { store } = this.#active;
    store.onCommit = (changes) => lost.overtaken(changes);
    const arrived = new Map([...store.table(tables.records).all()].map((item) => [`${item.pk} ${item.sk}`, item]));
    const done = await this.#reconcile(lag);
    const found = this.#checker.checkFailover({ arrived, now: store, lag, lagMs, done });
    this.#lost.lost += found.lost;
    this.#lost.traced += found.traced;
    this.#standby = new Region();
    this.#failovers += 1;
    this.#replication = this.#replicated();
    this.#serve((changes) => lost.overtaken(changes));
    // This region's own stream contains all events that arrived or were raised.
    for (const item of store.table(tables.records).all()) this.#stream?.inserted(item);
    this.#isClosed = false;
    if (this.#random.chance(0.5)) await this.#comeBack(lost, lag);
    this.#copy(store, this.#standby.store);
    this.#checker.adopt(store, this.#runtime.now);
  }

  /** The lost region returns and sends its remaining changes. */
  async #comeBack(lost: Replication, lag: Lag): Promise<void> {
    await this.#pass(awayMs);
    // Nothing writes during this: the region in service refuses requests, and running ones end.
    this.#isClosed = true;
    await this.#pass(settledMs);
    for (const item of lost.resume()) this.#stream?.inserted(item);
    await this.#reconcile(lag);
    this.#checker.checkTimes(this.#active.store, 'after the region was back');
    this.#isClosed = false;
  }

  /** The operator's command: it only uses the tables, and nothing else writes. */
  async #reconcile(lag: Lag): Promise<Reconciled> {
    const { store } = this.#active;
    this.#release();
    Object.assign(dynamo(), { send: async (command: Command) => store.execute(command) });
    try {
      this.#checker.counts = false;
      const done = this.#options.withoutReconciliation ? nothingDone : await reconcile(lag);
      this.#lost.raised += done.raised;
      this.#lost.displaced += done.displaced.length;
      return done;
    } finally {
      this.#checker.counts = true;
      this.#release = this.#intercept();
    }
  }

  #copy(from: MemoryDynamo, to: MemoryDynamo): void {
    for (const name of Object.values(tables)) for (const item of from.table(name).all()) to.table(name).put(item);
  }

  async #until(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#runtime.timeline.step();
  }

  async #pass(ms: number): Promise<void> {
    const end = this.#runtime.now + ms;
    await this.#until(() => this.#runtime.now >= end);
  }
}

export async function simulateRegions(options: RegionsOptions): Promise<RegionsReport> {
  const regions = new Regions(options);
  try {
    return await regions.run();
  } finally {
    regions.end();
  }
}

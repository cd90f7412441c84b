/**
 * The webhook pipeline's production functions in a world of one seed: a store, a stream, a bus, queues and receivers in
 * memory, a clock that stands still unless told, and faults at every await.
 */
import type { PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import type { SendMessageBatchCommandInput } from '@aws-sdk/client-sqs';
import { PutCommand, type QueryCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { fileName } from '../../contract/api.ts';
import { eventNames, events as eventRows } from '../../contract/events.ts';
import { type QueueName, type Queue as QueueRow, queues } from '../../contract/queues.ts';
import { type Schedule, schedules } from '../../contract/schedules.ts';
import { dynamo, eventBridge, sqs } from '../../core/clients.ts';
import { setWorld } from '../../core/clock.ts';
import { deliver } from '../../core/deliveries/deliver.ts';
import { parseDeliveryMessage } from '../../core/deliveries/messages.ts';
import { type Event, outboxPut, raise } from '../../core/events/event.ts';
import type { ApiKey } from '../../core/keys/api-key.ts';
import { log } from '../../core/log.ts';
import { consumer } from '../../core/queue/consumer.ts';
import { records } from '../../core/table-keys.ts';
import { deleteWebhook } from '../../core/webhooks/delete-webhook.ts';
import { type Outcome, type SendRequest, send } from '../../core/webhooks/sender.ts';
import { rotateSecret } from '../../core/webhooks/signing-secret.ts';
import { updateWebhook } from '../../core/webhooks/update-webhook.ts';
import { handler as planHandler } from '../../functions/queues/plan-deliveries.ts';
import { handler as relayHandler } from '../../functions/streams/relay-events.ts';
import { type FaultRates, manyFaults, type Storm } from './faults.ts';
import { Ledger } from './ledger.ts';
import { type Command, MemoryDynamo } from './memory-dynamo/memory-dynamo.ts';
import { cancelled, throttled } from './memory-dynamo/refusals.ts';
import { MemoryQueue } from './memory-queue.ts';
import { MemoryStream } from './memory-stream.ts';
import { type Functions, type PlantedBug, type PlantedBugName, plantedBugs } from './planted-bugs.ts';
import { type Business, type Population, type PopulationPlan, someBusinesses } from './population.ts';
import { Random } from './random.ts';
import { healthy, type Receiver } from './receivers.ts';
import { tableShapes } from './table-shapes.ts';
import { World } from './world.ts';

export interface SimulationOptions {
  readonly events: number;
  readonly seed: number;
  readonly rates?: FaultRates;
  /** Over so long events happen. */
  readonly spanMs?: number;
  /** When nothing reads the stream, in milliseconds from the start. */
  readonly streamOff?: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** When we cannot resolve any name. */
  readonly noDns?: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Every hour somebody sends the dead letters of deliveries back. Without that, they are the sweeper's. */
  readonly redrives?: boolean;
  /** Services have bad hours, integrators change their webhooks, a key is revoked. */
  readonly eventful?: boolean;
  readonly populate?: (plan: PopulationPlan) => Population;
  /** Plans when what happens, instead of bursts over the whole span. It calls `raise`, `events` times in all. */
  readonly arrive?: (simulation: Simulation) => void;
  readonly bug?: PlantedBugName | undefined;
  /** Called as each request leaves. */
  readonly onRequest?: (request: SendRequest, now: number) => void;
  /** Called once a virtual hour. */
  readonly onProgress?: (simulation: Simulation) => void;
}

interface Scheduled {
  readonly operation: string;
  readonly row: Schedule;
  readonly handler: (event: unknown, context: Context) => Promise<void>;
}

/** Every row of the table, with its handler found by its name. */
const scheduled: readonly Scheduled[] = await Promise.all(
  Object.entries<Schedule>(schedules).map(async ([operation, row]) => {
    const { handler } = await import(`../../functions/schedules/${fileName(operation)}.ts`);
    return { operation, row, handler };
  }),
);

const hourMs = 3_600_000;
const startAt = Date.UTC(2026, 10, 2);
const defaultSpanMs = 60 * hourMs;
/** After the last event. Six attempts take less than six hours; what does not rest after so long never will. */
const patienceMs = 48 * hourMs;
/** In every event's data. It may arrive at receivers and show up in no message on the way, for that may end as a dead letter. */
const contentCanary = 'canary-of-the-content';
const largestBurst = 100;
const businessesPerBurst = 4;
const violationsToStop = 20;

export interface Report {
  readonly seed: number;
  readonly hash: string;
  readonly violations: readonly string[];
  readonly violationCount: number;
  readonly counts: Ledger['counts'];
  readonly faults: Readonly<Record<string, number>>;
  readonly invocations: number;
  /** Messages of deliveries that went to a dead-letter queue, and those that an operator sent back from there. */
  readonly deadLettered: number;
  readonly redriven: number;
  readonly streamLost: number;
  readonly virtualHours: number;
  /** Counters and states at the end. */
  readonly webhooks: { readonly active: number; readonly failed: number; readonly deleted: number };
}

/** Every name is one that resolves, or none is. */
const brokenResolver = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
const dnsTimeoutMs = 200;

export class Simulation {
  readonly options: SimulationOptions;
  readonly #environmentBefore = process.env;
  readonly world: World;
  readonly ledger: Ledger;
  readonly store: MemoryDynamo;
  readonly population: Population;
  readonly #queues: Record<QueueName, MemoryQueue>;
  readonly #stream: MemoryStream;
  readonly #bug: PlantedBug;
  readonly #spanMs: number;
  readonly #arrivals: Random;
  readonly #receivers: Random;
  readonly #services: Random;
  readonly #integrators: Random;
  readonly #keys = new Map<number, { live: boolean; since: number }>();
  raised = 0;
  #redriven = 0;
  #lastArrival = startAt;

  constructor(options: SimulationOptions) {
    const { seed, rates = manyFaults, spanMs = defaultSpanMs, eventful = true, populate } = options;
    this.options = options;
    this.#spanMs = spanMs;
    this.#bug = options.bug ? plantedBugs[options.bug] : {};
    const random = (name: string) => new Random(seed, name);
    this.#arrivals = random('arrivals');
    this.#receivers = random('receivers');
    this.#services = random('services');
    this.#integrators = random('integrators');
    const storms = eventful ? someStorms(random('storms'), spanMs) : [];
    this.world = new World({ seed, startAt, rates, storms });

    process.env = environment(this.#environmentBefore);
    log.setLogLevel('SILENT');
    const ids = random('ids');
    const { timeline } = this.world;
    setWorld({
      now: () => timeline.now,
      randomBytes: (size) => ids.bytes(size),
      sleep: (ms, signal) => timeline.sleep(ms, signal),
    });
    this.store = new MemoryDynamo(tableShapes((store) => tables[store]));
    this.ledger = new Ledger({
      world: this.world,
      store: this.store,
      tables,
      keyState: (keyId) => this.#keys.get(keyId) ?? { live: true, since: startAt },
    });
    this.store.onCommit = (changes) => {
      this.ledger.committed(changes);
      for (const { table, before, after } of changes) {
        if (table === tables.records && after && !before) this.#stream.inserted(after);
      }
    };
    const functions = this.#functions();
    const { streamOff } = options;
    this.#stream = new MemoryStream({
      world: this.world,
      random: random('stream'),
      handler: functions.relay,
      off: streamOff && { from: startAt + streamOff.fromMs, to: startAt + streamOff.toMs },
      onRead: ({ id }) => this.ledger.relayed(Number(id)),
    });
    const queue = (name: QueueName, handler: Functions['plan'], isPlan: boolean) =>
      new MemoryQueue({
        world: this.world,
        random: random(name),
        name,
        row: queues[name] satisfies QueueRow,
        handler,
        acknowledgesFirst: !isPlan && this.#bug.acknowledgesFirst === true,
        onSent: (body) => {
          if (body.includes(contentCanary) || body.includes('whsec_'))
            this.ledger.say(`content in a message of ${name}: ${body}`);
          if (!isPlan) this.ledger.messageSent(body);
        },
        onDeleted: (body) => (isPlan ? this.ledger.eventHandled(body) : this.ledger.messageHandled(body)),
      });
    this.#queues = {
      events: queue('events', functions.plan, true),
      deliveries: queue('deliveries', functions.deliver, false),
      retries: queue('retries', functions.deliver, false),
    };
    const plan: PopulationPlan = {
      random: random('population'),
      put: (store, Item) => this.store.execute(new PutCommand({ TableName: tables[store], Item })),
      startAt,
      spanMs,
    };
    this.population = populate ? populate(plan) : someBusinesses(plan, 30);
    this.#interceptClients();
  }

  #functions(): Functions {
    const real: Functions = {
      relay: relayHandler,
      plan: planHandler,
      // As `functions/queues/deliver-webhook.ts` has it, with receivers of this world instead of a network.
      deliver: consumer(parseDeliveryMessage, (messages, time) =>
        deliver(messages, time, (request) => this.#post(request)),
      ),
    };
    return { ...real, ...this.#bug.functions?.(real) };
  }

  /** Lets everything happen until nothing is left to do, or too much has gone wrong. */
  async run(): Promise<Report> {
    const { stackTraceLimit } = Error;
    // Thousands of faults are thrown, and nobody reads where.
    Error.stackTraceLimit = 0;
    try {
      return await this.#run();
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  async #run(): Promise<Report> {
    this.#planArrivals();
    for (const one of scheduled) {
      if (this.#bug.without !== one.operation)
        this.#every(one.row.everyMinutes * 60_000, () => this.#runScheduled(one));
    }
    this.#every(hourMs, () => this.#hourPasses());
    const enough = this.options.bug ? 1 : violationsToStop;
    const { ledger, world } = this;
    while (!this.#isAtRest() && ledger.violationCount < enough) {
      if (world.now > this.#lastArrival + patienceMs) {
        ledger.say(`nothing comes to rest ${patienceMs / hourMs} hours after the last event`);
        ledger.finish();
        return this.#report();
      }
      await world.timeline.step();
    }
    if (ledger.violationCount < enough) ledger.finish();
    return this.#report();
  }

  /** Gives the clients and the clock back. */
  end(): void {
    for (const client of [dynamo(), sqs(), eventBridge()]) Reflect.deleteProperty(client, 'send');
    process.env = this.#environmentBefore;
    setWorld();
  }

  #report(): Report {
    const { ledger, world } = this;
    const webhooks = [...ledger.webhooks.values()];
    const count = (status: string) => webhooks.filter(({ deleted, item }) => !deleted && item.status === status).length;
    return {
      seed: this.options.seed,
      hash: world.traceHash(),
      violations: ledger.violations,
      violationCount: ledger.violationCount,
      counts: ledger.counts,
      faults: world.faults.struck,
      invocations: world.invocations,
      deadLettered: this.#queues.deliveries.deadLettered + this.#queues.retries.deadLettered,
      redriven: this.#redriven,
      streamLost: this.#stream.lost,
      virtualHours: Math.round((world.now - startAt) / hourMs),
      webhooks: {
        active: count('active'),
        failed: count('failed'),
        deleted: webhooks.filter(({ deleted }) => deleted).length,
      },
    };
  }

  #isAtRest(): boolean {
    if (this.raised < this.options.events || this.ledger.openEvents.size > 0) return false;
    const { events, deliveries, retries } = this.#queues;
    const waiting = events.size + deliveries.size + retries.size + this.#stream.size;
    return waiting === 0 && this.ledger.openDeliveries() === 0;
  }

  #every(ms: number, run: () => void): void {
    this.world.timeline.in(ms, () => {
      run();
      this.#every(ms, run);
    });
  }

  #planArrivals(): void {
    this.#lastArrival = startAt + this.#spanMs;
    if (this.options.arrive) {
      this.options.arrive(this);
      return;
    }
    const bursts = Math.max(1, Math.ceil(this.options.events / (largestBurst / 2)));
    for (let i = 0; i < bursts; i++) {
      const at = this.#arrivals.below(this.#spanMs);
      this.world.timeline.in(at, () => this.#burst(this.#arrivals.between(1, largestBurst - 1)));
    }
    // Whatever the bursts leave of the number comes with the last moment.
    this.world.timeline.in(this.#spanMs, () => this.#burst(this.options.events));
  }

  #burst(count: number): void {
    const random = this.#arrivals;
    const busy = Array.from({ length: random.between(1, businessesPerBurst) }, () => this.#someBusiness());
    for (let i = 0; i < count && this.raised < this.options.events; i++) this.raise(random.pick(busy));
  }

  #someBusiness(): Business {
    const { businesses } = this.population;
    const total = businesses.reduce((sum, { weight }) => sum + weight, 0);
    let point = this.#arrivals.fraction() * total;
    const found = businesses.find(({ weight }) => {
      point -= weight;
      return point < 0;
    });
    if (!found) throw new Error('Nobody lives here');
    return found;
  }

  /** Something happens in a business: the change commits its event. */
  raise({ id }: Business): void {
    const name = this.#arrivals.pick(eventNames);
    const data = { ...eventRows[name].example, note: contentCanary };
    const event = raise(id, name, data as never, this.world.now) as Event;
    this.raised += 1;
    this.store.execute(new TransactWriteCommand({ TransactItems: [outboxPut(event)] }));
  }

  #runScheduled({ operation, row, handler }: Scheduled): void {
    const run = async (context: Context) => {
      await handler(undefined, context);
      return 'done';
    };
    this.world.invoke(operation, row.timeoutSeconds * 1_000, run, () => {});
  }

  #hourPasses(): void {
    this.options.onProgress?.(this);
    if (this.options.redrives) this.#redriven += this.#queues.deliveries.redrive() + this.#queues.retries.redrive();
    if (this.options.eventful !== false) this.#integratorsAct();
  }

  #integratorsAct(): void {
    const random = this.#integrators;
    const all = [...this.ledger.webhooks.values()].filter(({ deleted }) => !deleted);
    for (const { item } of all.filter((webhook) => webhook.item.status === 'failed')) {
      if (!random.chance(0.15)) continue;
      // Some mend their server before they switch the webhook on again.
      if (random.chance(0.5)) this.population.receivers.set(item.targetUrl, healthy);
      const { id } = item;
      this.#asIntegrator(item, (key) => updateWebhook(key, { id }, { status: 'active' }));
    }
    if (all.length > 0 && random.chance(0.2)) {
      const { item } = random.pick(all);
      this.#asIntegrator(item, (key) => rotateSecret(key, { id: item.id }));
    }
    if (all.length > 20 && random.chance(0.05)) {
      const { item } = random.pick(all);
      this.#asIntegrator(item, (key) => deleteWebhook(key, { id: item.id }));
    }
    if (random.chance(0.02)) this.#revokeKey(random.pick(this.population.businesses.filter(({ keyIds }) => keyIds[0])));
  }

  #asIntegrator(item: { businessId: number; keyId: number }, act: (key: ApiKey) => Promise<unknown>): void {
    const key: ApiKey = { id: item.keyId, businessId: item.businessId, scopes: ['webhooks:manage'], test: false };
    const run = async () => {
      await act(key);
      return 'done';
    };
    this.world.invoke('integrator', 29_000, run, () => {});
  }

  #revokeKey({ id, keyIds: [keyId] }: Business): void {
    if (keyId === undefined) return;
    this.#keys.set(keyId, { live: false, since: this.world.now });
    const Item = { ...records.key(id, keyId), id: keyId, businessId: id, status: 'revoked' };
    this.store.execute(new PutCommand({ TableName: tables.records, Item }));
  }

  #interceptClients(): void {
    Object.assign(dynamo(), { send: (command: Command) => this.#toStore(command) });
    Object.assign(sqs(), { send: ({ input }: Command) => this.#toQueue(input as SendMessageBatchCommandInput) });
    Object.assign(eventBridge(), { send: ({ input }: Command) => this.#toBus(input as PutEventsCommandInput) });
  }

  #toStore(command: Command): Promise<object> {
    const name = command.constructor.name.replace(/Command$/, '');
    return this.world.effect('store', name, this.world.faults.latency(), (fault) => {
      if (fault === 'refused') throw throttled();
      if (fault === 'conflict' && name === 'TransactWrite') throw this.#conflict(command.input);
      if (fault !== 'partial') return this.store.execute(command);
      const { Limit = 100 } = command.input as QueryCommandInput;
      return this.store.execute(command, {
        leavesOut: () => this.#services.chance(0.5),
        pageItems: Math.min(Limit, this.#services.between(1, 5)),
      });
    });
  }

  #conflict({ TransactItems = [] }: { TransactItems?: readonly unknown[] }): Error {
    const at = this.#services.below(TransactItems.length);
    return cancelled(TransactItems.map((_, i) => ({ Code: i === at ? 'TransactionConflict' : 'None' })));
  }

  #toQueue({ QueueUrl = '', Entries = [] }: SendMessageBatchCommandInput): Promise<object> {
    const name = QueueUrl.split('/').at(-1) as 'deliveries' | 'retries';
    return this.world.effect(name, `send ${name}`, this.world.faults.latency(), (fault) => {
      if (fault === 'refused') throw new Error('ServiceUnavailable');
      return this.#queues[name].sendBatch(Entries, () => fault !== 'partial' || this.#services.chance(0.5));
    });
  }

  #toBus({ Entries: entries = [] }: PutEventsCommandInput): Promise<object> {
    return this.world.effect('bus', 'PutEvents', this.world.faults.latency(), (fault) => {
      if (fault === 'refused') throw new Error('ThrottlingException');
      if (entries.length === 0 || entries.length > 10) throw new Error(`${entries.length} entries in one PutEvents`);
      const Entries = entries.map(({ Detail = '', DetailType, Source }) => {
        if (fault === 'partial' && this.#services.chance(0.5)) return { ErrorCode: 'InternalFailure' };
        const detail = JSON.parse(Detail);
        this.ledger.published(detail.id);
        const body = JSON.stringify({ version: '0', source: Source, 'detail-type': DetailType, detail });
        // The bus itself is at least once, too.
        const copies = this.world.faults.strikes('duplicate') ? 2 : 1;
        for (let i = 0; i < copies; i++) this.#queues.events.send(body, this.#services.between(20, 150));
        return { EventId: String(detail.id) };
      });
      return { FailedEntryCount: Entries.filter(({ ErrorCode }) => ErrorCode).length, Entries };
    });
  }

  async #post(request: SendRequest): Promise<Outcome> {
    this.options.onRequest?.(request, this.world.now);
    const made = this.ledger.requestStarts(request);
    if (!String(request.body).includes(contentCanary))
      this.ledger.say(`a request without its content: ${request.body}`);
    const { afterMs, outcome } = await this.#reply(request);
    const name = `POST ${request.headers['X-Webhook-Delivery']} ${outcome.kind === 'answered' ? outcome.status : outcome.errorCode}`;
    return this.world.effect('receiver', name, afterMs, () => {
      this.ledger.requestEnds(made, outcome);
      return outcome;
    });
  }

  async #reply(request: SendRequest): Promise<ReturnType<Receiver>> {
    const { noDns } = this.options;
    const { now } = this.world;
    if (noDns && startAt + noDns.fromMs <= now && now < startAt + noDns.toMs) {
      return { afterMs: dnsTimeoutMs, outcome: await send(request, { resolver: brokenResolver }) };
    }
    const receiver = this.population.receivers.get(request.url);
    if (!receiver) throw new Error(`Nobody is at ${request.url}`);
    return receiver(this.ledger.requestsOf(request.headers['X-Webhook-Delivery'] ?? ''), now, this.#receivers);
  }
}

const tables = { keys: 'sim-keys', records: 'sim-records', deliveries: 'sim-deliveries', secrets: 'sim-secrets' };

/**
 * An environment for the functions, in which nothing leads anywhere. A plain object: the real one asks the operating
 * system at every look.
 */
function environment(before: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = Object.entries(tables).map(([store, name]) => [`TABLE_${store.toUpperCase()}`, name]);
  return {
    ...before,
    AWS_REGION: 'eu-central-1',
    EVENT_BUS: 'bus',
    QUEUE_DELIVERIES: 'https://sqs.invalid/deliveries',
    QUEUE_RETRIES: 'https://sqs.invalid/retries',
    ...Object.fromEntries(names),
  };
}

/** Bad hours of each service. */
function someStorms(random: Random, spanMs: number): Storm[] {
  const targets = ['store', 'store', 'bus', 'deliveries', 'retries'] as const;
  return targets.map((target) => {
    const from = startAt + random.below(spanMs);
    // One fails long enough for messages to end up in a dead-letter queue.
    const minutes = target === 'retries' ? random.between(60, 120) : random.between(5, 30);
    return {
      target,
      from,
      to: from + minutes * 60_000,
      refused: target === 'retries' ? 1 : random.pick([0.5, 0.9, 1]),
    };
  });
}

/** One run, and everything given back after it. */
export async function simulate(options: SimulationOptions): Promise<Report> {
  const simulation = new Simulation(options);
  try {
    return await simulation.run();
  } finally {
    simulation.end();
  }
}

/**
 * `npm run bench -- neighbours`: how much a flood of one tenant delays another (docs/rules.md#fairness). One tenant
 * with many webhooks raises a burst of events; its neighbour, with one webhook, raises one now and then. The result is
 * the time from each event of the neighbour to its first attempt, with and without the flood. A second flood goes to
 * new receivers of one host, which hang.
 *
 * `npm run bench -- readers`: a thousand readers of other tenants wait at their feeds. The result is the time of a
 * tenant's requests, fifty at once. The account runs a thousand functions; a request that finds no free function is
 * tried again after a second. As a control, the same without the limits of waiting: the readers take every function.
 * Tables and processors, which readers could also slow down, have no limit here.
 *
 * It runs in the simulation: the production functions, the deployed numbers of workers, fair queues, and a clock
 * that counts only waiting. On one machine the flood's processor time would be measured instead.
 */
import { limits } from '../contract/limits.ts';
import { readFeed } from '../core/deliveries/feed/read-feed.ts';
import { listDeliveries } from '../core/deliveries/log/list.ts';
import { stageNamed } from '../lib/stage.ts';
import { noFaults } from '../test/simulation/faults.ts';
import {
  alikeBusinesses,
  chainAndNeighbour,
  oneHost,
  type Population,
  type PopulationPlan,
} from '../test/simulation/population.ts';
import { hanging, healthy } from '../test/simulation/receivers.ts';
import { type Simulation, simulate } from '../test/simulation/simulation.ts';
import { keyPrincipal } from '../test/support/principals.ts';
import type { Row } from './row.ts';
import type { Size } from './turns.ts';

interface Setting {
  readonly webhooks: number;
  /** Webhooks of another tenant at one host that never responded and hangs. */
  readonly fresh: number;
  readonly floodEvents: number;
  readonly neighbourEvents: number;
  /** Other businesses, each with the maximum of waiting readers. */
  readonly reading: number;
  /** Bursts of requests of another business while these read. */
  readonly bursts: number;
}

const sizes: Readonly<Record<Size, Setting>> = {
  full: { webhooks: 1_000, fresh: 100, floodEvents: 50, neighbourEvents: 300, reading: 200, bursts: 100 },
  tiny: { webhooks: 120, fresh: 20, floodEvents: 3, neighbourEvents: 20, reading: 4, bursts: 5 },
};

const floodAtMs = 1_000;
/** The interval of the neighbour's events, during the flood and after it. */
const everyMs = 100;

export async function bench(size: Size): Promise<Row[]> {
  const setting = sizes[size];
  const { webhooks, fresh, floodEvents } = setting;
  const chain = (plan: PopulationPlan) => chainAndNeighbour(plan, webhooks);
  const alone = await delays({ ...setting, floodEvents: 0 }, chain);
  const beside = await delays(setting, chain);
  const besideHanging = await delays({ ...setting, webhooks: fresh }, (plan) =>
    oneHost(plan, fresh, hanging, false, 1),
  );
  const flood = `while another tenant sends ${floodEvents} events to ${webhooks} webhooks`;
  const hang = `while another tenant sends ${floodEvents} events to ${fresh} receivers that hang`;
  const besideRow = (flood: string, { neighbour }: Delays) =>
    judgedRow(`first attempts ${flood}`, neighbour, alone.neighbour);
  return [
    row('first attempts alone, median', percentile(alone.neighbour, 0.5)),
    row('first attempts alone, 95th percentile', percentile(alone.neighbour, 0.95)),
    row(`first attempts ${flood}, median`, percentile(beside.neighbour, 0.5)),
    besideRow(flood, beside),
    row('last first attempt of the other tenant', Math.max(...beside.flood)),
    row(`first attempts ${hang}, median`, percentile(besideHanging.neighbour, 0.5)),
    besideRow(hang, besideHanging),
  ];
}

/** Measures requests of a business while readers of others wait (docs/rules.md#feed). */
export async function readersBench(size: Size): Promise<Row[]> {
  const setting = sizes[size];
  const alone = await requestTimes({ ...setting, reading: 0 }, deployed());
  const beside = await requestTimes(setting, deployed());
  const control = await withoutBounds((functions) => requestTimes(setting, functions));
  const readers = `while ${setting.reading * limits.feedWaitersPerBusiness} feed requests wait`;
  const rowsOf = (name: string, kind: keyof Times): Row[] => {
    const unbounded = judgedRow(`negative control: ${name} ${readers} without a limit`, control[kind], alone[kind]);
    const isSlow = !unbounded.met;
    return [
      row(`${name} alone, 95th percentile`, percentile(alone[kind], 0.95)),
      judgedRow(`${name} ${readers}`, beside[kind], alone[kind]),
      { ...unbounded, goal: '> 1.3 × alone', met: isSlow },
    ];
  };
  return [...rowsOf('requests', 'requests'), ...rowsOf('reads of a feed', 'reads')];
}

const row = (name: string, value: number): Row => ({ name: `neighbours: ${name}`, value, unit: 'ms' });
const judgedRow = (name: string, beside: readonly number[], alone: readonly number[]) => {
  const ratio = percentile(beside, 0.95) / percentile(alone, 0.95);
  const judged = { ratio: `${ratio.toFixed(2)} × alone`, goal: '≤ 1.3 × alone', met: ratio <= 1.3 };
  return { ...row(`${name}, 95th percentile`, percentile(beside, 0.95)), ...judged };
};

interface Delays {
  readonly neighbour: readonly number[];
  readonly flood: readonly number[];
}

/** Milliseconds from the event to its first attempt, in ascending order. */
async function delays(
  { webhooks, floodEvents, neighbourEvents }: Setting,
  populate: (plan: PopulationPlan) => Population,
): Promise<Delays> {
  const neighbour: number[] = [];
  const flood: number[] = [];
  const seen = new Set<string>();
  let neighbourUrl: string | undefined;
  const report = await simulate({
    events: floodEvents + neighbourEvents,
    seed: 1,
    spanMs: floodAtMs + neighbourEvents * everyMs,
    rates: noFaults,
    eventful: false,
    populate: (plan) => {
      const population = populate(plan);
      neighbourUrl = [...population.receivers.keys()].at(-1);
      return population;
    },
    arrive: (simulation: Simulation) => {
      const [chain, other] = simulation.population.businesses;
      if (!chain || !other) throw new Error('There are two businesses');
      const { timeline } = simulation.runtime;
      for (let i = 0; i < floodEvents; i++) timeline.in(floodAtMs, () => simulation.raise(chain));
      for (let i = 0; i < neighbourEvents; i++) timeline.in(floodAtMs + i * everyMs, () => simulation.raise(other));
    },
    onRequest: ({ url, headers, body }, now) => {
      const deliveryId = headers['X-Webhook-Delivery'] ?? '';
      if (seen.has(deliveryId)) return;
      seen.add(deliveryId);
      (url === neighbourUrl ? neighbour : flood).push(now - Date.parse(JSON.parse(String(body)).timestamp));
    },
  });
  const expected = floodEvents * webhooks + neighbourEvents;
  if (report.violationCount > 0 || seen.size !== expected) {
    throw new Error(`${seen.size} of ${expected} deliveries, ${report.violations.join('; ')}`);
  }
  return { neighbour: neighbour.sort((a, b) => a - b), flood };
}

/** Functions with a limit of concurrent executions. */
interface Functions {
  readonly most: number;
  running: number;
}

/** The functions for requests. Feed requests may share them with all other requests. */
interface Account {
  readonly feeds: Functions;
  readonly others: Functions;
}

const accountFunctions = 1_000;
/** The time after which a request without a free function, or a reader that may not wait, tries again. */
const againMs = 1_000;
const busyPauseMs = 2_000;
/** The number of concurrent requests. */
const together = 50;

/** In `prod`, functions are reserved for the feed, and no others run there. */
function deployed(): Account {
  const feeds = stageNamed('prod').waitingRoute.atOnce ?? 0;
  return { feeds: { most: feeds, running: 0 }, others: { most: accountFunctions - feeds, running: 0 } };
}

/** Allows all readers to wait, without reserved concurrency. */
async function withoutBounds<T>(measure: (account: Account) => Promise<T>): Promise<T> {
  const { feedWaiters } = limits;
  const all = { most: accountFunctions, running: 0 };
  Object.assign(limits, { feedWaiters: Number.MAX_SAFE_INTEGER });
  try {
    return await measure({ feeds: all, others: all });
  } finally {
    Object.assign(limits, { feedWaiters });
  }
}

interface Times {
  readonly requests: number[];
  readonly reads: number[];
}

/** Milliseconds of a business's requests to its log and its feed, in ascending order. */
async function requestTimes({ reading, bursts }: Setting, { feeds, others }: Account): Promise<Times> {
  const times: Times = { requests: [], reads: [] };
  const endsAtMs = 3 * floodAtMs + bursts * everyMs;
  const perBusiness = limits.feedWaitersPerBusiness;
  const report = await simulate({
    events: 1,
    seed: 1,
    // An event then ends the run. A request without a response by then has waited at least that long.
    spanMs: endsAtMs,
    rates: noFaults,
    eventful: false,
    populate: ({ put, ...plan }) => {
      const read: PopulationPlan['put'] = (store, item) =>
        put(store, 'lastNumber' in item ? { ...item, delivery: 'poll', targetUrl: '' } : item);
      return alikeBusinesses({ ...plan, put: read }, (reading + 1) * perBusiness, () => healthy, perBusiness);
    },
    arrive: (simulation) => {
      const { runtime, population, checkers } = simulation;
      const { timeline } = runtime;
      const send = (functions: Functions, call: () => Promise<unknown>, ended: () => void): void => {
        if (functions.running === functions.most) {
          timeline.in(againMs, () => send(functions, call, ended));
          return;
        }
        functions.running += 1;
        runtime.invoke('request', (limits.feedWaitSeconds + 5) * 1_000, call, () => {
          functions.running -= 1;
          ended();
        });
      };
      const webhooks = [...checkers.webhooks.all.values()].map(({ item }) => item);
      const keyOf = ({ tenantId, keyId }: { tenantId: number; keyId: number }) => keyPrincipal(tenantId, keyId);
      const waitAt = (webhook: (typeof webhooks)[number]) => {
        let pauseMs = 0;
        const read = () =>
          readFeed(keyOf(webhook), webhook, { wait: limits.feedWaitSeconds }).catch((error: { code?: string }) => {
            if (error.code !== 'feed_busy') throw error;
            pauseMs = busyPauseMs;
          });
        if (simulation.raised === 0) send(feeds, read, () => timeline.in(pauseMs, () => waitAt(webhook)));
      };
      const [own] = webhooks.splice(0, perBusiness);
      const [business] = population.businesses;
      if (!own || !business) throw new Error('There is a business');
      for (const [i, webhook] of webhooks.entries()) {
        timeline.in((i * floodAtMs) / webhooks.length, () => waitAt(webhook));
      }
      const sent: { readonly into: number[]; readonly sentAt: number; endedAt?: number }[] = [];
      const timed = (functions: Functions, call: () => Promise<unknown>, into: number[]) => {
        const one: (typeof sent)[number] = { into, sentAt: runtime.now };
        sent.push(one);
        send(functions, call, () => {
          one.endedAt = runtime.now;
        });
      };
      for (let i = 0; i < bursts; i++) {
        timeline.in(2 * floodAtMs + i * everyMs, () => {
          for (let one = 0; one < together; one++) {
            timed(others, () => listDeliveries(keyOf(own), own, {}), times.requests);
          }
          timed(feeds, () => readFeed(keyOf(own), own, {}), times.reads);
        });
      }
      timeline.in(endsAtMs, () => {
        for (const { into, sentAt, endedAt = runtime.now } of sent) into.push(endedAt - sentAt);
        simulation.raise(business);
      });
    },
  });
  if (report.violationCount > 0) throw new Error(report.violations.join('; '));
  return { requests: times.requests.sort((a, b) => a - b), reads: times.reads.sort((a, b) => a - b) };
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

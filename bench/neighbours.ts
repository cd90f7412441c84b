/**
 * `npm run bench -- neighbours`: how much a flood of one tenant delays another (docs/rules.md#fairness). One tenant with
 * many webhooks raises a burst of events; its neighbour, with one webhook, goes on raising one now and then. Measured is
 * how long after its event each first attempt of the neighbour leaves, beside the flood and alone. A second flood is at
 * receivers of one host that are new and hang.
 *
 * It runs in the simulated world: the production functions, the deployed numbers of workers, queues that serve groups in
 * turn, and a clock that counts waiting alone. On one machine the flood's processor time would be measured instead.
 */
import { noFaults } from '../test/simulation/faults.ts';
import { chainAndNeighbour, oneHost, type Population, type PopulationPlan } from '../test/simulation/population.ts';
import { hanging } from '../test/simulation/receivers.ts';
import { type Simulation, simulate } from '../test/simulation/simulation.ts';
import type { Row } from './row.ts';
import type { Size } from './turns.ts';

interface Setting {
  readonly webhooks: number;
  /** Of another tenant, at one host that never answered and hangs. */
  readonly fresh: number;
  readonly floodEvents: number;
  readonly neighbourEvents: number;
}

const sizes: Readonly<Record<Size, Setting>> = {
  full: { webhooks: 1_000, fresh: 100, floodEvents: 50, neighbourEvents: 300 },
  tiny: { webhooks: 120, fresh: 20, floodEvents: 3, neighbourEvents: 20 },
};

const floodAtMs = 1_000;
/** The neighbour's events come this far apart, while the flood lasts and after it. */
const everyMs = 100;

export async function neighboursBench(size: Size): Promise<Row[]> {
  const setting = sizes[size];
  const { webhooks, fresh, floodEvents } = setting;
  const chain = (plan: PopulationPlan) => chainAndNeighbour(plan, webhooks);
  const alone = await delays({ ...setting, floodEvents: 0 }, chain);
  const beside = await delays(setting, chain);
  const besideHanging = await delays({ ...setting, webhooks: fresh }, (plan) =>
    oneHost(plan, fresh, hanging, false, 1),
  );
  const flood = `${webhooks} webhooks, ${floodEvents} events of another tenant`;
  const hang = `${fresh} fresh receivers that hang, ${floodEvents} events`;
  const row = (name: string, value: number): Row => ({ name: `neighbours: ${name}`, value, unit: 'ms' });
  const besideRow = (flood: string, { neighbour }: Delays): Row => {
    const ratio = percentile(neighbour, 0.95) / percentile(alone.neighbour, 0.95);
    const judged = { ratio: `${ratio.toFixed(2)} × alone`, goal: '≤ 1.3 × alone', met: ratio <= 1.3 };
    return { ...row(`beside ${flood}, 95th percentile`, percentile(neighbour, 0.95)), ...judged };
  };
  return [
    row('first attempts alone, median', percentile(alone.neighbour, 0.5)),
    row('first attempts alone, 95th percentile', percentile(alone.neighbour, 0.95)),
    row(`beside ${flood}, median`, percentile(beside.neighbour, 0.5)),
    besideRow(flood, beside),
    row('the last first attempt of the flood', Math.max(...beside.flood)),
    row(`beside ${hang}, median`, percentile(besideHanging.neighbour, 0.5)),
    besideRow(hang, besideHanging),
  ];
}

interface Delays {
  readonly neighbour: readonly number[];
  readonly flood: readonly number[];
}

/** From the event to its first attempt, in milliseconds, in ascending order. */
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
      const { timeline } = simulation.world;
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

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

/** What a business sends in a minute is bounded, and more waits in order (docs/rules.md#sending-budget). */
import { expect, test, vi } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { parseDeliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { noFaults } from './faults.ts';
import { oneHost } from './population.ts';
import { healthy, type Receiver, refusing } from './receivers.ts';
import { type Report, type Simulation, simulate } from './simulation.ts';

vi.setConfig({ testTimeout: 240_000 });

const injected = vi.hoisted(() => ({ noBudget: false }));
vi.mock(import('../../core/deliveries/model/sending-budget.ts'), async (original) => {
  const { SendingBudget } = await original();
  return {
    SendingBudget: class extends SendingBudget {
      readonly #now: number;
      constructor(...args: ConstructorParameters<typeof SendingBudget>) {
        super(...args);
        this.#now = args[1];
      }
      override reserve(host: string | undefined, notBefore?: number): number {
        const dueAt = super.reserve(host, notBefore);
        return injected.noBudget ? this.#now : dueAt;
      }
    },
  };
});
const { business: perBusiness, unansweredHost: perHost } = limits.firstAttemptsPerMinute;
const webhooks = 100;

interface Sent {
  readonly webhookId: number;
  readonly number: number;
  readonly at: number;
}

interface Run {
  readonly report: Report;
  /** First attempts in the order in which they were made. */
  readonly sent: readonly Sent[];
  /** How many in each minute of the clock. */
  readonly minutes: readonly number[];
}

async function run(receiver: Receiver, hasAnswered: boolean, moves: number): Promise<Run> {
  const sent: Sent[] = [];
  const seen = new Set<string>();
  const report = await simulate({
    events: moves,
    seed: 1,
    spanMs: 60_000,
    rates: noFaults,
    eventful: false,
    populate: (plan) => oneHost(plan, webhooks, receiver, hasAnswered),
    arrive: (simulation: Simulation) => {
      const [business] = simulation.population.businesses;
      if (!business) throw new Error('There is a business');
      for (let i = 0; i < moves; i++) simulation.world.timeline.in(100 + i * 900, () => simulation.raise(business));
    },
    onRequest: ({ headers }, at) => {
      const deliveryId = headers['X-Webhook-Delivery'] ?? '';
      if (seen.has(deliveryId)) return;
      seen.add(deliveryId);
      const { webhookId = 0, number = 0 } = parseDeliveryId(deliveryId) ?? {};
      sent.push({ webhookId, number, at });
    },
  });
  const minutes = Map.groupBy(sent, ({ at }) => Math.floor(at / 60_000));
  return { report, sent, minutes: [...minutes.values()].map(({ length }) => length) };
}

/** Those after which an earlier one of the same webhook was sent, a second or more later. */
function overtakers(sent: readonly Sent[]): readonly Sent[] {
  return [...Map.groupBy(sent, ({ webhookId }) => webhookId).values()].flatMap((some) =>
    some.filter((one, i) => some.slice(i + 1).some(({ number, at }) => number < one.number && at >= one.at + 1_000)),
  );
}

test('Fifty moves on a hundred webhooks at one host that never answered make at most 60 first attempts a minute there, in order, and lose none', async () => {
  const { report, sent, minutes } = await run(refusing, false, 50);
  process.stderr.write(`sending budget: ${Math.max(...minutes)} a minute over ${minutes.length} minutes\n`);
  expect(report.violations).toEqual([]);
  expect(sent).toHaveLength(50 * webhooks);
  expect(Math.max(...minutes)).toBeLessThanOrEqual(perHost);
  expect(overtakers(sent)).toEqual([]);
});

test('At a host that has answered, fifty moves make at most 3 000 first attempts a minute', async () => {
  const { report, sent, minutes } = await run(healthy, true, 50);
  process.stderr.write(`sending budget: ${minutes.join(', ')} a minute\n`);
  expect(report.violations).toEqual([]);
  expect(sent).toHaveLength(50 * webhooks);
  expect(Math.max(...minutes)).toBeLessThanOrEqual(perBusiness);
  expect(overtakers(sent)).toEqual([]);
});

test('Negative control: without the budget, hundreds of first attempts arrive in a minute', async () => {
  injected.noBudget = true;
  const { minutes } = await run(refusing, false, 5);
  injected.noBudget = false;
  expect(Math.max(...minutes)).toBeGreaterThan(perHost);
});

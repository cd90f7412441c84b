/** The requests of a business in a minute are limited, and the rest waits in order (docs/rules.md#sending-budget). */
import { expect, test, vi } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { parseDeliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { duringTest } from '../support/during-test.ts';
import { noFaults } from './faults.ts';
import { oneHost } from './population.ts';
import { healthy, type Receiver, refusing } from './receivers.ts';
import { type Report, type Simulation, simulate } from './simulation.ts';

vi.setConfig({ testTimeout: 600_000 });

const injected = vi.hoisted(() => ({ noBudget: false, retriesUnreserved: false, outOfOrder: false, reserved: 0 }));
vi.mock(import('../../core/deliveries/attempt/reserve.ts'), async (original) => {
  const real = await original();
  return { ...real, isUnreserved: (found) => !injected.retriesUnreserved && real.isUnreserved(found) };
});
vi.mock(import('../../core/deliveries/model/sending-budget.ts'), async (original) => {
  const { SendingBudget } = await original();
  return {
    SendingBudget: class extends SendingBudget {
      readonly #now: number;
      constructor(...args: ConstructorParameters<typeof SendingBudget>) {
        super(...args);
        this.#now = args[1];
      }
      override reserve(host: string, notBefore?: number): number {
        if (injected.outOfOrder) return super.reserve(host) + (injected.reserved++ % 3) * 120_000;
        const dueAt = super.reserve(host, notBefore);
        return injected.noBudget ? this.#now : dueAt;
      }
    },
  };
});
const { business: perBusiness, unansweredHost: perHost } = limits.attemptsPerMinute;

interface Sent {
  readonly webhookId: number;
  readonly number: number;
  readonly at: number;
}

interface Run {
  readonly report: Report;
  readonly sent: readonly Sent[];
  /** The most requests that arrived in a minute of the clock, including retries. */
  readonly most: number;
  readonly requests: number;
}

async function run(receiver: Receiver, hasAnswered: boolean, webhooks: number, moves: number): Promise<Run> {
  const sent: Sent[] = [];
  const seen = new Set<string>();
  const minutes = new Map<number, number>();
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
      for (let i = 0; i < moves; i++) simulation.runtime.timeline.in(100 + i * 900, () => simulation.raise(business));
    },
    onRequest: ({ headers }, at) => {
      const minute = Math.floor(at / 60_000);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
      const deliveryId = headers['X-Webhook-Delivery'] ?? '';
      if (seen.has(deliveryId)) return;
      seen.add(deliveryId);
      const { webhookId = 0, number = 0 } = parseDeliveryId(deliveryId) ?? {};
      sent.push({ webhookId, number, at });
    },
  });
  const counts = [...minutes.values()];
  return { report, sent, most: Math.max(...counts), requests: counts.reduce((sum, count) => sum + count, 0) };
}

/** Attempts that were sent a second or more before an earlier attempt of the same webhook. */
function overtakers(sent: readonly Sent[]): readonly Sent[] {
  return [...Map.groupBy(sent, ({ webhookId }) => webhookId).values()].flatMap((some) =>
    some.filter((one, i) => some.slice(i + 1).some(({ number, at }) => number < one.number && at >= one.at + 1_000)),
  );
}

test("A host that refuses all webhook messages gets at most 60 requests a minute, with each webhook's events in order", async () => {
  const { report, sent, most, requests } = await run(refusing, false, 50, 6);
  process.stderr.write(`sending budget: ${most} a minute, ${requests} requests\n`);
  expect(report.violations).toEqual([]);
  expect(sent).toHaveLength(6 * 50);
  expect(most).toBeLessThanOrEqual(perHost);
  // Deliveries that were open when the webhook was disabled after five failed deliveries have fewer than six attempts.
  expect(requests).toBeGreaterThan(3 * sent.length);
  expect(overtakers(sent)).toEqual([]);
});

test("A host that has accepted webhook messages gets up to 3 000 requests a minute, with each webhook's events in order", async () => {
  const { report, sent, most } = await run(healthy, true, 100, 32);
  process.stderr.write(`sending budget: ${most} a minute\n`);
  expect(report.violations).toEqual([]);
  expect(sent).toHaveLength(32 * 100);
  expect(most).toBe(perBusiness);
  expect(overtakers(sent)).toEqual([]);
});

test.each([
  ['the limit per host is ignored', 'noBudget'],
  ['retries do not count towards the limit per host', 'retriesUnreserved'],
] as const)(
  'Negative control: if %s, a host that refuses all webhook messages gets more than 60 requests in a minute',
  async (_, bug) => {
    duringTest(injected, { [bug]: true });
    const { most } = await run(refusing, false, 100, 4);
    expect(most).toBeGreaterThan(perHost);
  },
);

test('Negative control: if a delivery does not wait for earlier deliveries to its webhook, events arrive out of order', async () => {
  duringTest(injected, { outOfOrder: true });
  const { sent } = await run(refusing, false, 50, 6);
  expect(overtakers(sent).length).toBeGreaterThan(0);
});
